import type { FeedEvent } from '../../../domain/log/event.ts'
import { stateStream } from '../../../domain/state/facts.ts'
import type { KeyChange } from '../../../domain/state/past/changes.ts'
import type { Json } from '../../../json/value.ts'

/** What can be told of an event, in this order. */
export const messageTypes = [
  'event',
  'state_event',
  'state_key_updated',
  'state_key_deleted',
  'state_reset',
  'state_updated',
] as const

type MessageType = (typeof messageTypes)[number]

/** Something that is told to a reader of the feed. */
export interface Message {
  readonly type: MessageType
  readonly text: string
}

/** An event of the log as it is told: once as it is, and in the words of those who only want to know of shared state. */
export interface Told {
  readonly seq: number
  readonly event: FeedEvent
  readonly messages: readonly Message[]
  /** How long they are together. */
  readonly bytes: number
  /** Not only the event itself, where there is more to be said. */
  readonly isWhole: boolean
}

type Words = { type: MessageType; [name: string]: Json }

/** Whether there is more to be said of an event than the event itself. */
export function isOfState({ stream }: FeedEvent): boolean {
  return stream === stateStream
}

/** The event as it is. */
export function tell(event: FeedEvent): Told {
  return toldOf(event, [plainEvent(event)], !isOfState(event))
}

/** A change of shared state in all words; `changed` has the keys, where they can be told one by one. */
export function tellChange(event: FeedEvent, changed: readonly KeyChange[] | undefined): Told {
  const words = [plainEvent(event), stateEvent(event), ...keyMessages(event, changed), stateUpdated(event, changed)]
  return toldOf(event, words, true)
}

function toldOf(event: FeedEvent, words: readonly Words[], isWhole: boolean): Told {
  const { seq } = event
  const messages = words.map((each) => ({ type: each.type, text: JSON.stringify({ ...each, seq }) }))
  return { seq, event, messages, bytes: messages.reduce((sum, { text }) => sum + text.length, 0), isWhole }
}

function plainEvent(event: FeedEvent): Words {
  return { type: 'event', root_session_id: event.root_session_id, event: { ...event } }
}

function stateEvent(event: FeedEvent): Words {
  const { root_session_id, version: sequence, session_id, at: timestamp } = event
  return {
    type: 'state_event',
    root_session_id,
    event: { ...(event.data === null ? absent(event) : (event.data as Words)), type: event.type, key: event.key },
    sequence,
    session_id,
    timestamp,
  }
}

/** What is said in the place of data that are not here. */
function absent({ body = 'elsewhere' }: FeedEvent): { [name: string]: Json } {
  return { data: null, body }
}

function keyMessages(event: FeedEvent, changed: readonly KeyChange[] | undefined): Words[] {
  // What never came here has changed nothing here.
  if (event.data === null) return []
  if (changed === undefined) return [{ type: 'state_reset', ...common(event), version: event.version }]
  const by = event.session_id
  return changed.map((change) => {
    if (!('deleted' in change)) return { type: 'state_key_updated', ...common(event), ...change, updated_by: by }
    const { deleted: _, ...gone } = change
    return { type: 'state_key_deleted', ...common(event), ...gone, deleted_by: by }
  })
}

function stateUpdated(event: FeedEvent, changed: readonly KeyChange[] | undefined): Words {
  const words: Words = { type: 'state_updated', ...common(event), version: event.version }
  if (event.data === null || changed === undefined) return { ...words, patch_omitted: true }
  const shown = changed.filter((change) => !('value_omitted' in change))
  return {
    ...words,
    patch: Object.fromEntries(shown.map((change) => [change.key, 'value' in change ? change.value : null])),
    deleted: changed.filter((change) => 'deleted' in change).map(({ key }) => key),
    omitted: changed.filter((change) => 'value_omitted' in change).map(({ key }) => key),
  }
}

function common({ root_session_id, session_id: changed_by, at: timestamp }: FeedEvent) {
  return { root_session_id, changed_by, timestamp }
}
