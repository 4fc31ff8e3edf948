import type { Parameter } from '../domain/log/questions.ts'
import { type Refusal, refuse } from '../domain/log/refusal.ts'
import type { AnyTable } from '../domain/log/tables.ts'
import { counters } from '../domain/log/tables.ts'
import type { RowsWritten } from './engine.ts'
import { bytesIn, keyOf, type Statement, selectPage } from './statements.ts'

/** Rows in one page, and in one of a table whose rows may each have a quarter of a megabyte. */
const pageRows = 1000
const largePageRows = 8

type Select = (statement: Statement) => Promise<object[]> | object[]

/** The rows of a table after a key. */
function pageOf(table: AnyTable, rows: number, last: readonly Parameter[] | undefined): Statement {
  return { text: selectPage(table, last === undefined), parameters: [rows, ...(last ?? [])], bytes: bytesIn(table) }
}

/** All rows that are copied, through whatever can select. */
export async function* dumpTables(tables: readonly AnyTable[], select: Select): AsyncGenerator<RowsWritten, void> {
  for (const table of tables) {
    if (!table.copied) continue
    const most = bytesIn(table) === undefined ? pageRows : largePageRows
    let last: Parameter[] | undefined
    for (;;) {
      const rows: object[] = await select(pageOf(table, most, last))
      if (rows.length > 0) yield { table, rows }
      if (rows.length < most) break
      last = keyOf(table, rows.at(-1) as object)
    }
  }
}

/** How many rows of each table went into a store. */
export type Filled = ReadonlyMap<string, number>

/** Within a transaction of the store that is filled: refuses one that has rows, and hands each page to `write`. */
export async function fillTables(
  tables: readonly AnyTable[],
  pages: AsyncIterable<RowsWritten>,
  select: Select,
  write: (page: RowsWritten) => Promise<void> | void,
): Promise<Filled> {
  for (const table of tables) {
    // Numbers that were drawn are no rows of anybody.
    if (!table.copied || table === counters) continue
    if ((await select(pageOf(table, 1, undefined))).length > 0) throw notEmpty()
  }
  const filled = new Map<string, number>()
  for await (const page of pages) {
    await write(page)
    filled.set(page.table.name, (filled.get(page.table.name) ?? 0) + page.rows.length)
  }
  return filled
}

function notEmpty(): Refusal {
  return refuse('already_exists', 'This store is not empty.', 'Restore into a new CAIRN_HOME or an empty database.')
}
