import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { ContextEvent } from './repository.ts'

/** Refuses to cut a conversation inside one message of the provider, or between the call of a tool and its result. */
export function refuseBadCut(events: readonly ContextEvent[], upTo: number | undefined): void {
  if (upTo === undefined) return
  const at = events.findIndex(({ sequenceNumber }) => sequenceNumber > upTo)
  const end = at < 0 ? -1 : endOfTurn(events, at)
  if (end < 0) return
  const before = startOfTurn(events, at)
  const nearest = [(events[before]?.sequenceNumber ?? 1) - 1, events[end]?.sequenceNumber ?? upTo]
  const message = `Point ${upTo} lies inside a message, or between a tool call and its result.`
  throw new CairnRefusal(refuse('bad_cut', message, `Name ${nearest.join(' or ')}.`, { point: upTo, nearest }))
}

function isRest({ eventType, joined }: ContextEvent): boolean {
  return eventType === 'tool_call' || eventType === 'tool_result' || joined === true
}

/** The last event of the turn that an event goes on with; -1 where it begins one. */
function endOfTurn(events: readonly ContextEvent[], at: number): number {
  if (!isRest(events[at] as ContextEvent)) return -1
  let end = at
  while (events[end + 1] !== undefined && isRest(events[end + 1] as ContextEvent)) end++
  return end
}

function startOfTurn(events: readonly ContextEvent[], at: number): number {
  let start = at
  while (start > 0 && isRest(events[start] as ContextEvent)) start--
  return start
}

/** A conversation that is copied onto itself would grow by what it is. */
export function refuseSame(source: string, target: string): void {
  if (source !== target) return
  const hint = 'Name another instance, or make one with createInstance.'
  throw new CairnRefusal(refuse('invalid_input', 'A conversation cannot be copied onto itself.', hint))
}
