import type { Parameter } from '../domain/questions.ts'
import type { Table } from '../domain/tables.ts'
import * as tables from '../domain/tables.ts'
import type { Engine, RowsWritten, Work } from './engine.ts'
import { keyOf, selectPage } from './statements.ts'

/** Rows in one page, and in one transaction of whoever takes them. */
const pageRows = 1000

export const allTables = Object.values(tables) as unknown as readonly Table<never>[]

/** All rows of all tables, through whatever can select. */
export async function* dumpTables(
  select: (text: string, parameters: readonly Parameter[]) => Promise<object[]> | object[],
): AsyncGenerator<RowsWritten, void> {
  for (const table of allTables) {
    let last: Parameter[] | undefined
    for (;;) {
      const rows: object[] = await select(selectPage(table, last === undefined), [pageRows, ...(last ?? [])])
      if (rows.length > 0) yield { table, rows }
      if (rows.length < pageRows) break
      last = keyOf(table, rows.at(-1) as object)
    }
  }
}

/** Writes all rows of one store into another, empty one; resolves to how many of each table. */
export async function copyRows(from: AsyncIterable<RowsWritten>, to: Engine): Promise<Map<string, number>> {
  const copied = new Map<string, number>()
  for await (const page of from) {
    await to.write([], () => writing(page))
    copied.set(page.table.name, (copied.get(page.table.name) ?? 0) + page.rows.length)
  }
  return copied
}

function* writing(page: RowsWritten): Work<undefined> {
  yield []
  return { changes: [page], out: undefined }
}
