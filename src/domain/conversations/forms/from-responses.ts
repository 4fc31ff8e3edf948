import type { Json, JsonObject } from '../../../json/value.ts'
import type { Stored } from '../stored.ts'
import { holdsItems } from './detect.ts'
import { blocksOf, textAt, typeOf } from './members.ts'
import { type Normal, noteOthers, noteUnknown, type Parts, roleOf } from './normal.ts'

export function normalOfResponses(stored: Stored): Normal {
  const { type, message, call } = stored
  const parts: Parts = { pieces: [], lost: [] }
  if (type === 'tool_result') {
    takeContent(message.output, parts)
    noteOthers(message, ['type', 'call_id', 'output'], 'a tool result', parts.lost)
    return { role: 'tool', ...parts, call: call ?? '' }
  }
  if (type === 'assistant_message' && holdsItems(message.content)) {
    for (const item of blocksOf(message.content)) takeItem(item, parts)
    noteOthers(message, ['role', 'content'], 'the message', parts.lost)
  } else takeMessage(message, parts)
  return { role: roleOf(stored), ...parts }
}

function takeMessage(message: JsonObject, parts: Parts): void {
  takeContent(message.content, parts)
  noteOthers(message, ['type', 'role', 'content'], 'the message', parts.lost)
}

function takeItem(item: JsonObject, parts: Parts): void {
  const { pieces, lost } = parts
  const { type, call_id: id, name } = item
  if (type === 'message' || (type === undefined && item.role !== undefined)) takeMessage(item, parts)
  else if (type === 'reasoning') lost.push('reasoning')
  else if (typeof id === 'string' && typeof name === 'string' && isFunction(item)) {
    const argument = type === 'custom_tool_call' ? 'input' : 'arguments'
    const given = item[argument] ?? ''
    const input = typeof given === 'string' ? given : JSON.stringify(given)
    pieces.push({ kind: 'call', id, name, input, ...(type === 'custom_tool_call' ? { custom: true } : {}) })
    noteOthers(item, ['type', 'call_id', 'name', argument], 'a tool call', lost)
  } else if (typeof id === 'string' && typeOf(item).endsWith('_call')) {
    // A call of a tool that only this provider defines: its result has to stand behind a call all the same.
    const { type: _, call_id: __, id: ___, status: ____, ...input } = item
    pieces.push({ kind: 'call', id, name: typeOf(item).slice(0, -'_call'.length), input: JSON.stringify(input) })
    noteOthers({ id: item.id ?? null, status: item.status ?? null }, [], 'a tool call', lost)
  } else noteUnknown(item, lost)
}

function isFunction({ type }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

function takeContent(content: Json | undefined, parts: Parts): void {
  if (typeof content === 'string') parts.pieces.push({ kind: 'text', text: content })
  else if (Array.isArray(content)) for (const part of blocksOf(content)) takePart(part, parts)
  // What a provider's own tool answers may be an object.
  else if (content !== undefined && content !== null) parts.pieces.push({ kind: 'text', text: JSON.stringify(content) })
}

function takePart(part: JsonObject, { pieces, lost }: Parts): void {
  const type = typeOf(part)
  const text = textAt(part, type === 'refusal' ? 'refusal' : 'text')
  const url = textAt(part, 'image_url')
  if (/^(?:input_text|output_text|text|refusal)$/.test(type) && text !== undefined) {
    pieces.push({ kind: 'text', text, ...(type === 'refusal' ? { refusal: true } : {}) })
    noteOthers(part, ['type', type === 'refusal' ? 'refusal' : 'text'], 'a text', lost)
  } else if (type === 'input_image' && url !== undefined) {
    const { detail } = part
    pieces.push({ kind: 'image', url, ...(detail === undefined ? {} : { detail }) })
    noteOthers(part, ['type', 'image_url', 'detail'], 'an image', lost)
  } else noteUnknown(part, lost)
}
