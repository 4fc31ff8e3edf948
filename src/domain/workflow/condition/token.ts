import { type Refusal, refuse } from '../../log/refusal.ts'

/** A piece of a condition, and where it begins. */
export interface Token {
  readonly kind: 'sign' | 'word' | 'text' | 'number' | 'end'
  /** The sign or the word; of a text what it says. */
  readonly text: string
  readonly at: number
}

const signs = ['==', '!=', '<=', '>=', '&&', '||', '<', '>', '!', '(', ')', '.', '[', ']'] as const

const word = /[\p{L}_][\p{L}\p{N}_-]*/uy
const number = /-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?/y
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

/** The pieces of a condition; the last one is its end. */
export function tokensOf(text: string): Token[] | Refusal {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] as string)) {
      at++
      continue
    }
    const read = tokenAt(text, at)
    if ('code' in read) return read
    tokens.push(read.token)
    at = read.after
  }
  tokens.push({ kind: 'end', text: '', at: text.length })
  return tokens
}

interface Read {
  readonly token: Token
  readonly after: number
}

function tokenAt(text: string, at: number): Read | Refusal {
  const first = text[at] as string
  if (first === '"' || first === "'") return quotedAt(text, at)
  for (const [kind, pattern] of [['number', number] as const, ['word', word] as const]) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { token: { kind, text: found, at }, after: at + found.length }
  }
  const sign = signs.find((each) => text.startsWith(each, at))
  if (sign !== undefined) return { token: { kind: 'sign', text: sign, at }, after: at + sign.length }
  if (first === '=') return misread(at, '"="', 'Compare with ==.')
  return misread(at, JSON.stringify(first), 'Write a comparison such as state.ready == true.')
}

function quotedAt(text: string, start: number): Read | Refusal {
  const quote = text[start]
  let said = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] as string
    if (character === quote) return { token: { kind: 'text', text: said, at: start }, after: at + 1 }
    if (character === '\\' && at + 1 < text.length) {
      const escaped = text[++at] as string
      said += escapes[escaped] ?? escaped
    } else said += character
  }
  return misread(start, 'a text without its closing quote', 'Close it with the quote it begins with.')
}

/** Characters count from 1, as editors show them. */
export function misread(at: number, found: string, hint: string): Refusal {
  const message = `Invalid condition at character ${at + 1}: unexpected ${found}.`
  return refuse('invalid_input', message, hint, { character: at + 1 })
}
