import { type Asking, ask } from '../../domain/log/questions.ts'
import {
  type KeyRow,
  type StreamRow,
  stateKeys,
  stateLapses,
  stateVersions,
  type VersionRow,
} from '../../domain/log/tables.ts'
import { presentFrom } from '../../domain/state/past/replay-base.ts'
import type { BrokenEvent } from './replay.ts'
import type { ReplayedRows } from './replayed-rows.ts'

/** Versions read at once. */
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
  rows: ReplayedRows,
  state: StreamRow,
  named: ReadonlyMap<string, number>,
): Asking<BrokenEvent | undefined> {
  rows.forget(stateKeys)
  rows.forget(stateVersions)
  rows.forget(stateLapses)
  const head = rows.head()
  if (head !== undefined) rows.setHead({ ...head, keys: 0, bytes: 0 })
  const stored = new Map((yield* ask('keys_of_root', state.root)).map((row) => [row.key, row] as const))
  const left = new Set([...stored.keys(), ...named.keys()])
  const keptOf = (key: string, versions: VersionRow[]): Kept => {
    left.delete(key)
    return { key, versions, stored: stored.get(key), named: named.get(key) ?? 0 }
  }
  let kept: Kept | undefined
  let last: { key: string; seq: number } = { key: '', seq: 0 }
  for (let more = true; more; ) {
    const found = yield* ask('versions_of_root', state.root, last.key, last.seq, page)
    more = found.length === page
    last = found.at(-1) ?? last
    for (const row of found) {
      if (kept === undefined || kept.key !== row.key) {
        const broken = lay(rows, state, kept)
        if (broken) return broken
        kept = keptOf(row.key, [])
      }
      if (row.seq <= state.base) kept.versions.push(row)
    }
  }
  const without = [...left].map((key) => keptOf(key, []))
  for (const each of [kept, ...without]) {
    const broken = lay(rows, state, each)
    if (broken) return broken
  }
  return undefined
}

function lay(rows: ReplayedRows, state: StreamRow, kept: Kept | undefined): BrokenEvent | undefined {
  if (kept === undefined) return undefined
  for (const row of kept.versions) rows.keep(row)
  const missing = missingOf(state, kept) || presentFrom(rows, kept.versions, kept.stored)
  if (missing === 0) return undefined
  return {
    seq: missing,
    what: `cannot be told: state_versions ${kept.key}/${missing}, all that was kept of it, is missing`,
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
