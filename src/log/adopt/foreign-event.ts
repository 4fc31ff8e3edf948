import { chainHash, digestOf } from '../../domain/log/event.ts'
import type { Part, Parts } from '../../domain/log/part.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { EventRow } from '../../domain/log/tables.ts'
import type { Json, JsonObject } from '../../json/value.ts'

/** An event of another store, as it is kept: everything but the number that its root has there. */
export type ForeignEvent = Omit<EventRow, 'root'>

/** Reads an event as logs show them. */
export function readForeign(given: JsonObject, at: number): ForeignEvent | Refusal {
  const { data = null, cause = null, at: time } = given
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  const row = {
    ...(given as unknown as ForeignEvent),
    key: (given.key ?? null) as string | null,
    request: (given.request ?? null) as string | null,
    data: data === null ? null : JSON.stringify(data),
    cause: cause === null ? null : JSON.stringify(cause),
    at: ms,
    digest: data === null ? ((given.digest ?? null) as string | null) : null,
  }
  const wrong = kinds.find(([member, kind]) => !isOf(kind, row[member] as Json))
  if (wrong !== undefined || Number.isNaN(ms)) return unlike(at, wrong?.[0] ?? 'at')
  const { seq, id, session_no, stream, version, key, type, actor, request, hash, digest } = row
  return {
    seq,
    id,
    session_no,
    stream,
    version,
    key,
    type,
    data: row.data,
    actor,
    at: ms,
    request,
    cause: row.cause,
    hash,
    digest,
  }
}

type Kind = 'place' | 'number' | 'text' | 'name' | 'hex'

const kinds: readonly (readonly [keyof ForeignEvent, Kind])[] = [
  ['seq', 'place'],
  ['id', 'hex'],
  ['session_no', 'number'],
  ['stream', 'text'],
  ['version', 'place'],
  ['key', 'name'],
  ['type', 'text'],
  ['actor', 'text'],
  ['request', 'name'],
  ['hash', 'hex'],
]

function isOf(kind: Kind, value: Json): boolean {
  if (kind === 'place') return Number.isSafeInteger(value) && (value as number) > 0
  if (kind === 'number') return Number.isSafeInteger(value) && (value as number) >= 0
  if (kind === 'name') return value === null || typeof value === 'string'
  return typeof value === 'string' && (kind === 'text' ? value !== '' : /^(?:[0-9a-f]{2})+$/.test(value))
}

function unlike(at: number, member: string): Refusal {
  const message = `events[${at}] has no valid ${member}.`
  return refuse('invalid_input', message, 'Give events as `cairn log --json` shows them.', {
    path: `events[${at}].${member}`,
  })
}

/** What is seen of the event before: where it stands, and its hash. */
export interface Before {
  readonly seq: number
  readonly hash: string
}

/** The first event that does not come right after the one before it. */
export function gapIn(foreign: readonly ForeignEvent[]): Refusal | undefined {
  const at = foreign.findIndex((event, at) => at > 0 && event.seq !== (foreign[at - 1] as ForeignEvent).seq + 1)
  if (at < 0) return undefined
  return broken((foreign[at] as ForeignEvent).seq, `follows ${(foreign[at - 1] as ForeignEvent).seq}: there is a gap`)
}

/** Whether an event that is here already is what its hash says; its body may have been removed where it comes from. */
export function checkKnown(event: ForeignEvent, before: Before): Refusal | undefined {
  if (event.data === null || chainHash(before.hash, event, digestOf(event.data)) === event.hash) return undefined
  return broken(event.seq, 'does not fit its hash')
}

/** Whether an event is what its hash says when it comes after another, and is known to this program. */
export function checkForeign(parts: Parts, event: ForeignEvent, before: Before): Refusal | undefined {
  const { seq, type, stream, data, digest } = event
  const part = parts.owner(stream)
  if (part === undefined || !parts.evolve.has(type)) return unknown(event)
  if (data === null && (digest === null || !mayBeAbsent(part))) return withoutBody(seq)
  return fits(event, before) ? undefined : broken(seq, 'does not fit its hash')
}

/** Whether an event was made after another. */
export function fits(event: ForeignEvent, before: Before): boolean {
  const { data, digest } = event
  if (event.seq !== before.seq + 1 || (data === null && digest === null)) return false
  return chainHash(before.hash, event, data === null ? (digest as string) : digestOf(data)) === event.hash
}

function mayBeAbsent({ bodies }: Part): boolean {
  return bodies === 'may be absent'
}

function unknown({ seq, type }: ForeignEvent): Refusal {
  const message = `Event ${seq} is of the type ${JSON.stringify(type)}, which this program does not know.`
  return refuse('store_too_new', message, 'Use the newer program that wrote it.', { seq, type })
}

function withoutBody(seq: number): Refusal {
  const message = `The body of event ${seq} was removed where it was written (erase or compact), so this history cannot be adopted.`
  const hint =
    'Adopt it from a store or a backup that still has all of it, or move the whole store with cairn backup and restore.'
  return refuse('invalid_input', message, hint, { seq })
}

export function broken(seq: number, what: string): Refusal {
  const hint =
    'The history was cut or changed on its way: get it again from where it was written. Nothing was taken in.'
  return refuse('invalid_input', `Event ${seq} ${what}.`, hint, { seq })
}
