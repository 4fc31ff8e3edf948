import { chainHash, digestOf, eventOf, firstHash } from '../domain/event.ts'
import { evolve } from '../domain/evolve.ts'
import { type Asking, ask } from '../domain/questions.ts'
import {
  type EventRow,
  roots,
  sessionNames,
  sessions,
  stateKeys,
  stateVersions,
  streams,
  type Table,
} from '../domain/tables.ts'
import { Overlay } from './overlay.ts'

/** Something that is not as the log says: where it is and what is wrong. */
export interface Problem {
  readonly root: string
  readonly where: string
  readonly what: string
}

/** Events read at once while a log is checked. */
const pageEvents = 1000

/** Checks every root of a store. */
export function* verifyStore(): Asking<Problem[]> {
  const problems: Problem[] = []
  for (const { root } of yield* ask('all_roots')) problems.push(...(yield* verifyRoot(root)))
  return problems
}

/** The log of a root has no gap and no changed byte, and its views are what a replay of it gives. */
export function* verifyRoot(root: string): Asking<Problem[]> {
  const replayed = new Overlay(root, undefined)
  const problems = yield* checkLog(root, replayed)
  return problems.length > 0 ? problems : yield* compareViews(root, replayed)
}

function* checkLog(root: string, replayed: Overlay): Asking<Problem[]> {
  const problems: Problem[] = []
  const versions = new Map<string, number>()
  let previous: Pick<EventRow, 'seq' | 'hash'> = { seq: 0, hash: firstHash }
  for (let more = true; more; ) {
    const page: EventRow[] = yield* ask('events_since', root, previous.seq, pageEvents)
    more = page.length === pageEvents
    for (const row of page) {
      const what = checkEvent(row, previous, versions)
      if (what) problems.push({ root, where: `event ${row.seq}`, what })
      // What follows a broken event would only repeat that it is broken.
      if (problems.length > 0) return problems
      if (row.data !== null) evolve(replayed, eventOf(row as EventRow & { data: string }))
      previous = row
    }
  }
  return problems
}

function checkEvent(
  row: EventRow,
  previous: Pick<EventRow, 'seq' | 'hash'>,
  versions: Map<string, number>,
): string | undefined {
  if (row.seq !== previous.seq + 1) return `follows ${previous.seq}: there is a gap`
  const version = (versions.get(row.stream) ?? 0) + 1
  if (row.version !== version) return `is version ${row.version} of ${row.stream}, expected ${version}`
  versions.set(row.stream, version)
  const digest = row.data === null ? row.digest : digestOf(row.data)
  if (digest === null) return 'has neither a body nor the digest of one'
  return chainHash(previous.hash, row, digest) === row.hash ? undefined : 'does not fit its hash'
}

function* compareViews(root: string, replayed: Overlay): Asking<Problem[]> {
  return [
    ...differences(root, roots, yield* ask('head', root), replayed),
    ...differences(root, streams, yield* ask('streams_of_root', root), replayed),
    ...differences(root, sessions, yield* ask('sessions_of_root', root), replayed),
    ...differences(root, sessionNames, yield* ask('names_of_root', root), replayed),
    ...differences(root, stateKeys, yield* ask('keys_of_root', root), replayed),
    ...differences(root, stateVersions, yield* ask('versions_of_root', root), replayed),
  ]
}

/** Columns that say how rows are kept and not what the log says. */
const notReplayed: ReadonlySet<string> = new Set(['generation', 'origin', 'origin_seq', 'floor'])

function differences<Row extends object>(
  root: string,
  table: Table<Row>,
  stored: readonly Row[],
  replayed: Overlay,
): Problem[] {
  const expected = new Map(replayed.all(table).map((row) => [table.place(row), row]))
  const problems: Problem[] = []
  for (const row of stored) {
    const place = table.place(row)
    const wanted = expected.get(place)
    expected.delete(place)
    const column = wanted && firstDifference(table, row, wanted)
    if (wanted === undefined) problems.push({ root, where: `${table.name} ${shown(place)}`, what: 'is not in the log' })
    else if (column) problems.push({ root, where: `${table.name} ${shown(place)}`, what: `differs in ${column}` })
  }
  for (const place of expected.keys())
    problems.push({ root, where: `${table.name} ${shown(place)}`, what: 'is missing' })
  return problems
}

function firstDifference<Row extends object>(table: Table<Row>, row: Row, wanted: Row): string | undefined {
  const columns = Object.keys(table.columns) as (keyof Row & string)[]
  return columns.find((column) => !notReplayed.has(column) && row[column] !== wanted[column])
}

function shown(place: string): string {
  return place.replaceAll('\0', '/')
}
