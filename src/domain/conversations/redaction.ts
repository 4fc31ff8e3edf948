import { type Path, pathText } from '../../json/refusals.ts'
import { type Json, type JsonObject, readJson } from '../../json/value.ts'
import { Refusal } from '../log/refusal.ts'
import { secretsIn } from '../log/secrets.ts'

/** Where something was replaced, and what stood there. */
export interface Redaction {
  readonly path: string
  readonly what: string
}

export interface Redacted<T extends Json> {
  readonly value: T
  readonly redacted: readonly Redaction[]
}

/** A part of a text that must not be stored. */
interface Span {
  readonly from: number
  readonly to: number
  readonly what: string
}

/** Finds what must not be stored in a text: spans in their order, none over another. */
export type Search = (text: string) => readonly Span[]

/** A message without what looks like a secret: in its place stands what it was. */
export function redactMessage(message: JsonObject): { message: JsonObject; redacted: readonly Redaction[] } {
  const { value, redacted } = redactWith(message, secretsIn)
  return { message: value, redacted }
}

/** A value without what a search finds in its texts, in JSON that its texts hold, and in the names of members. */
export function redactWith<T extends Json>(value: T, search: Search): Redacted<T> {
  const redacted: Redaction[] = []
  const cleaned = clean(value, [], search, redacted)
  // A value of which nothing was replaced is given back itself; an object stays an object.
  return { value: redacted.length === 0 ? value : (cleaned as T), redacted }
}

function clean(value: Json, path: Path, search: Search, redacted: Redaction[]): Json {
  if (typeof value === 'string') return cleanText(value, path, search, redacted)
  if (typeof value === 'number') {
    const text = cleanSpans(String(value), path, search, redacted)
    return text === String(value) ? value : text
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, at) => clean(item, [...path, at], search, redacted))
  const inside: Redaction[] = []
  const cleaned: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    // A name that is a secret is not shown in a path either.
    const shown = freeName(cleanSpans(name, path, search, inside), cleaned)
    cleaned[shown] = clean(member, [...path, shown], search, inside)
  }
  if (inside.length === 0 || !isSigned(value)) {
    redacted.push(...inside)
    return cleaned
  }
  const whats = [...new Set(inside.map(({ what }) => what))]
  for (const what of whats) redacted.push({ path: pathText(path), what })
  return unsigned(value, `[redacted: signed thinking that held ${whats.join(' and ')}]`)
}

/** Two names may be replaced by the same words. */
function freeName(name: string, taken: JsonObject): string {
  let free = name
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${name} ${number}`
  return free
}

/** Whether a provider checks that a block is as it gave it: such a block cannot be changed, only left out. */
function isSigned({ type, signature, encrypted_content: encrypted }: JsonObject): boolean {
  if (type === 'thinking') return signature !== undefined
  return type === 'redacted_thinking' || (type === 'reasoning' && typeof encrypted === 'string')
}

/** What stands for a signed block: a text of the assistant, as its form has it. */
function unsigned({ type }: JsonObject, text: string): JsonObject {
  if (type !== 'reasoning') return { type: 'text', text }
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
}

function cleanText(text: string, path: Path, search: Search, redacted: Redaction[]): string {
  const found: Redaction[] = []
  const plain = cleanSpans(text, path, search, found)
  const mayHide = found.length > 0 || text.includes('\\u') || text.includes('\\/')
  const cleaned = mayHide && /^\s*[[{"]/.test(text) ? cleanJson(text, plain, path, search, found) : plain
  redacted.push(...found)
  return cleaned
}

/** Of JSON text, such as the arguments of a call: it may hide a secret behind escapes, and must still be JSON afterwards. */
function cleanJson(text: string, plain: string, path: Path, search: Search, found: Redaction[]): string {
  const kept = readJson(plain)
  const value = kept instanceof Refusal && plain !== text ? readJson(text) : kept
  if (value instanceof Refusal) return plain
  const inside: Redaction[] = []
  const cleaned = clean(value, [], search, inside)
  if (inside.length === 0) return plain
  // What was found in the text is found again in the value it was read from.
  if (kept instanceof Refusal) found.length = 0
  found.push(...inside.map(({ what }) => ({ path: pathText(path), what })))
  return cleanSpans(JSON.stringify(cleaned), path, search, found)
}

function cleanSpans(text: string, path: Path, search: Search, redacted: Redaction[]): string {
  const spans = search(text)
  if (spans.length === 0) return text
  let cleaned = ''
  let upto = 0
  for (const { from, to, what } of spans) {
    cleaned += `${text.slice(upto, from)}[redacted: ${what}]`
    upto = to
    redacted.push({ path: pathText(path), what })
  }
  return cleaned + text.slice(upto)
}
