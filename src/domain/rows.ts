import type { Json } from './json.ts'
import type { RootRow, Table } from './tables.ts'

/** A row that an operation needs before it can decide. */
export type Ref =
  | { readonly table: Table<never>; readonly key: readonly (string | number)[] }
  /** Versions of a key from `from` back along `prior`, down to but without version `above`. */
  | { readonly chain: string; readonly from: number; readonly above: number }
  /** All keys of the root. */
  | { readonly allKeys: true }
  /** All sessions of the root. */
  | { readonly allSessions: true }

export function rowOf<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Ref {
  return { table: table as unknown as Table<never>, key }
}

/** The rows of one root as they are now, in memory. Decisions read them, `evolve` writes them, the journal flushes them. */
export interface Rows {
  readonly root: string
  /** The head of the log, or undefined when there is no such root (yet). */
  head(): RootRow | undefined
  setHead(head: RootRow): void
  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined
  /** All loaded rows of a table; complete once the matching `all…` ref was loaded. */
  all<Row extends object>(table: Table<Row>): Row[]
  put<Row extends object>(table: Table<Row>, row: Row): void
  /** Which of these still have to be loaded. */
  missing(refs: readonly Ref[]): Ref[]
}

/** An answer as it is given to a caller and remembered for a repeat. */
export type Answer = { readonly [key: string]: Json }
