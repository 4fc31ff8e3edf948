import { quoted } from '../../../json/refusals.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Stored } from '../stored.ts'

/** What every form can say, each in its own way. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly refusal?: true }
  /** `url` is an address, or the image itself as a data URL. */
  | { readonly kind: 'image'; readonly url: string; readonly detail?: Json }
  | Call

export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  /** JSON text, or what a custom tool is given. */
  readonly input: string
  readonly custom?: true
}

/** A message in no provider's form, on its way from one to another. */
export interface Normal {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly pieces: readonly Piece[]
  /** What is in it that only its own form can say, in plain words. */
  readonly lost: readonly string[]
  /** Of a result: the id of its call, and whether it says that the tool failed. */
  readonly call?: string
  readonly isError?: boolean
}

/** A message in another form, with what that form could not hold. */
export interface Converted<T> {
  readonly made: T
  readonly lost: readonly string[]
}

/** Pieces and losses of one message while it is taken apart. */
export interface Parts {
  readonly pieces: Piece[]
  readonly lost: string[]
}

export function roleOf({ type, message }: Stored): Normal['role'] {
  if (type === 'system_message') return message.role === 'developer' ? 'developer' : 'system'
  return type === 'user_message' ? 'user' : type === 'assistant_message' ? 'assistant' : 'tool'
}

export function noteUnknown(block: JsonObject, lost: string[]): void {
  const { type } = block
  lost.push(typeof type === 'string' ? `a block of the type ${quoted(type)}` : 'a block without a type')
}

/** Notes the members of a block or message that have no counterpart; null and empty lists say nothing. */
export function noteOthers(object: JsonObject, known: readonly string[], what: string, lost: string[]): void {
  const saysNothing = (value: Json) => value === null || (Array.isArray(value) && value.length === 0)
  const others = Object.entries(object).filter(([name, value]) => !known.includes(name) && !saysNothing(value))
  if (others.length === 0) return
  lost.push(`${others.map(([name]) => quoted(name)).join(', ')} of ${what}`)
}

/** The content of a message as one text where it is one, else as what `block` makes of each piece. */
export function contentOf(pieces: readonly Piece[], block: (piece: Piece) => JsonObject): Json {
  const [first] = pieces
  if (pieces.length === 0) return ''
  return pieces.length === 1 && first?.kind === 'text' && !first.refusal ? first.text : pieces.map(block)
}
