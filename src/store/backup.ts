import { systemClock } from '../clock.ts'
import { Refusal } from '../domain/refusal.ts'
import { copyRows } from './dump.ts'
import type { Engine, RowsWritten } from './engine.ts'
import { SqliteEngine } from './sqlite.ts'
import { notWritable, refuseMissing, writeWhole } from './sqlite-file.ts'

function openFile(path: string): Promise<SqliteEngine> {
  return SqliteEngine.open({ path, clock: systemClock(), waits: 'blocking' })
}

/** Writes rows as a store of their own. */
export function backupRows(rows: AsyncIterable<RowsWritten>, path: string): Promise<number> {
  return writeWhole(path, async (unfinished) => {
    const file = await openFile(unfinished)
    await copyRows(rows, file)
      .then(() => file.seal())
      .finally(() => file.close())
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? error : notWritable(path)
  })
}

/** Fills an empty store from a backup; resolves to how many rows of each table. */
export async function restoreRows(path: string, to: Engine): Promise<Map<string, number>> {
  refuseMissing(path)
  const file = await openFile(path)
  return copyRows(file.dump(), to).finally(() => file.close())
}
