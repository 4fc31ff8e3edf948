import type { Json } from '../../json/value.ts'
import { sha256 } from '../hashing/hashing.ts'
import { isoTime } from './identity.ts'
import type { EventRow } from './tables.ts'

/** Each part adds its facts here, under its name. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the parts.
export interface FactsOfParts {}

/** What can happen below a root. A body once released is never changed: a new meaning is a new type. */
export type Fact = FactsOfParts[keyof FactsOfParts]

/** A fact on its way into the log. */
export type Draft = Fact & { stream: string }

/** A fact with its place in the log: what views are made from. */
export type Event = Fact & Pick<EventRow, 'root' | 'seq' | 'id' | 'session_no' | 'stream' | 'version' | 'at' | 'hash'>

/** Each event's hash covers the one before it, so that a changed, missing or moved event is found. */
export const firstHash = ''

export function digestOf(data: string): string {
  return sha256(data)
}

type Header = Omit<EventRow, 'root' | 'hash' | 'data' | 'digest'>

/**
 * H(previous hash, header, H(data)). The body enters by its digest, so that it can be erased and the chain still holds.
 * The text is a JSON array: no two different headers have the same text. The root is not in it: another root can adopt the chain.
 */
export function chainHash(previous: string, event: Header, digest: string): string {
  const header = [
    previous,
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
  return sha256(JSON.stringify(header))
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

/** An event as it is read to be shown: with the id of the session it came from, and up to where bodies of its stream were removed. */
export type EventToShow = EventRow & { by: string | null; base: number | null }

/** Where the body of an event is that is not here: removed by upkeep, or never brought along. */
export function absenceOf({ seq, base }: Pick<EventToShow, 'seq' | 'base'>): 'removed' | 'elsewhere' {
  return seq <= (base ?? 0) ? 'removed' : 'elsewhere'
}

/** An event as it is shown everywhere. */
export type ShownEvent = {
  /** Its place in the log of its root. */
  seq: number
  id: string
  session_no: number
  /** The session that it came from. */
  session_id: string | null
  stream: string
  /** Its place in its stream. */
  version: number
  /** The key of the state that it is about, if it is about one. */
  key: string | null
  type: string
  /** What happened; null where that is not here any more. */
  data: Json
  /** Why there is no data. */
  body?: 'removed' | 'elsewhere'
  /** The hash of the data that is not here. */
  digest?: string | null
  actor: string
  /** When, in ISO 8601. */
  at: string
  /** The request id of the call that made it. */
  request: string | null
  /** The run, tool call or other event that it came from. */
  cause: Json
  /** Covers this event and the hash of the one before. */
  hash: string
}

/** An event as a feed brings it: one feed may bring events of several roots. */
export type FeedEvent = ShownEvent & { readonly root_session_id: string }

/** `by` is the id of the session it came from. */
export function showEvent(row: EventToShow): ShownEvent {
  const data = row.data === null ? null : (JSON.parse(row.data) as Json)
  return {
    seq: row.seq,
    id: row.id,
    session_no: row.session_no,
    session_id: row.by,
    stream: row.stream,
    version: row.version,
    key: row.key,
    type: row.type,
    data,
    ...(row.data === null ? { body: absenceOf(row), digest: row.digest } : {}),
    actor: row.actor,
    at: isoTime(row.at),
    request: row.request,
    cause: row.cause === null ? null : (JSON.parse(row.cause) as Json),
    hash: row.hash,
  }
}
