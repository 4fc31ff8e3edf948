import log from '../../migrations/0001_log.sql'
import leasesAndFloors from '../../migrations/0002_leases_and_floors.sql'
import traits from '../../migrations/0003_traits.sql'
import lapses from '../../migrations/0004_lapses.sql'
import schemas from '../../migrations/0005_schemas.sql'
import tokens from '../../migrations/0006_tokens.sql'
import { type Refusal, refuse } from '../domain/log/refusal.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** Append-only: a migration once released is never edited; a test holds their hashes. */
export const migrations: readonly Migration[] = [
  { number: 1, name: '0001_log', sql: log },
  { number: 2, name: '0002_leases_and_floors', sql: leasesAndFloors },
  { number: 3, name: '0003_traits', sql: traits },
  { number: 4, name: '0004_lapses', sql: lapses },
  { number: 5, name: '0005_schemas', sql: schemas },
  { number: 6, name: '0006_tokens', sql: tokens },
]

export const newest = migrations.length

/** What a store at this number still needs, or why this program may not touch it. */
export function pending(applied: number): readonly Migration[] | Refusal {
  if (applied <= newest) return migrations.slice(applied)
  return refuse(
    'store_too_new',
    `This store has format ${applied}; this program knows formats up to ${newest}.`,
    'Use the newer program that wrote it, or another CAIRN_HOME.',
    { store_format: applied, program_format: newest },
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
