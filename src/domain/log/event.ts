import { hash } from 'node:crypto'
import type { PatchOperation } from '../../json/patch-operation.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import type { Status } from '../sessions/lifecycle.ts'
import type { CounterAdd } from '../state/crdt/counter.ts'
import type { SetAdd, SetRemove } from '../state/crdt/or-set.ts'
import type { RegisterSet } from '../state/crdt/register.ts'
import type { Lapse } from '../state/expiry.ts'
import { isoTime } from './identity.ts'
import type { EventRow } from './tables.ts'

/** What can happen below a root. A body once released is never changed: a new meaning is a new type. */
export type Fact =
  | { type: 'session_created'; data: SessionCreated }
  | { type: 'status_changed'; data: { from: Status; to: Status; reason?: string } }
  | { type: 'init'; data: { payload: JsonObject } }
  | { type: 'full_replace'; data: { payload: JsonObject } }
  | { type: 'set'; key: string; data: { value: Json } & Lapse }
  | { type: 'lapsed'; key: string; data: { reason: 'expired'; expires_at: number } | { reason: 'session_ended' } }
  | { type: 'delete'; key: string; data: Record<string, never> }
  | { type: 'increment'; key: string; data: { delta: number } }
  | { type: 'append'; key: string; data: { items: Json[] } }
  | { type: 'patch'; key: string; data: { patch: JsonObject } }
  | { type: 'json_patch'; key: string; data: { operations: readonly PatchOperation[] } }
  | { type: 'min'; key: string; data: { value: number } }
  | { type: 'max'; key: string; data: { value: number } }
  | { type: 'counter_add'; key: string; data: CounterAdd }
  | { type: 'set_add'; key: string; data: SetAdd }
  | { type: 'set_remove'; key: string; data: SetRemove }
  | { type: 'register_set'; key: string; data: RegisterSet }
  | { type: 'schema_set'; data: { target: string; prefix: boolean; schema: Json } }
  | { type: 'schema_deleted'; data: { target: string; prefix: boolean } }
  | { type: 'lease_claimed'; data: { name: string; token: number; holder: string; ttl_ms: number } }
  | { type: 'lease_lost'; data: { name: string; token: number } }
  | { type: 'lease_released'; data: { name: string; token: number } }

/** Never holds a session's global id: a fork has the same events and other ids. */
export interface SessionCreated {
  no: number
  parent: number | null
  status: Status
  topic: string
  type: string
  name?: string
  objective?: string
  description?: string
  strategy?: string
  project?: string
  metadata?: JsonObject
  initial_state?: JsonObject
}

/** A fact on its way into the log. */
export type Draft = Fact & { stream: string }

/** A fact with its place in the log: what views are made from. */
export type Event = Fact & Pick<EventRow, 'root' | 'seq' | 'id' | 'session_no' | 'stream' | 'version' | 'at' | 'hash'>

export const stateStream = 'state'
export const leaseStream = 'lease'
/** A stream of its own: the version of the state does not move when a schema does. */
export const schemaStream = 'schema'

export function sessionStream(no: number): string {
  return `session/${no}`
}

/** Each event's hash covers the one before it, so that a changed, missing or moved event is found. */
export const firstHash = ''

export function digestOf(data: string): string {
  return hash('sha256', data, 'hex')
}

type Header = Omit<EventRow, 'hash' | 'data' | 'digest'>

/**
 * H(previous hash, header, H(data)). The body enters by its digest, so that it can be erased and the chain still holds.
 * The text is a JSON array: no two different headers have the same text.
 */
export function chainHash(previous: string, event: Header, digest: string): string {
  const header = [
    previous,
    event.root,
    event.seq,
    event.id,
    event.session_no,
    event.stream,
    event.version,
    event.key,
    event.type,
    event.actor,
    event.at,
    event.request,
    event.cause,
    digest,
  ]
  return hash('sha256', JSON.stringify(header), 'hex')
}

/** An event as views are made from it. */
export function eventWith(row: EventRow, data: Fact['data']): Event {
  const { root, seq, id, session_no, stream, version, type, key, at, hash } = row
  return { root, seq, id, session_no, stream, version, type, key, at, hash, data } as Event
}

/** Reads a stored event back. Only for rows whose body is still there. */
export function eventOf(row: EventRow & { data: string }): Event {
  return eventWith(row, JSON.parse(row.data))
}

/** An event as a feed brings it: one feed may bring events of several roots. */
export type FeedEvent = ReturnType<typeof showEvent> & { readonly root_session_id: string }

/** How an event is shown everywhere; `by` is the id of the session it came from. */
export function showEvent(row: EventRow & { by: string | null }) {
  return {
    seq: row.seq,
    id: row.id,
    session_no: row.session_no,
    session_id: row.by,
    stream: row.stream,
    version: row.version,
    key: row.key,
    type: row.type,
    data: row.data === null ? null : (JSON.parse(row.data) as Json),
    actor: row.actor,
    at: isoTime(row.at),
    request: row.request,
    cause: row.cause === null ? null : (JSON.parse(row.cause) as Json),
    hash: row.hash,
  }
}
