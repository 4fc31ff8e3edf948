import type { AnyTable } from '../domain/log/tables.ts'
import type { Migration } from './migrations.ts'

/** What a store is made of: its tables, and the steps that make them. */
export interface Layout {
  readonly tables: readonly AnyTable[]
  readonly migrations: readonly Migration[]
}
