import { chainHash, digestOf, eventOf, firstHash } from '../../domain/log/event.ts'
import { evolve, moveHeads } from '../../domain/log/evolve.ts'
import type { BrokenEvent, Part, Parts } from '../../domain/log/part.ts'
import { type Asking, ask, askRows } from '../../domain/log/questions.ts'
import { type Made, ReplayedRows } from '../../domain/log/replayed-rows.ts'
import { rowsAt } from '../../domain/log/row-past.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type EventRow, type RootRow, rowVersions, type StreamRow, streams } from '../../domain/log/tables.ts'

/** Rows read at once while a log is replayed. */
const page = 1000

/** Called after each event with the rows as they are then, and with those of large tables that it made: it keeps those that are to stay. */
export type Watch = (rows: ReplayedRows, made: readonly Made[]) => void

function keepAll(rows: ReplayedRows, made: readonly Made[]): void {
  for (const { table, row } of made) rows.keep(table, row)
}

/** A root by its number in the store and its id. */
export type RootNamed = Pick<RootRow, 'root' | 'id'>

/** A stream whose bodies were removed up to a base, on which its rows are laid when the replay comes there. */
interface Base {
  readonly stream: StreamRow
  readonly part: Part
  /** The last event up to the base that names each key. */
  readonly named: Map<string, number>
}

/**
 * Rebuilds the rows of a root from its log, and checks the log on the way: no gap, no changed byte. Where bodies were
 * removed, the replay starts from what was kept of that moment.
 */
export function* replay(
  parts: Parts,
  { root, id }: RootNamed,
  watch: Watch = keepAll,
  rows = new ReplayedRows(root, id),
): Asking<ReplayedRows | BrokenEvent> {
  const bases = basesOf(parts, yield* askRows(streams, root))
  const versions = new Map<string, number>()
  let previous: Pick<EventRow, 'seq' | 'hash'> = { seq: 0, hash: firstHash }
  for (let more = true; more; ) {
    const events: readonly EventRow[] = yield* ask(aboutLog.log_since, root, previous.seq, page)
    more = events.length === page
    for (const row of events) {
      const what = checkEvent(row, previous, versions)
      if (what) return { seq: row.seq, what }
      const broken = (yield* layBases(rows, bases, row.seq)) ?? apply(parts, rows, row, bases)
      if (broken) return broken
      watch(rows, rows.takeMade())
      previous = row
    }
  }
  return (yield* layBases(rows, bases, Number.POSITIVE_INFINITY)) ?? rows
}

function basesOf(parts: Parts, all: readonly StreamRow[]): Map<string, Base> {
  const bases = new Map<string, Base>()
  for (const stream of all) {
    const part = parts.owner(stream.stream)
    if (stream.base > 0 && part?.bodies === 'removable') bases.set(stream.stream, { stream, part, named: new Map() })
  }
  return bases
}

/** Lays the bases that lie before an event. */
function* layBases(rows: ReplayedRows, bases: Map<string, Base>, seq: number): Asking<BrokenEvent | undefined> {
  for (const [name, { stream, part, named }] of bases) {
    if (seq <= stream.base) continue
    bases.delete(name)
    const broken = yield* part.ownPast?.lay(rows, stream, named) ?? layPast(rows, part, stream)
    if (broken) return broken
  }
  return undefined
}

/** The rows of a part whose views keep their past, as they were at the base. */
function* layPast(rows: ReplayedRows, { tables }: Part, { root, base }: StreamRow): Asking<undefined> {
  for (const table of tables.filter(({ past }) => past)) {
    rows.forget(table)
    for (const row of yield* rowsAt(table, root, base)) rows.keep(table, row)
  }
  for (const version of yield* askRows(rowVersions, root, { column: 'seq', from: 0, to: base + 1 })) {
    if (tables.some(({ name }) => name === version.tbl)) rows.keep(rowVersions, version)
  }
  return undefined
}

/** What an event does to the rows. One that a base stands for, or whose body may be absent, only moves the heads. */
function apply(
  parts: Parts,
  rows: ReplayedRows,
  row: EventRow,
  bases: ReadonlyMap<string, Base>,
): BrokenEvent | undefined {
  const base = bases.get(row.stream)
  if (base !== undefined && row.key !== null) base.named.set(row.key, row.seq)
  if (row.data !== null && base === undefined) {
    if (!parts.evolve.has(row.type)) return { seq: row.seq, what: `is of the type ${row.type}, which no part knows` }
    evolve(parts.evolve, rows, eventOf(row as EventRow & { data: string }))
    return undefined
  }
  moveHeads(rows, row)
  if (base !== undefined || parts.owner(row.stream)?.bodies === 'may be absent') return undefined
  return { seq: row.seq, what: 'has no body, and nothing else says what it did' }
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
  return chainHash(previous.hash, row, digest) === row.hash ? undefined : 'does not match its hash'
}

/** A head that is further than the log, and has not the hash of its last event, stands for events that are gone. */
export function missingEnd(rows: ReplayedRows, stored: RootRow | undefined): BrokenEvent | undefined {
  const { seq, hash } = rows.head() ?? { seq: 0, hash: firstHash }
  if (stored === undefined || stored.seq <= seq || stored.hash === hash) return undefined
  return { seq: seq + 1, what: `is missing: the log went on to ${stored.seq}` }
}
