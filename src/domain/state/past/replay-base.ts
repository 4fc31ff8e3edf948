import type { Json } from '../../../json/value.ts'
import type { Rows } from '../../log/rows.ts'
import { type KeyRow, stateKeys, type VersionRow } from '../../log/tables.ts'
import { countInHead, presentOf } from '../evolve.ts'
import { keepLapse } from '../expiry.ts'
import { textOf, wholeChain } from './versions.ts'

/**
 * Puts a key as it was at a moment of which only its versions are left: `kept` (oldest first), which `rows` has. When it was
 * created is not in them: that is taken from the key as it is stored. Answers with the version that is missing to tell its value, or 0.
 */
export function presentFrom(rows: Rows, kept: readonly VersionRow[], stored: KeyRow | undefined): number {
  const newest = kept.at(-1)
  if (newest === undefined) return 0
  const { rows: chain, missing } = wholeChain(rows, newest.key, newest.kind === 'gone' ? 0 : newest.seq)
  if (missing > 0) return missing
  const text = newest.kind === 'gone' ? '' : textOf(chain)
  const value = newest.kind === 'gone' ? undefined : (JSON.parse(text) as Json)
  const deltas = newest.version - (chain.at(-1)?.version ?? newest.version)
  const present = presentOf(value, text, deltas, newest.traits)
  rows.put(stateKeys, {
    root: newest.root,
    key: newest.key,
    version: newest.version,
    seq: newest.seq,
    ...present,
    created_at: stored?.created_at ?? newest.at,
    updated_at: newest.at,
    updated_by: newest.session_no,
    traits: newest.traits,
  })
  keepLapse(rows, newest.key, null, newest.traits)
  countInHead(rows, undefined, present)
  return 0
}
