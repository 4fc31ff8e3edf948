import type { JsonObject } from '../../../json/value.ts'
import { type Call, type Converted, contentOf, type Normal, type Piece } from './normal.ts'

/** A message of Chat Completions, or nothing if nothing is left of it. */
export function toOpenai(normal: Normal): Converted<JsonObject | undefined> {
  const lost: string[] = []
  const { role } = normal
  const calls = normal.pieces.filter((piece) => piece.kind === 'call')
  const held = normal.pieces.filter((piece) => piece.kind !== 'call' && isHeld(role, piece, lost))
  const content = contentOf(held, (piece) => partOf(piece, role))
  if (role === 'tool') {
    if (normal.isError) lost.push('that the tool result is an error')
    return { made: { role, tool_call_id: normal.call ?? '', content }, lost }
  }
  if (calls.length > 0)
    return { made: { role, content: held.length === 0 ? null : content, tool_calls: calls.map(callOf) }, lost }
  return { made: held.length === 0 ? undefined : { role, content }, lost }
}

function isHeld(role: Normal['role'], piece: Piece, lost: string[]): boolean {
  if (piece.kind !== 'image' || role === 'user') return true
  lost.push(role === 'tool' ? 'an image of a tool result' : `an image of the ${role}`)
  return false
}

function partOf(piece: Piece, role: Normal['role']): JsonObject {
  if (piece.kind === 'image')
    return {
      type: 'image_url',
      image_url: { url: piece.url, ...(piece.detail === undefined ? {} : { detail: piece.detail }) },
    }
  const text = piece.kind === 'text' ? piece.text : ''
  const isRefusal = piece.kind === 'text' && piece.refusal && role === 'assistant'
  return isRefusal ? { type: 'refusal', refusal: text } : { type: 'text', text }
}

function callOf({ id, name, input, custom }: Call): JsonObject {
  if (custom) return { id, type: 'custom', custom: { name, input } }
  return { id, type: 'function', function: { name, arguments: input } }
}
