import type { Json, JsonObject } from '../../../json/value.ts'
import type { Stored } from '../stored.ts'
import { blocksOf, isObject, textAt } from './members.ts'
import { type Normal, noteOthers, noteUnknown, type Parts, roleOf } from './normal.ts'

export function normalOfAnthropic(stored: Stored): Normal {
  const { message, call } = stored
  const parts: Parts = { pieces: [], lost: [] }
  takeContent(message.content, parts)
  if (stored.type !== 'tool_result') {
    noteOthers(message, ['role', 'content'], 'the message', parts.lost)
    return { role: roleOf(stored), ...parts }
  }
  noteOthers(message, ['type', 'tool_use_id', 'content', 'is_error'], 'a tool result', parts.lost)
  return { role: 'tool', ...parts, call: call ?? '', isError: message.is_error === true }
}

function takeContent(content: Json | undefined, parts: Parts): void {
  if (typeof content === 'string') parts.pieces.push({ kind: 'text', text: content })
  for (const block of blocksOf(content)) takeBlock(block, parts)
}

function takeBlock(block: JsonObject, { pieces, lost }: Parts): void {
  const { type, id, name, input } = block
  const text = textAt(block, 'text')
  if (type === 'text' && text !== undefined) {
    pieces.push({ kind: 'text', text })
    noteOthers(block, ['type', 'text'], 'a block of text', lost)
    return
  }
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') {
    pieces.push({ kind: 'call', id, name, input: JSON.stringify(input ?? {}) })
    noteOthers(block, ['type', 'id', 'name', 'input'], 'a tool call', lost)
    return
  }
  const url = type === 'image' ? urlOf(block.source) : undefined
  if (url !== undefined) {
    pieces.push({ kind: 'image', url })
    noteOthers(block, ['type', 'source'], 'an image', lost)
    return
  }
  // Thinking counts only with its signature, which no other provider can check.
  if (type === 'thinking') lost.push('thinking and its signature')
  else if (type === 'redacted_thinking') lost.push('redacted thinking')
  else noteUnknown(block, lost)
}

function urlOf(source: Json | undefined): string | undefined {
  if (!isObject(source)) return undefined
  const { type, media_type: media, data } = source
  if (type === 'url') return textAt(source, 'url')
  const isInline = type === 'base64' && typeof media === 'string' && typeof data === 'string'
  return isInline ? `data:${media};base64,${data}` : undefined
}
