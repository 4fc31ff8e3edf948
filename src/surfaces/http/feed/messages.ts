import type { FeedEvent } from '../../../domain/log/event.ts'
import { byteLength, type Json } from '../../../json/value.ts'

/** A value up to this size goes along with the message that it changed; a larger one is read by whoever wants it. */
const valueBytesMax = 4096

/** Something that is told to a reader of the feed. */
export interface Message {
  readonly type: string
  readonly text: string
}

/** An event of the log as it is told: once as it is, and in the words of those who only want to know of shared state. */
export interface Told {
  readonly seq: number
  readonly event: FeedEvent
  readonly messages: readonly Message[]
  /** How long they are together. */
  readonly bytes: number
}

/** What an event made of a key: its version, and its value unless it is gone. */
export interface After {
  readonly version: number
  readonly value?: Json
}

export type ReadAfter = (event: FeedEvent & { key: string }) => Promise<After | undefined>

type Words = { type: string; [name: string]: Json }

export async function tell(event: FeedEvent, readAfter: ReadAfter): Promise<Told> {
  const { root_session_id, seq } = event
  const told: Words[] = [{ type: 'event', root_session_id, event: { ...event } }]
  if (event.stream === 'state') {
    told.push(stateEvent(event), ...(event.key === null ? [stateUpdated(event)] : await keyMessages(event, readAfter)))
  }
  const messages = told.map((each) => ({ type: each.type, text: JSON.stringify({ ...each, seq }) }))
  return { seq, event, messages, bytes: messages.reduce((sum, { text }) => sum + text.length, 0) }
}

function stateEvent(event: FeedEvent) {
  const { root_session_id, version: sequence, session_id } = event
  return {
    type: 'state_event',
    root_session_id,
    event: { ...(event.data === null ? absent(event) : (event.data as Words)), type: event.type, key: event.key },
    sequence,
    session_id,
  }
}

/** What is said in the place of data that are not here. */
function absent({ body = 'elsewhere' }: FeedEvent): { [name: string]: Json } {
  return { data: null, body }
}

function stateUpdated(event: FeedEvent) {
  const { root_session_id, version, session_id: changed_by, at: timestamp } = event
  const { payload = {} } = (event.data ?? {}) as { payload?: Json }
  const patch = event.data === null ? { patch_omitted: true } : sized('patch', payload)
  return { type: 'state_updated', root_session_id, version, changed_by, timestamp, ...patch }
}

async function keyMessages(event: FeedEvent, readAfter: ReadAfter): Promise<Words[]> {
  const { root_session_id, session_id, at: timestamp } = event
  const key = event.key as string
  const after = await readAfter({ ...event, key })
  const document = { type: 'state_updated', root_session_id, version: event.version, changed_by: session_id, timestamp }
  if (after === undefined) return [{ ...document, patch_omitted: true }]
  const { value, version } = after
  const common = { root_session_id, key, version, changed_by: session_id, timestamp }
  if (value === undefined) {
    return [
      { type: 'state_key_deleted', ...common, deleted_by: session_id },
      { ...document, patch: { [key]: null } },
    ]
  }
  const updated = { type: 'state_key_updated', ...common, updated_by: session_id, ...sized('value', value) }
  return [updated, { ...document, ...sized('patch', { [key]: value }) }]
}

function sized(name: 'value' | 'patch', value: Json): { [name: string]: Json } {
  return byteLength(JSON.stringify(value)) > valueBytesMax ? { [`${name}_omitted`]: true } : { [name]: value }
}
