import { quoted } from '../../../json/refusals.ts'
import { type JsonObject, readJson } from '../../../json/value.ts'
import { isRefusal } from './calls.ts'
import { isObject } from './members.ts'
import { type Call, type Converted, contentOf, type Normal, type Piece } from './normal.ts'

/** A message in Anthropic's form: of a result its block, else the message, or nothing if nothing is left of it. */
export function toAnthropic(normal: Normal): Converted<JsonObject | undefined> {
  const lost: string[] = []
  // Anthropic refuses blocks of no text.
  const pieces = normal.pieces.filter((piece) => piece.kind !== 'text' || piece.text !== '')
  const held = pieces.filter((piece) => isHeld(normal.role, piece, lost))
  const content = contentOf(held, (piece) => blockOf(piece, lost))
  if (normal.role === 'tool') {
    const failed = normal.isError ? { is_error: true } : {}
    return { made: { type: 'tool_result', tool_use_id: normal.call ?? '', content, ...failed }, lost }
  }
  const role = normal.role === 'developer' ? 'system' : normal.role
  return { made: held.length === 0 ? undefined : { role, content }, lost }
}

function isHeld(role: Normal['role'], piece: Piece, lost: string[]): boolean {
  if (piece.kind !== 'image') return true
  if (role !== 'user' && role !== 'tool') {
    lost.push(`an image of the ${role}`)
    return false
  }
  if (sourceOf(piece.url) === undefined) {
    lost.push('an image that is neither base64 nor a web address')
    return false
  }
  if (piece.detail !== undefined) lost.push('"detail" of an image')
  return true
}

function blockOf(piece: Piece, lost: string[]): JsonObject {
  if (piece.kind === 'text') return { type: 'text', text: piece.text }
  if (piece.kind === 'image') return { type: 'image', source: sourceOf(piece.url) ?? {} }
  return { type: 'tool_use', id: piece.id, name: piece.name, input: inputOf(piece, lost) }
}

function sourceOf(url: string): JsonObject | undefined {
  const [, media, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  if (media !== undefined && data !== undefined) return { type: 'base64', media_type: media, data }
  return /^https?:/i.test(url) ? { type: 'url', url } : undefined
}

/** Anthropic takes nothing but an object, which must say the same as the text did. */
function inputOf({ id, input, custom }: Call, lost: string[]): JsonObject {
  if (input.trim() === '' && !custom) return {}
  const value = custom ? null : readJson(input)
  if (!isRefusal(value) && isObject(value)) return value
  if (!custom)
    lost.push(`the arguments of the call ${quoted(id)} as such: they are no JSON object, and stand in "input"`)
  return { input }
}
