import { chainHash, digestOf } from '../../domain/log/event.ts'
import { object, optional, text } from '../../domain/log/input-schema.ts'
import { readInstant } from '../../domain/log/instant.ts'
import type { Part, Parts } from '../../domain/log/part.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { EventRow } from '../../domain/log/tables.ts'
import { hasControls } from '../../domain/log/text/plain-text.ts'
import { quoted } from '../../json/refusals.ts'
import type { Json, JsonObject } from '../../json/value.ts'

/** An event of another store, as it is kept: everything but the number that its root has there. */
export type ForeignEvent = Omit<EventRow, 'root'>

/** Reads an event as logs show them. */
export function readForeign(given: JsonObject, at: number): ForeignEvent | Refusal {
  const { data = null, cause = null, at: time } = given
  const read = typeof time === 'string' ? readInstant(time) : undefined
  // Before 1970 there was no Cairn, and ids of sessions count from there.
  const ms = typeof read === 'number' && read >= 0 ? read : Number.NaN
  const row = {
    ...(given as unknown as ForeignEvent),
    key: (given.key ?? null) as string | null,
    request: (given.request ?? null) as string | null,
    data: data === null ? null : JSON.stringify(data),
    cause: cause === null ? null : JSON.stringify(cause),
    at: ms,
    digest: data === null ? ((given.digest ?? null) as string | null) : null,
  }
  const wrong = kinds.find(([member, kind]) => !checks[kind](row[member] as Json))
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

type Kind = 'place' | 'number' | 'text' | 'name' | 'key' | 'id' | 'hash' | 'digest' | 'cause'

const kinds: readonly (readonly [keyof ForeignEvent, Kind])[] = [
  ['seq', 'place'],
  ['id', 'id'],
  ['session_no', 'number'],
  ['stream', 'text'],
  ['version', 'place'],
  ['key', 'key'],
  ['type', 'text'],
  ['actor', 'text'],
  ['request', 'name'],
  ['hash', 'hash'],
  ['digest', 'digest'],
  ['cause', 'cause'],
]

/** Longer is none that this program writes: an actor is a kind of token and its name, a request id is given by its caller. */
const textMax = 512

const isText = (value: Json, max = textMax): value is string =>
  typeof value === 'string' && value !== '' && value.length <= max && value.isWellFormed() && !value.includes('\0')

const isHex = (value: Json, digits: number) =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value)

const checks: { readonly [K in Kind]: (value: Json) => boolean } = {
  place: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  number: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  text: (value) => isText(value) && !hasControls(value),
  name: (value) => value === null || isText(value),
  // What a key may be is said by the part that it belongs to.
  key: (value) => value === null || typeof value === 'string',
  id: (value) => isHex(value, 32),
  hash: (value) => isHex(value, 64),
  digest: (value) => value === null || isHex(value, 64),
  cause: (value) => value === null || !(causes.check(JSON.parse(value as string), 'cause') instanceof Refusal),
}

/** An agent's token says which life of it something was written in, and the agent itself which call of a tool. */
const causes = object({
  run: optional(text('The run of the agent.', { max: 128 })),
  call: optional(text('The tool call.', { max: 512 })),
})

function unlike(at: number, member: string): Refusal {
  const message = `events[${at}] has no valid ${member}.`
  return refuse('invalid_input', message, 'Give events as `log.list` shows them.', {
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
  return broken(event.seq, 'does not match its hash')
}

/** Whether an event is what its hash says when it comes after another, and is of a type that its stream has. */
export function checkForeign(parts: Parts, event: ForeignEvent, before: Before): Refusal | undefined {
  const { seq, type, stream, data, digest } = event
  const part = parts.owner(stream)
  if (part === undefined || !parts.evolve.has(type)) return unknown(event)
  if (!Object.hasOwn(part.evolve, type)) return broken(seq, `is of the type ${type}, which its stream does not have`)
  if (data === null && (digest === null || !mayBeAbsent(part))) return withoutBody(seq)
  return fits(event, before) ? undefined : broken(seq, 'does not match its hash')
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

function unknown({ seq, type, stream }: ForeignEvent): Refusal {
  const message = `Event ${seq} is of the type ${quoted(type)} in the stream ${quoted(stream)}, which this program does not know.`
  const hint = 'Nothing was adopted. If a newer Cairn wrote it, upgrade this one and adopt the events again.'
  return refuse('invalid_input', message, hint, { seq, type: type.slice(0, 100) })
}

function withoutBody(seq: number): Refusal {
  const message = `The body of event ${seq} was removed where it was written (erase or compact), so this history cannot be adopted.`
  const hint =
    'Adopt it from a store or a backup that still has all of it, or move the whole store with `store.backup` and `store.restore`.'
  return refuse('invalid_input', message, hint, { seq })
}

export function broken(seq: number, what: string): Refusal {
  const hint = 'The history was truncated or altered: get it again from its source. Nothing was adopted.'
  return refuse('invalid_input', `Event ${seq} ${what}.`, hint, { seq })
}

/** An event that its chain vouches for, and that no Cairn could have made all the same. */
export function unfit(seq: number, { message, details }: Refusal): Refusal {
  const hint = 'This history was not written by Cairn. Nothing was adopted.'
  return refuse('invalid_input', `Event ${seq} cannot be applied: ${message}`, hint, { ...details, seq })
}
