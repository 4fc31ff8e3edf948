import type { ForkedRows, ForkPoint } from '../../log/part.ts'
import { type Asking, ask, askRows } from '../../log/questions.ts'
import { rowsAt } from '../../log/row-past.ts'
import { lapseOf, lapseTraits } from '../expiry.ts'
import { stateStream } from '../facts.ts'
import { afterPrefix } from '../key-prefix.ts'
import { aboutState } from '../questions.ts'
import {
  type KeyRow,
  type LapseRow,
  stateKeys,
  stateLapses,
  stateSchemas,
  stateVersions,
  type VersionRow,
} from '../tables.ts'
import { isConvergent } from '../traits.ts'
import { keyFrom } from './replay-base.ts'

/** The keys of a fork as they were: those that have not changed since are where they are now. */
export function* forkState({ root, at, isLast, to }: ForkPoint): Asking<ForkedRows> {
  const now = yield* askRows(stateKeys, root)
  const keys: KeyRow[] = now.filter(({ seq }) => seq <= at).map((row) => ({ ...row, root: to.root }))
  const since = new Set(isLast ? [] : now.filter(({ seq }) => seq > at).map(({ key }) => key))
  if (since.size > 0) {
    for (const version of yield* ask(aboutState.keys_at, root, '', afterPrefix(''), at)) {
      if (since.has(version.key)) keys.push({ ...(yield* keyAt(root, version)), root: to.root })
    }
  }
  const live = keys.filter(({ type }) => type !== 'gone')
  const bytes = live.reduce((sum, row) => sum + row.bytes, 0)
  const schemas = yield* rowsAt(stateSchemas, root, at)
  return {
    rows: [
      { table: stateKeys, rows: keys },
      { table: stateLapses, rows: live.flatMap((row) => lapseRow(row)) },
      { table: stateSchemas, rows: schemas.map((row) => ({ ...row, root: to.root })) },
    ],
    sizes: new Map([[stateStream, { items: live.length, bytes }]]),
  }
}

/** What arrays are made of that were appended to: the next append carries some of it on. */
export function* chainsOf(root: number, rows: ForkedRows['rows']): Asking<ForkedRows['rows']> {
  const keys = rows.flatMap(({ table, rows }) => (table.name === stateKeys.name ? (rows as KeyRow[]) : []))
  const chains: VersionRow[] = []
  for (const { type, deltas, traits, key, seq } of keys) {
    if (type === 'array' && deltas > 0 && !isConvergent(traits))
      chains.push(...(yield* ask(aboutState.chain, root, key, seq, 0)))
  }
  return [{ table: stateVersions, rows: chains }]
}

function* keyAt(root: number, version: VersionRow): Asking<KeyRow> {
  const found: readonly VersionRow[] =
    version.kind === 'gone' ? [] : yield* ask(aboutState.chain, root, version.key, version.seq, 0)
  return keyFrom(
    version,
    [...found].sort((a, b) => b.seq - a.seq),
  )
}

/** What makes a key go by itself is among its traits. */
function lapseRow({ root, key, traits }: KeyRow): LapseRow[] {
  const lapse = lapseOf(traits)
  if (lapseTraits(lapse) === null) return []
  return [{ root, key, owner: lapse.owner ?? null, expires_at: lapse.expires_at ?? null }]
}
