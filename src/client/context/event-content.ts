import { normalOf } from '../../domain/conversations/forms/text.ts'
import type { Form, Stored } from '../../domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import type { ContextEvent, ContextEventType } from './repository.ts'

/** An event as `context.show` answers it with the format raw. */
export interface RawEvent {
  readonly sequence_number: number
  readonly type: string
  readonly at: string
  readonly data: (JsonObject & { message?: JsonObject }) | null
}

const roles: Readonly<Record<string, string>> = {
  system_message: 'system',
  user_message: 'user',
  assistant_message: 'assistant',
  tool_result: 'tool',
}

/** The message that an event is recorded as. */
export function messageOf(
  eventType: ContextEventType,
  content: JsonObject,
  toolCallId: string | undefined,
): JsonObject {
  if (eventType === 'context_compacted') return { role: 'user', content: content.summary ?? '' }
  if (eventType === 'tool_call') return { role: 'assistant', content: null, tool_calls: [content] }
  // The block or item of a provider is a message as it is.
  if (typeof content.type === 'string' && eventType === 'tool_result') {
    return content.type === 'tool_result' ? { role: 'user', content: [content] } : content
  }
  const call = toolCallId ?? content.tool_call_id
  return { role: roles[eventType] ?? 'user', ...content, ...(call !== undefined && { tool_call_id: call }) }
}

/** An event as it is given to whoever reads them; none where its body is elsewhere, or it says nothing. */
export function eventOf(
  { sequence_number: sequenceNumber, type, at: createdAt, data }: RawEvent,
  whole: ReadonlyMap<number, JsonObject>,
  stored: Map<number, Stored>,
): ContextEvent[] {
  if (data === null) return []
  const event = { sequenceNumber, createdAt }
  if (type === 'context_compacted') {
    const { summary = '', from = 0, upto = 0 } = data
    return [{ ...event, eventType: type, content: { summary, from, upto } }]
  }
  if (type === 'tool_call') return [{ ...event, eventType: type, ...callOf(data, stored) }]
  if (roles[type] === undefined) return []
  const { form, call, joined, outcome } = data as { form?: Form; call?: string; joined?: true; outcome?: 'unknown' }
  const content = whole.get(sequenceNumber) ?? data.message ?? {}
  const eventType = type as Stored['type']
  stored.set(sequenceNumber, { type: eventType, message: content, ...(form && { form }) })
  return [
    {
      ...event,
      eventType,
      content,
      ...(form && { form }),
      ...(call !== undefined && { toolCallId: call }),
      ...(joined && { joined }),
      ...(outcome && { outcome }),
    },
  ]
}

/** A call with its arguments, which stand in the message. */
function callOf(
  { call, name = '', in: version }: { [member: string]: Json | undefined },
  stored: ReadonlyMap<number, Stored>,
): { content: JsonObject; toolCallId: string } {
  const message = stored.get(Number(version))
  const pieces = message === undefined ? [] : normalOf(message).pieces
  const piece = pieces.find((each) => each.kind === 'call' && each.id === call)
  const given = piece?.kind === 'call' ? piece.input : ''
  return { content: { id: String(call), name, arguments: given }, toolCallId: String(call) }
}
