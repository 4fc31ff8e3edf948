import type { Stretch } from '../../domain/conversations/facts.ts'
import { textOf } from '../../domain/conversations/forms/text.ts'
import type { Entry } from '../../domain/conversations/reading.ts'
import type { Messages } from '../../domain/conversations/shown.ts'
import { visibility } from '../../domain/conversations/visible/stretches.ts'
import { isoTime } from '../../domain/log/identity.ts'
import type { Json, JsonObject } from '../../json/value.ts'

const roles: Readonly<Record<string, string>> = {
  system_message: 'system',
  user_message: 'user',
  assistant_message: 'assistant',
  tool_result: 'tool',
}

/** Events as they are, with what has become of them. */
export function rawOf(entries: readonly Entry[], visible: readonly Stretch[], { messages }: Messages): Json[] {
  const isVisible = visibility(visible)
  const whole = new Map(messages.map((each) => [each.seq, each.message]))
  return entries.map(({ version, seq, type, at, no, data }) => ({
    sequence_number: version,
    seq,
    type,
    at: isoTime(at ?? 0),
    data: data?.message === undefined ? data : { ...data, message: whole.get(seq) ?? data.message },
    ...(isVisible(no, version) ? {} : { hidden: true }),
  }))
}

/** The conversation for people: what was said, and marks of what was done to it. */
export function plainOf(entries: readonly Entry[], visible: readonly Stretch[], { messages }: Messages): Json[] {
  const isVisible = visibility(visible)
  const shown = new Map(messages.map((each) => [each.seq, each]))
  return entries.flatMap(({ version, seq, type, at, no, data }): Json[] => {
    const message = shown.get(seq)
    const hidden = isVisible(no, version) ? {} : { hidden: true }
    const line = { sequence_number: version, at: isoTime(at ?? 0), ...hidden }
    if (message !== undefined && message.summary !== true) {
      const call = message.call === undefined ? {} : { tool_call_id: message.call }
      return [{ ...line, role: roles[type] ?? type, content: textOf(message), ...call }]
    }
    const mark = markOf(type, data)
    // A mark is no message, and so is never hidden itself.
    return mark === undefined ? [] : [{ sequence_number: version, at: isoTime(at ?? 0), role: 'mark', ...mark }]
  })
}

function markOf(type: string, data: JsonObject | null): { content: string; summary?: string } | undefined {
  if (type === 'tool_call') return undefined
  if (data === null) return { content: 'a message whose content is not here' }
  if (type === 'context_rewound') return { content: `rewound to ${data.to}` }
  if (type === 'context_copied') return { content: `copied from session ${data.from}, up to ${data.upto}` }
  if (type !== 'context_compacted') return undefined
  return { content: `${data.from} to ${data.upto} were compacted`, summary: String(data.summary) }
}
