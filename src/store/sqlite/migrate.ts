import { Refusal } from '../../domain/log/refusal.ts'
import { failpoint } from '../../failpoint.ts'
import { type Migration, pending, statementsOf } from '../migrations.ts'
import { applicationId } from './file.ts'

/** As much of a connection as is needed here. */
interface Runs {
  exec(text: string): void
}

/** Brings a file to the newest format, in one transaction. `format` reads the one it has. */
export function migrate(db: Runs, all: readonly Migration[], format: () => number, undo: () => void): void {
  if (todo(all, format()).length === 0) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Looks again under the lock: another process may have migrated meanwhile.
    for (const migration of todo(all, format())) apply(db, migration)
    db.exec(`PRAGMA application_id = ${applicationId}`)
    db.exec('COMMIT')
  } catch (error) {
    undo()
    throw error
  }
  // The file is then seen to be a store even where its log has been lost.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function todo(all: readonly Migration[], applied: number): readonly Migration[] {
  const found = pending(all, applied)
  if (found instanceof Refusal) throw found
  return found
}

function apply(db: Runs, migration: Migration): void {
  for (const statement of statementsOf(migration)) {
    failpoint('migrate')
    db.exec(inSqlite(statement))
  }
  db.exec(`PRAGMA user_version = ${migration.number}`)
}

/** Rows of these may be long. In a table without row ids a search reads every row that it compares with whole. */
const withRowIds = /^CREATE TABLE (?:events|state_keys|state_versions) /

/** All other tables are lean: their rows lie in the order of their keys, and nothing lies beside them. */
function inSqlite(statement: string): string {
  if (!statement.startsWith('CREATE TABLE')) return statement
  return withRowIds.test(statement) ? `${statement} STRICT` : `${statement} STRICT, WITHOUT ROWID`
}
