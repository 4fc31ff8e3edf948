import type { Json } from '../../json/value.ts'
import { type Asking, ask, askRow, askRows } from './questions.ts'
import { aboutLog } from './sql/about-log.ts'
import { type AnyTable, placeOf, type RowVersionRow, type Table } from './tables.ts'

/** The columns of a view whose past is kept: not its root, and not what a fork has others of. */
function keptColumns(table: AnyTable): string[] {
  return Object.keys(table.columns).filter((column) => column !== 'root' && !table.given.includes(column))
}

/** A row as an event left it. */
export function rowVersion<Row extends object>(table: Table<Row>, root: number, seq: number, row: Row): RowVersionRow {
  const values = keptColumns(table).map((column) => row[column as keyof Row])
  return { root, tbl: table.name, place: table.place(row), seq, row: JSON.stringify(values) }
}

/** A row from what was kept of it; what it was given once stands in the row that is there now. */
export function rowThen<Row extends object>(table: Table<Row>, now: Row | undefined, kept: string): Row {
  const values = JSON.parse(kept) as Json[]
  const then = Object.fromEntries(keptColumns(table).map((column, at) => [column, values[at]]))
  const given = Object.fromEntries(table.given.map((column) => [column, now?.[column]]))
  return { ...then, ...given } as Row
}

/** The rows of a view as they were after an event, in the order of their places. */
export function* rowsAt<Row extends object>(table: Table<Row>, root: number, at: number): Asking<Row[]> {
  const versions = yield* ask(aboutLog.rows_at, root, table.name, at)
  const present = new Map((yield* askRows(table, root)).map((row) => [table.place(row), row]))
  return versions.map(({ place, row }) => ({ root, ...rowThen(table, present.get(place), row) }))
}

/** One row as it is, or as it was after an event, by its key after the root. */
export function* oneRowThen<Row extends object>(
  table: Table<Row>,
  root: number,
  key: readonly (string | number)[],
  at: number | undefined,
): Asking<Readonly<Row> | undefined> {
  if (at === undefined) return yield* askRow(table, root, ...key)
  const [kept] = yield* ask(aboutLog.row_at, root, table.name, placeOf(key), at)
  if (kept === undefined) return undefined
  const now = table.given.length === 0 ? undefined : yield* askRow(table, root, ...key)
  return { root, ...rowThen(table, now, kept.row) }
}

/** Rows of a table as they are, or as they were after an event. */
export function* rowsThen<Row extends object>(
  table: Table<Row>,
  root: number,
  at: number | undefined,
): Asking<readonly Readonly<Row>[]> {
  return at === undefined ? yield* askRows(table, root) : yield* rowsAt(table, root, at)
}

/** The one row of a table that has one. */
export function* onlyRowThen<Row extends object>(
  table: Table<Row>,
  root: number,
  at: number | undefined,
): Asking<Readonly<Row> | undefined> {
  return at === undefined ? yield* askRow(table as AnyTable, root) : (yield* rowsAt(table, root, at))[0]
}
