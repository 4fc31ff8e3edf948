import type { AnyTable } from '../../domain/log/tables.ts'
import { makePrivateFile } from './file.ts'

/** As much of a connection as is needed here. */
interface Reads {
  exec(text: string): void
  prepare(text: string): { get(): unknown }
  close(): void
}

/**
 * Copies a database page by page and resolves to how many roots are in the copy. The reader stays at one moment: one that saw
 * others write would begin again at each of their commits.
 */
export async function copyDatabase<Reader extends Reads>(
  reader: Reader,
  to: string,
  copy: (reader: Reader, to: string) => Promise<unknown>,
): Promise<number> {
  try {
    makePrivateFile(to)
    reader.exec('BEGIN')
    const { roots } = reader.prepare('SELECT count(*) AS roots FROM roots').get() as { roots: number }
    await copy(reader, to)
    return roots
  } finally {
    reader.close()
  }
}

/** Pages are copied as they are, so what does not belong into a copy is taken out of it, down to its bytes. */
export function emptyCopy(copy: Reads, tables: readonly AnyTable[]): void {
  try {
    copy.exec('PRAGMA secure_delete = ON')
    for (const { name, copied } of tables) if (!copied) copy.exec(`DELETE FROM ${name}`)
    copy.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    copy.close()
  }
}
