import type { Json } from '../json.ts'
import { type Ref, type Rows, rowOf } from '../rows.ts'
import { type KeyRow, stateKeys } from '../tables.ts'
import { appendReach, spanWidth, textOf, walkBack } from './versions.ts'

/** The key as it lives now; a tombstone is no key. */
export function liveKey(rows: Rows, key: string): KeyRow | undefined {
  const row = rows.get(stateKeys, key)
  return row === undefined || row.type === 'gone' ? undefined : row
}

/** The value of a key, or undefined for a tombstone. */
export function presentValue(rows: Rows, row: KeyRow): Json | undefined {
  if (row.type === 'gone') return undefined
  return JSON.parse(row.partial ? textOf(walkBack(rows, row.key, row.seq, 0).rows) : (row.value ?? 'null'))
}

/** What is wanted of a key besides its row: its value, what one append needs, or whatever any changes could need. */
type Want = 'row' | 'value' | 'append' | 'chain'

export function keyRefs(rows: Rows, key: string, want: Want = 'row'): Ref[] {
  const refs = [rowOf(stateKeys, key)]
  const row = rows.get(stateKeys, key)
  if (row === undefined || row.type !== 'array') return refs
  if (want === 'chain' || (want === 'value' && row.partial)) return [...refs, ...chainRefs(rows, row, 0)]
  if (want === 'append' && spanWidth(row.deltas + 1) > 1) return [...refs, ...chainRefs(rows, row, appendReach(row))]
  return refs
}

function chainRefs(rows: Rows, row: KeyRow, above: number): Ref[] {
  const { missing } = walkBack(rows, row.key, row.seq, above)
  return missing ? [{ chain: row.key, from: missing, above }] : []
}
