import store from '../../migrations/0001_store.sql'
import work from '../../migrations/0002_work.sql'
import { type Refusal, refuse } from '../domain/log/refusal.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** Append-only: a migration once released is never edited; a test holds their hashes. */
export const migrations: readonly Migration[] = [
  { number: 1, name: '0001_store', sql: store },
  { number: 2, name: '0002_work', sql: work },
]

/** What a store at this number still needs, or why this program may not touch it. */
export function pending(all: readonly Migration[], applied: number): readonly Migration[] | Refusal {
  if (applied <= all.length) return all.slice(applied)
  return refuse(
    'store_too_new',
    `This store has format ${applied}; this program knows formats up to ${all.length}.`,
    'Use the newer program that wrote it, or another CAIRN_HOME.',
    { store_format: applied, program_format: all.length },
  )
}

/** A store from before the first format: it bears a number of ours and has other tables. */
export function tooOld(store: string, what: string): Refusal {
  return refuse(
    'store_too_old',
    `${store} was made before the first format that this program can bring up to date: ${what}.`,
    'Read it with the program that wrote it; for a new store move it away, or set another CAIRN_HOME.',
    { program_format: migrations.length },
  )
}

/** The statements of a migration, one by one: comments and semicolons never stand inside of one here. */
export function statementsOf(migration: Migration): string[] {
  return migration.sql
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
