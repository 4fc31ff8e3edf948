import type { JsonObject } from '../../../json/value.ts'
import { type Converted, contentOf, type Normal, type Piece } from './normal.ts'

/** The items of Responses that say what a message said; `outputType` is what a result of its call is called. */
export function toResponses(normal: Normal, outputType: string): Converted<JsonObject[]> {
  const lost: string[] = []
  const { role } = normal
  const held = normal.pieces.filter((piece) => isHeld(role, piece, lost))
  if (role === 'tool') {
    if (normal.isError) lost.push('that the tool result is an error')
    const output = contentOf(held, (piece) => partOf(piece, role))
    return { made: [{ type: outputType, call_id: normal.call ?? '', output }], lost }
  }
  const items: JsonObject[] = []
  let said: Piece[] = []
  const endMessage = () => {
    if (said.length > 0) items.push({ role, content: contentOf(said, (piece) => partOf(piece, role)) })
    said = []
  }
  for (const piece of held) {
    if (piece.kind === 'call') {
      endMessage()
      items.push(itemOf(piece))
    } else said.push(piece)
  }
  endMessage()
  return { made: items, lost }
}

function isHeld(role: Normal['role'], piece: Piece, lost: string[]): boolean {
  if (piece.kind !== 'image' || role === 'user' || role === 'tool') return true
  lost.push(`an image of the ${role}`)
  return false
}

function partOf(piece: Piece, role: Normal['role']): JsonObject {
  if (piece.kind === 'image')
    return {
      type: 'input_image',
      image_url: piece.url,
      ...(piece.detail === undefined ? {} : { detail: piece.detail }),
    }
  const text = piece.kind === 'text' ? piece.text : ''
  if (role !== 'assistant') return { type: 'input_text', text }
  const isRefusal = piece.kind === 'text' && piece.refusal
  return isRefusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text }
}

function itemOf({ id, name, input, custom }: Extract<Piece, { kind: 'call' }>): JsonObject {
  if (custom) return { type: 'custom_tool_call', call_id: id, name, input }
  return { type: 'function_call', call_id: id, name, arguments: input }
}
