import type { KeyRow } from '../tables.ts'
import { convergentPrefix, isConvergent } from '../traits.ts'
import { type Crdt, type CrdtKind, type KeptCrdt, keptText, restored } from './state.ts'

/** Of larger values only the newest is known as objects, where it takes several times the room of its text. */
const knownBytesMax = 65_536

/** A row is never changed in place, so what was made out of it, or into it, stays right for as long as it is held. */
const known = new WeakMap<KeyRow, Crdt>()
let newestLarge: WeakRef<KeyRow> | undefined

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
  if (row.bytes > knownBytesMax) {
    const before = newestLarge?.deref()
    if (before !== undefined) known.delete(before)
    newestLarge = new WeakRef(row)
  }
  known.set(row, crdt)
}

/** The kind stands first in what is kept: nobody reads a megabyte for it. */
export function crdtKindOf({ traits }: Pick<KeyRow, 'traits'>): CrdtKind | undefined {
  if (traits === null || !isConvergent(traits)) return undefined
  const start = convergentPrefix.length + '{"kind":"'.length
  return traits.slice(start, traits.indexOf('"', start)) as CrdtKind
}

export function traitsWith(crdt: Crdt): string {
  return `${convergentPrefix}${keptText(crdt)}}`
}
