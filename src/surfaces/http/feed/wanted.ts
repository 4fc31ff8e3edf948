import type { FeedEvent } from '../../../domain/log/event.ts'
import { isOfState, type Told } from './messages.ts'

/** What a reader wants to be told. */
export interface Wanted {
  /** The number of the only session whose doing is wanted. */
  readonly only?: number | undefined
  readonly stream?: string | undefined
  /** Types of messages, and of events of which all messages are wanted. */
  readonly types?: readonly string[] | undefined
}

export function textsFor({ event, messages }: Told, wanted: Wanted): string[] {
  if (!isAbout(event, wanted)) return []
  const { types } = wanted
  const all = types === undefined || types.includes(event.type)
  return messages.filter(({ type }) => all || types.includes(type)).map(({ text }) => text)
}

/** Whether more is wanted of this event than the event itself. */
export function needsWhole(event: FeedEvent, wanted: Wanted): boolean {
  if (!isOfState(event) || !isAbout(event, wanted)) return false
  const { types } = wanted
  return types === undefined || types.includes(event.type) || types.some((type) => type.startsWith('state_'))
}

/** Whether that may be so of any event. */
export function mayNeedWhole({ types }: Wanted): boolean {
  return types === undefined || types.some((type) => type !== 'event')
}

function isAbout(event: FeedEvent, { only, stream }: Wanted): boolean {
  return (only === undefined || event.session_no === only) && (stream === undefined || event.stream === stream)
}
