import { type Asking, ask } from '../../domain/log/questions.ts'
import {
  type LapseRow,
  roots,
  sessionNames,
  sessions,
  stateKeys,
  stateLapses,
  stateSchemas,
  stateVersions,
  streams,
  type Table,
  type VersionRow,
} from '../../domain/log/tables.ts'
import { missingEnd, replay } from './replay.ts'
import type { ReplayedRows } from './replayed-rows.ts'
import { VersionSum } from './version-sum.ts'

/** Something that is not as the log says: where it is and what is wrong. */
export interface Problem {
  readonly root: string
  readonly where: string
  readonly what: string
}

/** Versions read at once: there may be millions of them. */
const pageVersions = 1000

/** Checks every root of a store. */
export function* verifyStore(): Asking<Problem[]> {
  const problems: Problem[] = []
  for (const { root } of yield* ask('all_roots')) problems.push(...(yield* verifyRoot(root)))
  return [...problems, ...(yield* verifyOrphans())]
}

/** Rows whose root has no head. */
export function* verifyOrphans(): Asking<Problem[]> {
  const byRoot = new Map<string, string[]>()
  for (const { root, name } of yield* ask('orphans')) byRoot.set(root, [...(byRoot.get(root) ?? []), name])
  return [...byRoot].map(([root, names]) => ({
    root,
    where: names.join(', '),
    what: 'have rows of a root that has no head',
  }))
}

/** The log of a root has no gap and no changed byte, and its views are what a replay of it gives. */
export function* verifyRoot(root: string): Asking<Problem[]> {
  const expected = new VersionSum()
  const chains = new Map<string, VersionRow[]>()
  const rows = yield* replay(root, (rows, made) => sumSettled(rows, made, chains, expected))
  if ('what' in rows) return [{ root, where: `event ${rows.seq}`, what: rows.what }]
  for (const row of rows.all(stateVersions)) expected.addRow(row)
  const [head] = yield* ask('head', root)
  const end = missingEnd(rows, head)
  const problems = end === undefined ? [] : [{ root, where: `event ${end.seq}`, what: end.what }]
  problems.push(...(yield* compareViews(root, rows)))
  const stored = yield* sumVersions(root)
  return stored.equals(expected) ? problems : [...problems, ...(yield* compareVersions(root))]
}

/**
 * Versions are compared by a sum over all of them, whatever their order: keeping a million in memory to find that they are all
 * right would be waste. Only the last chain of an array is kept, because appends build on it.
 */
function sumSettled(
  rows: ReplayedRows,
  made: readonly VersionRow[],
  chains: Map<string, VersionRow[]>,
  sum: VersionSum,
): void {
  for (const row of made) {
    const before = row.prior === 0 ? chains.get(row.key) : undefined
    for (const version of before ?? []) {
      sum.addRow(version)
      rows.drop(version)
    }
    if (before) chains.delete(row.key)
    if (rows.get(stateKeys, row.key)?.type !== 'array') sum.addRow(row)
    else {
      rows.keep(row)
      const chain = chains.get(row.key)
      if (chain) chain.push(row)
      else chains.set(row.key, [row])
    }
  }
}

function* sumVersions(root: string): Asking<VersionSum> {
  const sum = new VersionSum()
  let last: { key: string; seq: number } = { key: '', seq: 0 }
  for (let more = true; more; ) {
    const page = yield* ask('version_labels', root, last.key, last.seq, pageVersions)
    more = page.length === pageVersions
    for (const { key, seq, label, body } of page) sum.add(key, seq, label, body)
    last = page.at(-1) ?? last
  }
  return sum
}

/** The slow way, once it is known that something differs: to say what. */
function* compareVersions(root: string): Asking<Problem[]> {
  const rows = yield* replay(root)
  if ('what' in rows) return []
  const stored = yield* ask('versions_of_root', root, '', 0, Number.MAX_SAFE_INTEGER)
  return differences(root, stateVersions, stored, rows.all(stateVersions))
}

function* compareViews(root: string, replayed: ReplayedRows): Asking<Problem[]> {
  return [
    ...differences(root, roots, yield* ask('head', root), replayed.all(roots)),
    ...differences(root, streams, yield* ask('streams_of_root', root), replayed.all(streams)),
    ...differences(root, sessions, yield* ask('sessions_of_root', root), replayed.all(sessions)),
    ...differences(root, sessionNames, yield* ask('names_of_root', root), replayed.all(sessionNames)),
    ...differences(root, stateKeys, yield* ask('keys_of_root', root), replayed.all(stateKeys)),
    ...differences(root, stateSchemas, yield* ask('schemas_of_root', root), replayed.all(stateSchemas)),
    ...differences(root, stateLapses, yield* ask('lapses_of_root', root), lapsing(replayed)),
  ]
}

/** An empty row stands for a key that is not of this kind any more; a replay from a base may not have met it. */
function lapsing(replayed: ReplayedRows): LapseRow[] {
  return replayed.all(stateLapses).filter(({ owner, expires_at }) => owner !== null || expires_at !== null)
}

/** Columns that say how rows are kept and not what the log says. */
const notReplayed: ReadonlySet<string> = new Set(['generation', 'origin', 'origin_seq', 'floor', 'base'])

function differences<Row extends object>(
  root: string,
  table: Table<Row>,
  stored: readonly Row[],
  replayed: readonly Row[],
): Problem[] {
  const expected = new Map(replayed.map((row) => [table.place(row), row]))
  const problems: Problem[] = []
  const found = (place: string, what: string) =>
    problems.push({ root, where: `${table.name} ${place.replaceAll('\0', '/')}`, what })
  for (const row of stored) {
    const place = table.place(row)
    const wanted = expected.get(place)
    expected.delete(place)
    const column = wanted && firstDifference(table, row, wanted)
    if (wanted === undefined) found(place, 'is not in the log')
    else if (column) found(place, `differs in ${column}`)
  }
  for (const place of expected.keys()) found(place, 'is missing')
  return problems
}

function firstDifference<Row extends object>(table: Table<Row>, row: Row, wanted: Row): string | undefined {
  const columns = Object.keys(table.columns) as (keyof Row & string)[]
  return columns.find((column) => !notReplayed.has(column) && row[column] !== wanted[column])
}
