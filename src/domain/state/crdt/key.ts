import { byteLength, type Json } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import type { Event } from '../../log/event.ts'
import type { Refusal } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { admit } from '../admission.ts'
import { setText } from '../evolve.ts'
import type { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import type { KeyRow } from '../tables.ts'
import { actorNamed } from './actor.ts'
import { crdtIn, knowCrdt, traitsWith } from './kept.ts'
import { apply, type Crdt, type CrdtFact, shown } from './state.ts'

export function actorOf(on: Deciding, replica?: string): string {
  return actorNamed(on.session?.no ?? 0, replica)
}

export function crdtOf(rows: Rows, key: string): Crdt | undefined {
  return crdtIn(liveKey(rows, key))
}

/** A key as a fact leaves it. */
interface Written {
  readonly before: KeyRow | undefined
  readonly crdt: Crdt
  readonly value: Json
  readonly text: string
  readonly traits: string
}

/** A fact is worked out to see whether it has room, and again at once to write it: the second time it is known. */
const workedOut = new WeakMap<CrdtFact['data'], Written>()

function writtenBy(rows: Rows, fact: CrdtFact): Written {
  const before = liveKey(rows, fact.key)
  const known = workedOut.get(fact.data)
  if (known !== undefined && known.before === before) return known
  const crdt = apply(crdtIn(before), fact)
  const value = shown(crdt)
  const written = { before, crdt, value, text: JSON.stringify(value), traits: traitsWith(crdt) }
  workedOut.set(fact.data, written)
  return written
}

export function evolveCrdt(rows: Rows, event: Event & CrdtFact): void {
  const { crdt, value, text, traits } = writtenBy(rows, event)
  setText(rows, event, event.key, value, text, traits)
  const row = liveKey(rows, event.key)
  if (row !== undefined) knowCrdt(row, crdt)
}

/** Records a fact if what it makes of the present state has room. What is kept inside counts too: else it could grow and nobody would see. */
export function recordCrdt(on: Deciding, fact: CrdtFact & { stream: typeof stateStream }): Refusal | undefined {
  const { value, text, traits } = writtenBy(on.rows, fact)
  const full = admit(on, fact.key, byteLength(text) + byteLength(traits), () => value)
  if (full) return full
  on.record(fact)
  return undefined
}
