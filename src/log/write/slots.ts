import type { AnyTable, Table } from '../../domain/log/tables.ts'

/** One row in memory: `null` when it is known not to exist, undefined while nothing is known of it. */
export interface Slot {
  row: object | null | undefined
  changed: boolean
  /** It was changed in this group, though that may have been taken back since. */
  touched: boolean
}

/** The rows of one table in memory, by their place. */
export interface Loaded {
  readonly table: AnyTable
  slots: Map<string, Slot>
  touched: Slot[]
}

export interface Undo {
  readonly slot: Slot
  readonly row: Slot['row']
  readonly changed: boolean
}

export function newLoaded<Row extends object>(table: Table<Row>): Loaded {
  return { table, slots: new Map(), touched: [] }
}
