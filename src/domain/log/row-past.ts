import type { Json } from '../../json/value.ts'
import { type Asking, ask, askRows } from './questions.ts'
import type { AnyTable, RowVersionRow, Table } from './tables.ts'

/** The columns of a view whose past is kept: not its root, and not what a fork has others of. */
function keptColumns(table: AnyTable): string[] {
  return Object.keys(table.columns).filter((column) => column !== 'root' && !table.given.includes(column))
}

/** A row as an event left it. */
export function rowVersion<Row extends object>(table: Table<Row>, root: number, seq: number, row: Row): RowVersionRow {
  const values = keptColumns(table).map((column) => row[column as keyof Row])
  return { root, tbl: table.name, place: table.place(row), seq, row: JSON.stringify(values) }
}

/** The rows of a view as they were after an event, in the order of their places. */
export function* rowsAt<Row extends object>(table: Table<Row>, root: number, at: number): Asking<Row[]> {
  const versions = yield* ask('rows_at', root, table.name, at)
  const present = new Map((yield* askRows(table, root)).map((row) => [table.place(row), row]))
  const columns = keptColumns(table)
  return versions.map(({ place, row: text }) => {
    const values = JSON.parse(text) as Json[]
    const kept = Object.fromEntries(columns.map((column, at) => [column, values[at]]))
    const now = present.get(place)
    const given = Object.fromEntries(table.given.map((column) => [column, now?.[column]]))
    return { root, ...kept, ...given } as Row
  })
}
