import type { Json } from '../../json/value.ts'
import type { Parameter, PastQuestion } from './questions.ts'
import type { AnyTable, RootRow, Table } from './tables.ts'

/** What an operation needs before it can decide: a row, a range of rows or all of a table, the first of them, or an answer about the past. */
export type Ref = RowRef | RangeRef | FirstRef | PastRef

export interface RowRef {
  readonly table: AnyTable
  readonly key: readonly (string | number)[]
}

/** The rows of a root whose column is from `from` to before `to`, in the order of that column; all of its rows without a column. */
export interface RangeRef {
  readonly table: AnyTable
  readonly range: Range
}

export interface Range {
  readonly column?: string
  readonly from?: string | number
  readonly to?: string | number
  /** Not more than so many; all of them unless given. */
  readonly most?: number
}

/** The row of a root with the lowest number in a column, from `from` to before `to`. However many there are, few of them are loaded. */
export interface FirstRef<Row extends object = never> {
  readonly table: [Row] extends [never] ? AnyTable : Table<Row>
  readonly first: { readonly column: string; readonly from: number; readonly to?: number }
}

/** What the store answers about the past of this root; the root itself is left out of `with`. */
export interface PastRef<Row extends object = object> {
  readonly past: PastQuestion<Row>
  readonly with: readonly Parameter[]
  /** The answers are rows of this table, and are known as such. */
  readonly rowsOf?: AnyTable
}

export function rowOf<Row extends object>(table: Table<Row>, ...key: (string | number)[]): RowRef {
  return { table, key }
}

export function allOf<Row extends object>(table: Table<Row>): RangeRef {
  return { table, range: {} }
}

/** The rows of one root as they are now, in memory. Decisions read them, `evolve` writes them, the log flushes them. */
export interface Rows {
  readonly root: number
  /** The id of the root session. */
  readonly id: string
  /** The head of the log, or undefined when there is no such root (yet). */
  head(): RootRow | undefined
  setHead(head: RootRow): void
  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined
  /** All loaded rows of a table; complete once all of them were asked for. */
  all<Row extends object>(table: Table<Row>): Row[]
  put<Row extends object>(table: Table<Row>, row: Row): void
  /** Which of these still have to be loaded. */
  missing(refs: readonly Ref[]): Ref[]
  /**
   * The row whose text was last made out of a value, with that value: a change that follows at once need not parse a megabyte again.
   * It is forgotten before anybody is answered, as answers share such values.
   */
  lastMade: { readonly row: object; readonly value: Json } | undefined
}

/** Rows that can also be asked about the past. Only what was there before the group began is known to it. */
export interface RowsWithPast extends Rows {
  past<Row extends object>(ref: PastRef<Row>): readonly Row[]
  /** The first row by a column as the rows are at this moment; where that is not known, it is loaded and all is decided anew. */
  first<Row extends object>(ref: FirstRef<Row>): Row | undefined
  /** Goes on only where all of this is loaded; else it is loaded and all is decided anew. */
  mustKnow(refs: readonly Ref[]): void
}

/** An answer as it is given to a caller and remembered for a repeat. */
export type Answer = { readonly [key: string]: Json }
