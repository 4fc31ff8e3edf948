import type { JsonObject } from '../../json/value.ts'
import { changeStatus, createSession } from '../sessions/session.ts'
import { evolveCrdt } from '../state/crdt/key.ts'
import { appendKey, changeValue, deleteKey, incrementKey, replaceState, setKey } from '../state/evolve.ts'
import { lapseTraits } from '../state/expiry.ts'
import { jsonPatchKey, mergeKey } from '../state/patched.ts'
import { putSchema } from '../state/schemas.ts'
import { type Event, sessionStream, stateStream } from './event.ts'
import { headAt, newHead } from './head.ts'
import type { Rows } from './rows.ts'
import { streams } from './tables.ts'

/**
 * Brings the views up to date with one event. It is the only way a view changes: while an event is recorded and when a
 * root is rebuilt from its log.
 */
export function evolve(rows: Rows, event: Event): void {
  const head = rows.head() ?? newHead(rows.root)
  rows.setHead(headAt(head, event.seq, event.hash, head.keys, head.bytes))
  const stream = rows.get(streams, event.stream)
  rows.put(streams, {
    root: event.root,
    stream: event.stream,
    version: event.version,
    created_at: stream?.created_at ?? event.at,
    updated_at: event.at,
    floor: stream?.floor ?? 0,
    base: stream?.base ?? 0,
  })
  const apply = applied[event.type] as (rows: Rows, event: Event) => void
  apply(rows, event)
}

type Applied<Type extends Event['type']> = (rows: Rows, event: Extract<Event, { type: Type }>) => void

/** What each fact does to the views; a fact without an entry does not compile. */
const applied: { readonly [Type in Event['type']]: Applied<Type> } = {
  session_created: (rows, event) => {
    createSession(rows, event, event.data)
    if (event.data.initial_state) startState(rows, event, event.data.initial_state)
  },
  status_changed: (rows, event) => changeStatus(rows, event, noOf(event.stream), event.data),
  init: (rows, event) => setKeys(rows, event, event.data.payload),
  full_replace: (rows, event) => replaceState(rows, event, event.data.payload),
  set: (rows, event) => setKey(rows, event, event.key, event.data.value, lapseTraits(event.data)),
  lapsed: (rows, event) => deleteKey(rows, event, event.key),
  delete: (rows, event) => deleteKey(rows, event, event.key),
  increment: (rows, event) => incrementKey(rows, event, event.key, event.data.delta),
  append: (rows, event) => appendKey(rows, event, event.key, event.data.items),
  counter_add: evolveCrdt,
  set_add: evolveCrdt,
  set_remove: evolveCrdt,
  register_set: evolveCrdt,
  schema_set: (rows, event) => putSchema(rows, event, JSON.stringify(event.data.schema)),
  schema_deleted: (rows, event) => putSchema(rows, event, null),
  lease_claimed: () => undefined,
  lease_lost: () => undefined,
  lease_released: () => undefined,
  patch: (rows, event) => mergeKey(rows, event, event.key, event.data.patch),
  json_patch: (rows, event) => jsonPatchKey(rows, event, event.key, event.data.operations),
  min: (rows, event) => changeValue(rows, event, event.key, event.data.value),
  max: (rows, event) => changeValue(rows, event, event.key, event.data.value),
}

function setKeys(rows: Rows, event: Event, payload: JsonObject): void {
  for (const [key, value] of Object.entries(payload)) setKey(rows, event, key, value)
}

/** Values given at creation belong to event 1: the state is there from the start, at version 0 of its stream. */
function startState(rows: Rows, event: Event, payload: JsonObject): void {
  rows.put(streams, {
    root: event.root,
    stream: stateStream,
    version: 0,
    created_at: event.at,
    updated_at: event.at,
    floor: 0,
    base: 0,
  })
  setKeys(rows, event, payload)
}

function noOf(stream: string): number {
  const no = Number(stream.slice(sessionStream(0).length - 1))
  if (!Number.isInteger(no)) throw new Error(`${stream} is no stream of a session`)
  return no
}
