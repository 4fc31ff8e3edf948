import { Refusal } from '../../domain/log/refusal.ts'
import { failpoint } from '../../failpoint.ts'
import { type Migration, pending, statementsOf } from '../migrations.ts'

/** As much of a connection as is needed here. */
interface Asks {
  query(text: string, values?: number[]): Promise<{ rows: { format: number }[] }>
}

/** One after another on any number of starting processes; the number is ours alone. */
const migrationLock = 0x43726e31

/** Brings a database to the newest format, in one transaction. */
export async function migrate(client: Asks, all: readonly Migration[]): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  await client.query('CREATE TABLE IF NOT EXISTS cairn_format (format BIGINT NOT NULL)')
  const { rows } = await client.query('SELECT format FROM cairn_format')
  const todo = pending(all, rows[0]?.format ?? 0)
  if (todo instanceof Refusal) throw todo
  for (const migration of todo) {
    for (const statement of statementsOf(migration)) {
      failpoint('migrate')
      await client.query(inPostgres(statement))
    }
    await client.query('DELETE FROM cairn_format')
    await client.query('INSERT INTO cairn_format VALUES ($1)', [migration.number])
  }
  await client.query('COMMIT')
}

/** Whole numbers are 64 bits and text sorts by code point, as in SQLite. */
function inPostgres(statement: string): string {
  return statement
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replace(/\bBLOB\b/g, 'BYTEA')
}
