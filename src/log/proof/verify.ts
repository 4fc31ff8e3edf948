import type { Parts, Problem } from '../../domain/log/part.ts'
import { type Asking, ask, askOrphans, askPlaces, askRow, askRows } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type AnyTable, indexing, placeSeparator, roots } from '../../domain/log/tables.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { isOwn, lineageOf } from '../forks/lineage.ts'
import { verifyDiskBytes } from './disk-bytes.ts'
import { LiveChains } from './live-chains.ts'
import { missingEnd, type RootNamed, replay } from './replay.ts'
import { RowSum } from './row-sum.ts'

/** Events whose rows of large tables are read at once: there may be millions of them. */
const pageEvents = 1000

/** Checks every root of a store. */
export function* verifyStore(parts: Parts): Asking<Problem[]> {
  const problems: Problem[] = []
  for (const root of yield* ask(aboutLog.all_roots)) problems.push(...(yield* verifyRoot(parts, root)))
  return [...problems, ...(yield* verifyDiskBytes(parts)), ...(yield* verifyOrphans(parts))]
}

/** A root of which there are rows and no head; without an id where its first session is gone too, which still bore it. */
export interface Orphan extends Problem {
  readonly number: number
  readonly id: string | undefined
}

/** Rows whose root has no head. */
export function* verifyOrphans(parts: Parts): Asking<Orphan[]> {
  const byRoot = new Map<number, string[]>()
  for (const table of parts.tables.filter((each) => each.ofRoot && each !== roots)) {
    for (const { root } of yield* askOrphans(table)) byRoot.set(root, [...(byRoot.get(root) ?? []), table.name])
  }
  const orphans: Orphan[] = []
  for (const [number, names] of byRoot) {
    const id = (yield* askRow(sessions, number, 0))?.id
    const what = 'have rows of a root that has no head'
    orphans.push({ number, id, root: id ?? `root ${number}`, where: names.join(', '), what })
  }
  return orphans
}

/** The log of a root has no gap and no changed byte, and its views are what a replay of it gives. */
export function* verifyRoot(parts: Parts, root: RootNamed): Asking<Problem[]> {
  const large = parts.tables.filter(({ many }) => many !== undefined)
  const sums = new Map(large.map((table) => [table, new RowSum(table)]))
  // Keeping a million rows in memory to find that they are all right would be waste: they are compared by a sum over all of them.
  const chains = new LiveChains((table, row) => sums.get(table)?.add(row))
  const rows = yield* replay(parts, root, (rows, made) => chains.add(rows, made))
  if ('what' in rows) return [{ root: root.id, where: `event ${rows.seq}`, what: rows.what }]
  const head = yield* askRow(roots, root.root)
  const end = missingEnd(rows, head)
  const problems = end === undefined ? [] : [{ root: root.id, where: `event ${end.seq}`, what: end.what }]
  for (const table of parts.tables) {
    if (!table.view || !table.ofRoot || table.many || table.shared) continue
    const stored = table === roots ? [head].filter((row) => row !== undefined) : yield* askRows(table, root.root)
    problems.push(...differences(root.id, table, stored, rows.all(table)))
  }
  for (const [table, expected] of sums) {
    for (const row of rows.all(table)) expected.add(row)
    const last = head?.seq ?? 0
    const stored = yield* sumStored(table, root.root, last)
    if (!stored.equals(expected)) problems.push(...(yield* compareLarge(parts, root, table)))
    problems.push(...(yield* verifyIndex(root, table, stored, last)))
  }
  return problems
}

function* sumStored(table: AnyTable, root: number, last: number): Asking<RowSum> {
  const sum = new RowSum(table)
  let from = Number.MIN_SAFE_INTEGER
  for (let next = pageEvents; from < Number.MAX_SAFE_INTEGER; next += pageEvents) {
    const to = next <= last ? next : Number.MAX_SAFE_INTEGER
    for (const row of yield* askRows(table, root, { column: 'seq', from, to })) sum.add(row)
    from = to
  }
  return sum
}

/** The slow way, once it is known that something differs: to say what. */
function* compareLarge(parts: Parts, root: RootNamed, table: AnyTable): Asking<Problem[]> {
  const rows = yield* replay(parts, root)
  if ('what' in rows) return []
  const stored = yield* askRows(table, root.root)
  return differences(root.id, table, stored, rows.all(table))
}

/** What finds the rows of a large table has them all, up to where it was filled, and no others. */
function* verifyIndex({ root, id }: RootNamed, table: AnyTable, stored: RowSum, last: number): Asking<Problem[]> {
  const index = table.indexedBy
  if (index === undefined) return []
  const filled = yield* askRow(indexing, root, table.name)
  const found = yield* askPlaces(index, root)
  const problems: Problem[] = []
  if ((filled?.upto ?? 0) > last)
    problems.push({ root: id, where: `${indexing.name} ${table.name}`, what: 'is further than the log' })
  const lineage = yield* lineageOf(root)
  const expected = stored.placesOf((seq) => seq <= (filled?.upto ?? 0) && isOwn(lineage, seq))
  for (const { value, count, sum } of found) {
    const wanted = expected.get(value)
    expected.delete(value)
    if (wanted?.count !== count || wanted.sum !== sum)
      problems.push({ root: id, where: `${index.name} ${value}`, what: 'has other places than there are versions' })
  }
  for (const value of expected.keys()) problems.push({ root: id, where: `${index.name} ${value}`, what: 'is missing' })
  return problems
}

function differences(root: string, table: AnyTable, stored: readonly object[], replayed: readonly object[]): Problem[] {
  const isThere = (row: object) => !table.blank?.(row)
  const expected = new Map(replayed.filter(isThere).map((row) => [table.place(row), row]))
  const problems: Problem[] = []
  const found = (place: string, what: string) =>
    problems.push({ root, where: `${table.name} ${place.replaceAll(placeSeparator, '/')}`, what })
  for (const row of stored.filter(isThere)) {
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

function firstDifference(table: AnyTable, row: object, wanted: object): string | undefined {
  const [one, other] = [row as Record<string, unknown>, wanted as Record<string, unknown>]
  return Object.keys(table.columns).find((column) => !table.unlogged.includes(column) && one[column] !== other[column])
}
