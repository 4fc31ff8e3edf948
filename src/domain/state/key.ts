import type { Json } from '../../json/value.ts'
import { type PastRef, type Ref, type Rows, rowOf } from '../log/rows.ts'
import { appendReach, carriedOn, textOf, wholeChain } from './past/versions.ts'
import { aboutState } from './questions.ts'
import { type KeyRow, stateKeys, stateVersions, type VersionRow } from './tables.ts'
import { isConvergent } from './traits.ts'

/** The key as it lives now; a tombstone is no key. */
export function liveKey(rows: Rows, key: string): KeyRow | undefined {
  const row = rows.get(stateKeys, key)
  return row === undefined || row.type === 'gone' ? undefined : row
}

/** The value of a key, or undefined for a tombstone. */
export function presentValue(rows: Rows, row: KeyRow): Json | undefined {
  if (row.type === 'gone') return undefined
  return JSON.parse(row.partial ? textOf(wholeChain(rows, row.key, row.seq).rows) : (row.value ?? 'null'))
}

/** What is wanted of a key besides its row: its value, what one append needs, or whatever any changes could need. */
type Want = 'row' | 'value' | 'append' | 'chain'

export function keyRefs(rows: Rows, key: string, want: Want = 'row'): Ref[] {
  const refs = [rowOf(stateKeys, key)]
  const row = rows.get(stateKeys, key)
  if (row === undefined || row.type !== 'array' || isConvergent(row.traits)) return refs
  if (want === 'chain' || (want === 'value' && row.partial)) {
    return [...refs, ...chainRefs(key, 0, wholeChain(rows, key, row.seq).missing)]
  }
  if (want === 'append') return [...refs, ...chainRefs(key, appendReach(row), carriedOn(rows, row).missing)]
  return refs
}

/** Versions of a key from `from` back along `prior`, down to but without version `above`. */
export function chainRef(key: string, from: number, above = 0): PastRef<VersionRow> {
  return { past: aboutState.chain, with: [key, from, above], rowsOf: stateVersions }
}

function chainRefs(chain: string, above: number, missing: number): Ref[] {
  return missing ? [chainRef(chain, missing, above)] : []
}
