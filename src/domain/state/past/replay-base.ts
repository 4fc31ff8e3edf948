import type { Json } from '../../../json/value.ts'
import type { BaseRows, BrokenEvent } from '../../log/part.ts'
import { type Asking, askRows } from '../../log/questions.ts'
import type { Rows } from '../../log/rows.ts'
import { type StreamRow, streams } from '../../log/tables.ts'
import { count, presentOf } from '../evolve.ts'
import { keepLapse } from '../expiry.ts'
import { type KeyRow, stateKeys, stateLapses, stateVersions, type VersionRow } from '../tables.ts'
import { shapeOf } from '../value-shape.ts'
import { traitsOf } from './kept-difference.ts'
import { textOf, wholeChain } from './versions.ts'

/** A key as a version left it; `chain` is what the version is made of, newest first, and is empty for one that is gone. */
export function keyFrom(newest: VersionRow, chain: readonly VersionRow[]): KeyRow {
  const isGone = newest.kind === 'gone'
  const text = isGone ? '' : textOf(chain)
  const shape = isGone ? undefined : shapeOf(JSON.parse(text) as Json)
  const traits = isGone ? null : traitsOf(chain)
  const deltas = newest.version - (chain.at(-1)?.version ?? newest.version)
  return {
    root: newest.root,
    key: newest.key,
    version: newest.version,
    seq: newest.seq,
    ...presentOf(shape, text, deltas, traits),
    created_at: newest.at - newest.age,
    updated_at: newest.at,
    updated_by: newest.session_no,
    traits,
  }
}

/** Puts a key as its kept versions (oldest first) left it. Answers with the version that is missing to tell its value, or 0. */
function presentFrom(rows: Rows, kept: readonly VersionRow[]): number {
  const newest = kept.at(-1)
  if (newest === undefined) return 0
  const { rows: chain, missing } = wholeChain(rows, newest.key, newest.kind === 'gone' ? 0 : newest.seq)
  if (missing > 0) return missing
  const row = keyFrom(newest, chain)
  rows.put(stateKeys, row)
  keepLapse(rows, newest.key, null, newest.traits)
  count(rows, undefined, row)
  return 0
}

/** Events whose versions are read at once. */
const page = 1000

/** One key at the base: its versions up to there, oldest first, and how it is stored now. */
interface Kept {
  readonly key: string
  readonly versions: VersionRow[]
  readonly stored: KeyRow | undefined
  /** The last event up to the base that names it, or 0. */
  readonly named: number
}

/**
 * Takes the keys as they were at the base from the versions that were kept. Nothing else knows them any more: where one is
 * missing, that is damage of the log and not of a view. `named` has the last event up to the base that names each key.
 */
export function* layBase(
  rows: BaseRows,
  state: StreamRow,
  named: ReadonlyMap<string, number>,
): Asking<BrokenEvent | undefined> {
  rows.forget(stateKeys)
  rows.forget(stateVersions)
  rows.forget(stateLapses)
  const stream = rows.get(streams, state.stream)
  if (stream !== undefined) rows.put(streams, { ...stream, items: 0, bytes: 0 })
  const stored = new Map((yield* askRows(stateKeys, state.root)).map((row) => [row.key, row] as const))
  const left = new Set([...stored.keys(), ...named.keys()])
  const keptOf = (key: string, versions: VersionRow[]): Kept => {
    left.delete(key)
    return { key, versions, stored: stored.get(key), named: named.get(key) ?? 0 }
  }
  for (const [key, versions] of yield* versionsUpTo(state)) {
    const broken = lay(rows, state, keptOf(key, versions))
    if (broken) return broken
  }
  for (const key of [...left]) {
    const broken = lay(rows, state, keptOf(key, []))
    if (broken) return broken
  }
  return undefined
}

/** The versions that were kept up to the base, by key, oldest first. */
function* versionsUpTo({ root, base }: StreamRow): Asking<Map<string, VersionRow[]>> {
  const byKey = new Map<string, VersionRow[]>()
  for (let after = 0; after < base; after += page) {
    const upto = Math.min(after + page, base)
    for (const row of yield* askRows(stateVersions, root, { column: 'seq', from: after + 1, to: upto + 1 })) {
      const versions = byKey.get(row.key)
      if (versions === undefined) byKey.set(row.key, [row])
      else versions.push(row)
    }
  }
  return byKey
}

function lay(rows: BaseRows, state: StreamRow, kept: Kept): BrokenEvent | undefined {
  for (const row of kept.versions) rows.keep(stateVersions, row)
  const missing = missingOf(state, kept) || presentFrom(rows, kept.versions)
  if (missing === 0) return undefined
  return {
    seq: missing,
    what: `cannot be told: state_versions ${missing}/${kept.key}, all that was kept of it, is missing`,
  }
}

/** The place of a version that must have been kept and was not, or 0. */
function missingOf({ floor, base }: StreamRow, { versions, stored, named }: Kept): number {
  const newest = versions.at(-1)
  if ((newest?.seq ?? 0) < named) return named
  if (newest === undefined) return stored !== undefined && stored.seq <= base ? stored.seq : 0
  // Compaction leaves gaps up to the floor, and erasure leaves deletions only.
  const gap = versions.findIndex((row, at) => {
    const before = versions[at - 1]
    return row.seq > floor && row.kind !== 'gone' && before !== undefined && row.version !== before.version + 1
  })
  return gap < 0 ? 0 : (versions[gap]?.seq ?? 0) - 1
}
