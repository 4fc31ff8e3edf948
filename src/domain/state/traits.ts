import type { KeyRow } from '../tables.ts'
import type { KeptCrdt } from './crdt/state.ts'

/** What a key has besides its value, as it stands in `traits`. */
export interface Traits {
  readonly crdt?: KeptCrdt
}

/** Whether a key with these traits is of a conflict-free kind. */
export function isConvergent(traits: string | null | undefined): boolean {
  return traits?.includes('"crdt"') === true && 'crdt' in (JSON.parse(traits) as Traits)
}

/** A row is never changed in place: it is parsed once, however often a decision looks at it. */
const parsed = new WeakMap<KeyRow, Traits>()

export function traitsOf(row: KeyRow | undefined): Traits {
  if (row === undefined || row.traits === null) return {}
  const traits = parsed.get(row) ?? (JSON.parse(row.traits) as Traits)
  parsed.set(row, traits)
  return traits
}
