import { type Refusal, refuse } from './refusal.ts'
import { faultOfNumber, pathText, quoted, shortPath } from './refusals.ts'

/** A place in a text that is read by the grammar of JSON, and the path of the value that stands there. */
export interface Cursor {
  readonly text: string
  readonly levels: number
  readonly path: (string | number)[]
  at: number
}

const escapes = '"\\/bfnrt'
const hexDigits = '0123456789abcdefABCDEF'
const words = ['true', 'false', 'null']

export function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text[cursor.at])) cursor.at++
}

/** Steps over one character if it stands here. */
export function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  return true
}

/** Steps over a string that begins here and answers its spelling, quotes included. */
export function readSpelling(cursor: Cursor): string | Refusal {
  const { text, at: start } = cursor
  for (cursor.at++; cursor.at < text.length; cursor.at++) {
    const character = text[cursor.at] as string
    if (character === '"') return text.slice(start, ++cursor.at)
    if (character < ' ') return refuseControl(cursor, character)
    if (character === '\\') {
      const units = escapeUnits(text, cursor.at + 1)
      if (units === 0) return refuseSyntax(cursor, 'an escape', 'Write \\\\ for a backslash, \\n for a line break.')
      cursor.at += units
    }
  }
  cursor.at = start
  return refuseSyntax(
    cursor,
    'a string that ends',
    'Close the string with a double quote; write \\" for one inside it.',
  )
}

/** Steps over a number or one of the words `true`, `false` and `null`. */
export function faultOfWord(cursor: Cursor): Refusal | undefined {
  const { text, at: start } = cursor
  const word = words.find((each) => text.startsWith(each, start))
  if (word !== undefined) {
    cursor.at += word.length
    return undefined
  }
  take(cursor, '-')
  if (!isDigit(text[cursor.at])) {
    cursor.at = start
    return refuseSyntax(cursor, 'a value', 'Write a string in double quotes, a number, true, false, null, [ ] or { }.')
  }
  if (!take(cursor, '0')) skipDigits(cursor)
  else if (isDigit(text[cursor.at])) return refuseSyntax(cursor, 'no digit after 0', 'Drop the leading zeros.')
  if (take(cursor, '.') && !skipDigits(cursor)) return refuseDigit(cursor)
  if (take(cursor, 'e') || take(cursor, 'E')) {
    if (!take(cursor, '+')) take(cursor, '-')
    if (!skipDigits(cursor)) return refuseDigit(cursor)
  }
  const written = text.slice(start, cursor.at)
  return faultOfNumber(Number(written), cursor.path, written)
}

/** A text that is not JSON is refused with the place where reading stopped and what would have let it go on. */
export function refuseSyntax(cursor: Cursor, expected: string, hint: string): Refusal {
  const path = pathText(cursor.path)
  const { line, column } = placeOf(cursor)
  const found = cursor.at < cursor.text.length ? quoted(cursor.text.slice(cursor.at, cursor.at + 20)) : 'the end'
  const message = `Invalid JSON at line ${line}, column ${column} (${shortPath(path)}): expected ${expected}, found ${found}.`
  return refuse('invalid_input', message, knownMistake(cursor) ?? hint, { path, line, column })
}

/** What people most often get wrong, told by the character at which reading stopped. */
function knownMistake({ text, at }: Cursor): string | undefined {
  const rest = text.slice(at, at + 9)
  if (rest.startsWith('\ufeff')) return 'Remove the byte order mark: save the file as UTF-8 without BOM.'
  if (text.trim() === '') return 'Send a JSON value, for example {"a": 1} or "text".'
  if (rest === '') return 'Send the whole text: it ends too early.'
  if (rest.startsWith("'")) return 'Use double quotes instead of single ones.'
  if (rest.startsWith('/') || rest.startsWith('#')) return 'Remove the comment: JSON has none.'
  if (/^(NaN|-?Infinity|undefined)/.test(rest)) return 'Use null: JSON has no NaN, Infinity or undefined.'
  if (/^(True|False|None)/.test(rest)) return 'Write true, false or null in lower case.'
  if (/^[\]}]/.test(rest) && text.slice(0, at).trimEnd().endsWith(',')) return 'Remove the comma before it.'
  if (/^\p{L}/u.test(rest)) return 'Put double quotes around text: "like this".'
  return undefined
}

/** Lines and columns count from 1, and columns in UTF-16 units, as editors do. */
function placeOf({ text, at }: Cursor): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let index = 0; index < at; index++) {
    const unit = text[index]
    if (unit === '\n' || (unit === '\r' && text[index + 1] !== '\n')) {
      line++
      start = index + 1
    }
  }
  return { line, column: at - start + 1 }
}

function refuseControl(cursor: Cursor, character: string): Refusal {
  if (character === '\0') return refuseSyntax(cursor, 'no NUL character', 'Remove it; send binary data as base64.')
  return refuseSyntax(cursor, 'no control character in a string', 'Escape it: a line break is written \\n, a tab \\t.')
}

function refuseDigit(cursor: Cursor): Refusal {
  return refuseSyntax(cursor, 'a digit', 'Complete the number, as in 0.5 or 1e3.')
}

/** How many characters the escape has whose first character after the backslash is at `at`; 0 when it is none. */
function escapeUnits(text: string, at: number): number {
  const kind = text[at]
  if (kind === undefined) return 0
  if (kind !== 'u') return escapes.includes(kind) ? 1 : 0
  for (let index = at + 1; index <= at + 4; index++) {
    const digit = text[index]
    if (digit === undefined || !hexDigits.includes(digit)) return 0
  }
  return 5
}

function skipDigits(cursor: Cursor): boolean {
  const start = cursor.at
  while (isDigit(cursor.text[cursor.at])) cursor.at++
  return cursor.at > start
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
