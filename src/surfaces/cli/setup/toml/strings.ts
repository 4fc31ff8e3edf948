import { TextFault } from '../text/text-fault.ts'

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}

/** Control characters that no string may hold as they are, and a carriage return that ends no line. */
const forbidden = /(?![\t\r\n\u0080-\u009f])\p{Cc}|\r(?!\n)/u

const escaped = /\\(?:([btnfre"\\])|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|[ \t]*\r?\n\s*|([\s\S]|$))/g

/** The string that begins at an offset, in any of the four notations. */
export function stringText(text: string, start: number): { readonly value: string; readonly end: number } {
  const quote = text[start] as string
  const isLong = text.startsWith(quote.repeat(3), start)
  const isLiteral = quote === "'"
  const from = start + (isLong ? 3 : 1)
  const end = closing(text, from, isLong ? quote.repeat(3) : quote, isLiteral)
  const inside = end === undefined ? '\n' : text.slice(from, end)
  const bad = forbidden.exec(inside)
  if (end === undefined || (!isLong && inside.includes('\n'))) {
    throw new TextFault('A string that is not closed', text, start)
  }
  if (bad !== null) throw new TextFault('A control character in a string', text, from + bad.index)
  const trimmed = isLong ? inside.replace(/^\r?\n/, '') : inside
  const value = isLiteral ? trimmed : trimmed.replace(escaped, (...found) => unescaped(found, text, start, isLong))
  return { value, end: end + (isLong ? 3 : 1) }
}

/** The offset of the closing quotes. Up to two more quotes may stand before those of a long string. */
function closing(text: string, from: number, quotes: string, isLiteral: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (!isLiteral && text[at] === '\\') at++
    else if (text.startsWith(quotes, at)) {
      const more = quotes.length === 1 ? 0 : [2, 1].find((count) => text.startsWith(quotes, at + count))
      return at + (more ?? 0)
    } else if (quotes.length === 1 && text[at] === '\n') return undefined
  }
  return undefined
}

function unescaped(
  [whole, short, four, eight, two, bad]: string[],
  text: string,
  start: number,
  isLong: boolean,
): string {
  if (short !== undefined) return escapes[short] as string
  const digits = four ?? eight ?? two
  if (digits === undefined && bad === undefined && isLong) return ''
  const code = digits === undefined ? -1 : Number.parseInt(digits, 16)
  const isScalar = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  if (isScalar) return String.fromCodePoint(code)
  throw new TextFault(`Invalid escape ${JSON.stringify(whole)}`, text, start)
}
