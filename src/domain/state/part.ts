import type { JsonObject } from '../../json/value.ts'
import type { Event } from '../log/event.ts'
import type { EvolvingOf } from '../log/evolve.ts'
import type { Due, OwnPast, Part } from '../log/part.ts'
import { ask } from '../log/questions.ts'
import { type Rows, rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { evolveCrdt } from './crdt/key.ts'
import { jsonPatchKey, mergeKey } from './document/patched.ts'
import { appendKey, changeValue, deleteKey, incrementKey, replaceState, setKey } from './evolve.ts'
import { dueBy, keysDueBy, lapseSaid, lapseTraits, recordExpired } from './expiry.ts'
import { type StateFact, schemaStream, stateStream } from './facts.ts'
import { foreignState } from './foreign.ts'
import { erasureOf } from './past/erasure.ts'
import { chainsOf, forkState } from './past/fork.ts'
import { pruneVersions } from './past/prune.ts'
import { layBase } from './past/replay-base.ts'
import { aboutState } from './questions.ts'
import { putSchema } from './schemas.ts'
import { stateKeys, stateLapses, statePlaces, stateSchemas, stateVersions } from './tables.ts'

const evolve: EvolvingOf<StateFact> = {
  init: (rows, event) => setKeys(rows, event, event.data.payload),
  full_replace: (rows, event) => replaceState(rows, event, event.data.payload),
  set: (rows, event) => setKey(rows, event, event.key, event.data.value, lapseTraits(lapseSaid(event.data))),
  lapsed: (rows, event) => deleteKey(rows, event, event.key),
  delete: (rows, event) => deleteKey(rows, event, event.key),
  increment: (rows, event) => incrementKey(rows, event, event.key, event.data.delta),
  append: (rows, event) => appendKey(rows, event, event.key, event.data.items),
  patch: (rows, event) => mergeKey(rows, event, event.key, event.data.patch),
  json_patch: (rows, event) => jsonPatchKey(rows, event, event.key, event.data.operations),
  min: (rows, event) => changeValue(rows, event, event.key, event.data.value),
  max: (rows, event) => changeValue(rows, event, event.key, event.data.value),
  counter_add: evolveCrdt,
  set_add: evolveCrdt,
  set_remove: evolveCrdt,
  register_set: evolveCrdt,
  schema_set: (rows, event) => putSchema(rows, event, JSON.stringify(event.data.schema)),
  schema_deleted: (rows, event) => putSchema(rows, event, null),
}

function setKeys(rows: Rows, event: Event, payload: JsonObject): void {
  for (const [key, value] of Object.entries(payload)) setKey(rows, event, key, value)
}

/** Keys that expire. Whatever names them records it: nothing is left to do once they were named. */
const due: Due = {
  *next(root) {
    const [first] = yield* root === undefined ? ask(aboutState.next_lapse) : ask(aboutState.next_lapse_of, root)
    return first?.at ?? undefined
  },
  roots: (by) => ask(aboutState.roots_with_due, by),
  needs: (rows, by) => [
    rowOf(streams, stateStream),
    dueBy(by),
    ...keysDueBy(rows, by).map((key) => rowOf(stateKeys, key)),
  ],
  record: ({ lapsed }) => lapsed,
  makesRoom: ({ details: { limit } }) => limit === 'keys' || limit === 'stateBytes',
}

/** The versions of its keys, which build on one another. Schemas have none, and so their bodies stay. */
const ownPast: OwnPast = { streams: [stateStream], lay: layBase, prune: pruneVersions, lookedAt: chainsOf }

/** The facts that the agents of a root share: keys with versions, their past, what they must look like and when they go. */
export const statePart: Part = {
  name: 'state',
  owns: (stream) => stream === stateStream || stream === schemaStream,
  tables: [stateKeys, stateVersions, statePlaces, stateLapses, stateSchemas],
  evolve,
  bodies: 'removable',
  secrets: 'refuse',
  before: recordExpired,
  due,
  ownPast,
  erasure: erasureOf,
  fork: forkState,
  foreign: foreignState,
}
