import type { Deciding } from '../../deciding.ts'
import { type Event, stateStream } from '../../event.ts'
import { byteLength, type Json } from '../../json.ts'
import type { Refusal } from '../../refusal.ts'
import type { Rows } from '../../rows.ts'
import type { KeyRow } from '../../tables.ts'
import { setKey } from '../evolve.ts'
import { liveKey } from '../key.ts'
import { admit } from '../room.ts'
import { type Traits, traitsOf } from '../traits.ts'
import { apply, type Crdt, type CrdtFact, keptOf, restored, shown } from './state.ts'

/** Who acts on a conflict-free value: a session, and one of its replicas where it has several. */
export function actorOf(on: Deciding, replica = 'main'): string {
  return `${on.session?.no ?? 0}/${replica}`
}

export function crdtOf(rows: Rows, key: string): Crdt | undefined {
  const row = liveKey(rows, key)
  const { crdt } = traitsOf(row)
  return crdt && restored(crdt, JSON.parse(row?.value ?? 'null'))
}

interface Written {
  readonly before: KeyRow | undefined
  readonly value: Json
  readonly traits: string
}

/** A fact is worked out to see whether it has room, and again at once to write it: the second time it is known. */
const workedOut = new WeakMap<CrdtFact['data'], Written>()

/** A key as a fact leaves it; what else the key has stays. */
function writtenBy(rows: Rows, fact: CrdtFact, now = () => crdtOf(rows, fact.key)): Written {
  const before = liveKey(rows, fact.key)
  const known = workedOut.get(fact.data)
  if (known !== undefined && known.before === before) return known
  const crdt = apply(now(), fact)
  const traits: Traits = { ...traitsOf(before), crdt: keptOf(crdt) }
  const written = { before, value: shown(crdt), traits: JSON.stringify(traits) }
  workedOut.set(fact.data, written)
  return written
}

export function evolveCrdt(rows: Rows, event: Event & CrdtFact): void {
  const { value, traits } = writtenBy(rows, event)
  setKey(rows, event, event.key, value, traits)
}

/** Records a fact if what it makes of the present state has room. What is kept inside counts too: else it could grow and nobody would see. */
export function recordCrdt(on: Deciding, now: Crdt | undefined, fact: CrdtFact): Refusal | undefined {
  const { value, traits } = writtenBy(on.rows, fact, () => now)
  const bytes = byteLength(JSON.stringify(value)) + byteLength(traits)
  const full = admit(on, fact.key, bytes, () => value)
  if (full) return full
  on.record({ ...fact, stream: stateStream })
  return undefined
}
