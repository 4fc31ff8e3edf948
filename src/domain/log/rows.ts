import type { Json } from '../../json/value.ts'
import type { Parameter, Questions } from './questions.ts'
import type { RootRow, Table } from './tables.ts'

/** A row that an operation needs before it can decide. */
export type Ref =
  | { readonly table: Table<never>; readonly key: readonly (string | number)[] }
  /** Versions of a key from `from` back along `prior`, down to but without version `above`. */
  | { readonly chain: string; readonly from: number; readonly above: number }
  /** All keys of the root. */
  | { readonly allKeys: true }
  /** The keys that begin like this. */
  | { readonly keysFrom: string }
  /** All schemas of the root. */
  | { readonly allSchemas: true }
  /** Keys that go when this session ends. */
  | { readonly ownedBy: number }
  /** Keys whose time is over at this moment; not more than a batch of them. */
  | { readonly dueBy: number }
  /** All sessions of the root. */
  | { readonly allSessions: true }
  | PastRef

export function rowOf<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Ref {
  return { table: table as unknown as Table<never>, key }
}

/** The rows of one root as they are now, in memory. Decisions read them, `evolve` writes them, the log flushes them. */
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

/** What the store answers about the past of this root; the root itself is left out of `with`. */
export interface PastRef<Q extends PastQuestion = PastQuestion> {
  readonly past: Q
  readonly with: readonly Parameter[]
}

/** Questions whose answers stay the same whatever is written: about places in the log that are behind it. */
type PastQuestion = 'key_at' | 'place_at_time'

/** Rows that can also be asked about the past. Only what was there before the group began is known to it. */
export interface RowsWithPast extends Rows {
  past<Q extends PastQuestion>(ref: PastRef<Q>): readonly Questions[Q][]
}

/** An answer as it is given to a caller and remembered for a repeat. */
export type Answer = { readonly [key: string]: Json }
