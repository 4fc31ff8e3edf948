import type { Json, JsonObject } from '../../../json/value.ts'
import type { Stored } from '../stored.ts'
import { blocksOf, isObject, textAt } from './members.ts'
import { type Normal, noteOthers, noteUnknown, type Parts, roleOf } from './normal.ts'

/** Of Chat Completions; also of a message that is nothing but a role and a text. */
export function normalOfOpenai(stored: Stored): Normal {
  const { message, call } = stored
  const parts: Parts = { pieces: [], lost: [] }
  if (typeof message.content === 'string') {
    // An assistant that only calls tools may say an empty text.
    if (message.content !== '') parts.pieces.push({ kind: 'text', text: message.content })
  }
  for (const part of blocksOf(message.content)) takePart(part, parts)
  if (stored.type === 'tool_result') {
    noteOthers(message, ['role', 'content', 'tool_call_id'], 'a tool result', parts.lost)
    return { role: 'tool', ...parts, call: call ?? '' }
  }
  const refusal = textAt(message, 'refusal')
  if (refusal !== undefined) parts.pieces.push({ kind: 'text', text: refusal, refusal: true })
  for (const each of Array.isArray(message.tool_calls) ? message.tool_calls : []) takeCall(each, parts)
  const known = ['role', 'content', 'tool_calls', ...(refusal === undefined ? [] : ['refusal'])]
  noteOthers(message, known, 'the message', parts.lost)
  return { role: roleOf(stored), ...parts }
}

function takePart(part: JsonObject, { pieces, lost }: Parts): void {
  const { type, image_url: image } = part
  const text = textAt(part, type === 'refusal' ? 'refusal' : 'text')
  const url = textAt(image, 'url')
  if ((type === 'text' || type === 'refusal') && text !== undefined) {
    pieces.push({ kind: 'text', text, ...(type === 'refusal' ? { refusal: true } : {}) })
    noteOthers(part, ['type', String(type)], 'a text', lost)
  } else if (type === 'image_url' && isObject(image) && url !== undefined) {
    const { detail } = image
    pieces.push({ kind: 'image', url, ...(detail === undefined ? {} : { detail }) })
    noteOthers(part, ['type', 'image_url'], 'an image', lost)
    noteOthers(image, ['url', 'detail'], 'an image', lost)
  } else noteUnknown(part, lost)
}

function takeCall(call: Json, { pieces, lost }: Parts): void {
  if (!isObject(call)) return
  const { id, function: called, custom } = call
  const isCustom = !isObject(called)
  const tool = isCustom ? custom : called
  const name = textAt(tool, 'name')
  if (typeof id !== 'string' || name === undefined || !isObject(tool)) {
    lost.push('a tool call that is incomplete')
    return
  }
  const argument = isCustom ? 'input' : 'arguments'
  const given = tool[argument] ?? ''
  const input = typeof given === 'string' ? given : JSON.stringify(given)
  pieces.push({ kind: 'call', id, name, input, ...(isCustom ? { custom: true } : {}) })
  noteOthers(call, ['id', 'type', isCustom ? 'custom' : 'function'], 'a tool call', lost)
  noteOthers(tool, ['name', argument], 'a tool call', lost)
}
