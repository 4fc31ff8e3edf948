import type { ContextEvent } from '../../client/context/repository.ts'
import { inputIn, type ToolCalled } from '../model/turn.ts'

/** Where a conversation stands. */
export interface Tail {
  /** The calls of the last message that have no result. */
  readonly open: readonly ToolCalled[]
  /** Whether the last message is an answer that asks for nothing more. */
  readonly isAnswered: boolean
  /** All ids of calls so far. */
  readonly callIds: ReadonlySet<string>
}

export function tailOf(events: readonly ContextEvent[]): Tail {
  const callIds = new Set(events.flatMap((each) => (each.eventType === 'tool_call' ? [each.toolCallId ?? ''] : [])))
  const at = events.findLastIndex(({ eventType }) => eventType === 'assistant_message')
  const after = at < 0 ? [] : events.slice(at + 1)
  const isLast = at >= 0 && after.every(({ eventType }) => eventType === 'tool_call' || eventType === 'tool_result')
  if (!isLast) return { open: [], isAnswered: false, callIds }
  const calls = after.filter(({ eventType }) => eventType === 'tool_call')
  const done = new Set(after.flatMap((each) => (each.eventType === 'tool_result' ? [each.toolCallId] : [])))
  const open = calls.filter(({ toolCallId }) => !done.has(toolCallId)).map(calledIn)
  return { open, isAnswered: calls.length === 0, callIds }
}

function calledIn({ content, toolCallId = '' }: ContextEvent): ToolCalled {
  const given = content.arguments
  return {
    id: toolCallId,
    name: String(content.name),
    input: inputIn(typeof given === 'string' ? given : JSON.stringify(given ?? {})),
  }
}
