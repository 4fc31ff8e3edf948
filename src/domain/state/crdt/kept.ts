import type { KeyRow } from '../tables.ts'
import { isConvergent } from '../traits.ts'
import { type Crdt, type KeptCrdt, keptOf, restored } from './state.ts'

/** What a larger value is made of is read again each time: as objects it takes several times the room of its text. */
const knownBytesMax = 65_536

/** A row is never changed in place, so what was made out of it, or into it, stays right for as long as it is held. */
const known = new WeakMap<KeyRow, Crdt>()

export function crdtIn(row: KeyRow | undefined): Crdt | undefined {
  if (row === undefined || !isConvergent(row.traits)) return undefined
  const made = known.get(row)
  if (made !== undefined) return made
  const { crdt } = JSON.parse(row.traits ?? '{}') as { crdt: KeptCrdt }
  const found = restored(crdt, JSON.parse(row.value ?? 'null'))
  knowCrdt(row, found)
  return found
}

export function knowCrdt(row: KeyRow, crdt: Crdt): void {
  if (row.bytes <= knownBytesMax) known.set(row, crdt)
}

export function traitsWith(crdt: Crdt): string {
  return JSON.stringify({ crdt: keptOf(crdt) })
}
