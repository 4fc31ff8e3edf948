import { Refusal } from '../../domain/log/refusal.ts'
import type { AnyTable } from '../../domain/log/tables.ts'
import { failpoint } from '../../failpoint.ts'
import type { Layout } from '../layout.ts'
import { type Migration, pending, statementsOf } from '../migrations.ts'
import { applicationId } from './file.ts'
import { splitOf, textsStatement, viewStatements } from './long-texts.ts'

/** As much of a connection as is needed here. */
export interface Asks {
  exec(text: string): void
  prepare(text: string): { get(): unknown; all(): unknown[] }
}

/** Brings a file to the newest format, in one transaction. */
export function migrate(db: Asks, { migrations, tables }: Layout, undo: () => void): void {
  if (todo(migrations, formatOf(db)).length === 0) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Looks again under the lock: another process may have migrated meanwhile.
    const steps = todo(migrations, formatOf(db))
    for (const step of steps) apply(db, step, tables)
    if (steps.length > 0) showTables(db, tables)
    db.exec(`PRAGMA application_id = ${applicationId}`)
    db.exec('COMMIT')
  } catch (error) {
    undo()
    throw error
  }
  // The file is then seen to be a store even where its log has been lost.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function formatOf(db: Asks): number {
  const { user_version: format } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return format
}

function todo(all: readonly Migration[], applied: number): readonly Migration[] {
  const found = pending(all, applied)
  if (found instanceof Refusal) throw found
  return found
}

function apply(db: Asks, migration: Migration, tables: readonly AnyTable[]): void {
  for (const statement of statementsOf(migration)) {
    failpoint('migrate')
    for (const each of inSqlite(statement, tables)) db.exec(each)
  }
  db.exec(`PRAGMA user_version = ${migration.number}`)
}

/** A view has the columns that its table has now. */
function showTables(db: Asks, tables: readonly AnyTable[]): void {
  for (const table of tables) {
    if (splitOf(table) === undefined) continue
    db.exec(`DROP VIEW IF EXISTS ${table.name}`)
    for (const statement of viewStatements(table)) db.exec(statement)
  }
}

const named = /^(CREATE TABLE|ALTER TABLE|CREATE (?:UNIQUE )?INDEX \w+ ON) (\w+)/

/**
 * Tables are lean: their rows lie in the order of their keys, and nothing lies beside them. Only one that may have long rows, and
 * cannot keep what is long elsewhere, has row ids.
 */
function inSqlite(statement: string, tables: readonly AnyTable[]): string[] {
  const [, start, name] = named.exec(statement) ?? []
  const table = tables.find((each) => each.name === name)
  const split = table === undefined ? undefined : splitOf(table)
  const meant = split === undefined ? statement : statement.replace(named, `${start} ${split.rows.name}`)
  if (start !== 'CREATE TABLE') return [meant]
  const made = table?.long.length && split === undefined ? `${meant} STRICT` : `${meant} STRICT, WITHOUT ROWID`
  const texts = table === undefined ? undefined : textsStatement(table)
  return texts === undefined ? [made] : [made, texts]
}
