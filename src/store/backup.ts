import { systemClock } from '../clock.ts'
import { Refusal } from '../domain/log/refusal.ts'
import type { Filled } from './dump.ts'
import type { Copied, Engine, RowsWritten } from './engine.ts'
import type { Layout } from './layout.ts'
import { SqliteEngine } from './sqlite/engine.ts'
import { notWritable, refuseMissing, writeWhole } from './sqlite/file.ts'

function openFile(path: string, layout: Layout): Promise<SqliteEngine> {
  return SqliteEngine.open({ path, clock: systemClock(), layout, waits: 'blocking' })
}

/** Writes rows as a store of their own. */
export function backupRows(rows: AsyncIterable<RowsWritten>, path: string, layout: Layout): Promise<Copied> {
  return writeWhole(path, async (unfinished) => {
    const file = await openFile(unfinished, layout)
    try {
      const filled = await file.fill(rows)
      file.seal()
      return filled.get('roots') ?? 0
    } finally {
      await file.close()
    }
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? error : notWritable(path)
  })
}

/** Fills an empty store from a backup that `check` finds in order. */
export async function restoreRows(path: string, to: Engine, check: (file: Engine) => Promise<void>): Promise<Filled> {
  refuseMissing(path)
  const file = await openFile(path, to.layout)
  try {
    await check(file)
    return await to.fill(file.dump())
  } finally {
    await file.close()
  }
}
