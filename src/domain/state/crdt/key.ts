import { byteLength, type Json } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import type { Event } from '../../log/event.ts'
import type { Refusal } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { admit } from '../admission.ts'
import { mayBeDifference, type Past, writeText } from '../evolve.ts'
import type { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import { keptDifference } from '../past/kept-difference.ts'
import type { KeyRow } from '../tables.ts'
import { actorNamed } from './actor.ts'
import { crdtDifference } from './difference.ts'
import { crdtIn, knowCrdt, traitsWith } from './kept.ts'
import { apply, type Crdt, type CrdtFact, shapeOfCrdt, shownText } from './state.ts'

export function actorOf(on: Deciding, replica?: string): string {
  return actorNamed(on.session?.no ?? 0, replica)
}

export function crdtOf(rows: Rows, key: string): Crdt | undefined {
  return crdtIn(liveKey(rows, key))
}

/** A key as a fact leaves it. */
interface Written {
  readonly before: KeyRow | undefined
  readonly was: Crdt | undefined
  readonly crdt: Crdt
  readonly text: string
  readonly traits: string
}

/** A fact is worked out to see whether it has room, and again at once to write it: the second time it is known. */
const workedOut = new WeakMap<CrdtFact['data'], Written>()

function writtenBy(rows: Rows, fact: CrdtFact): Written {
  const before = liveKey(rows, fact.key)
  const known = workedOut.get(fact.data)
  if (known !== undefined && known.before === before) return known
  const was = crdtIn(before)
  const crdt = apply(was, fact)
  const written = { before, was, crdt, text: shownText(crdt), traits: traitsWith(crdt) }
  workedOut.set(fact.data, written)
  return written
}

export function evolveCrdt(rows: Rows, event: Event & CrdtFact): void {
  const written = writtenBy(rows, event)
  const { crdt, text, traits } = written
  const past = pastOf(written)
  const deltas = past.kind === 'whole' ? 0 : (written.before?.deltas ?? 0) + 1
  writeText(rows, event, event.key, shapeOfCrdt(crdt), text, past, deltas, traits)
  workedOut.delete(event.data)
  const row = liveKey(rows, event.key)
  if (row !== undefined) knowCrdt(row, crdt)
}

/** The difference of a number is longer than the number. */
const shortBody = 256

/** The past of a large value keeps what has changed, where that is shorter. */
function pastOf({ before, was, crdt, text, traits }: Written): Past {
  const whole: Past = { kind: 'whole', prior: 0, body: text, traits }
  if (before === undefined || was === undefined || !mayBeDifference(before, text, traits.length)) return whole
  const difference = crdtDifference(was, crdt)
  if (difference === undefined) return whole
  const [body, kept] = [JSON.stringify(difference.value), keptDifference(crdt.kind, difference.kept)]
  const isShorter =
    (body.length + kept.length) * 2 < text.length + traits.length && body.length <= Math.max(text.length / 2, shortBody)
  return isShorter ? { kind: 'merge', prior: before.seq, body, traits: kept } : whole
}

/** Records a fact if what it makes of the present state has room. What is kept inside counts too: else it could grow and nobody would see. */
export function recordCrdt(on: Deciding, fact: CrdtFact & { stream: typeof stateStream }): Refusal | undefined {
  const { text, traits } = writtenBy(on.rows, fact)
  const full = admit(on, fact.key, byteLength(text) + byteLength(traits), () => JSON.parse(text) as Json)
  if (full) return full
  on.record(fact)
  return undefined
}
