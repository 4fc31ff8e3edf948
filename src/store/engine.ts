import type { LeaseTime } from '../domain/log/lease-time.ts'
import type { Asking, Load, Parameter } from '../domain/log/questions.ts'
import { Refusal } from '../domain/log/refusal.ts'
import { type AnyTable, events, type RootRow } from '../domain/log/tables.ts'
import { failpoint } from '../failpoint.ts'
import type { Filled } from './dump.ts'
import type { Layout } from './layout.ts'
import { clearRows, copyRows, cutRows, type Deed, deeds, fillIndex, removeRow, type Statement } from './statements.ts'

/**
 * Rows to write into one table; a deed of upkeep to be done, once for each of its lists of parameters; all rows of a root to be taken
 * out of a table; rows of a stretch of the log to be copied to another root, or those after an event to be taken out; or the rows of a stretch of the log to be put into the table that finds them by other columns.
 */
export type Changes =
  | RowsWritten
  | { readonly deed: Deed; readonly each: readonly (readonly Parameter[])[] }
  | { readonly clear: AnyTable; readonly root: number }
  | { readonly remove: AnyTable; readonly keys: readonly (readonly Parameter[])[] }
  | {
      readonly copy: AnyTable
      readonly root: number
      readonly to: number
      readonly after: number
      readonly upto: number
    }
  | { readonly cut: AnyTable; readonly root: number; readonly after: number }
  | { readonly index: AnyTable; readonly root: number; readonly after: number; readonly upto: number }

export interface RowsWritten {
  readonly table: AnyTable
  readonly rows: readonly object[]
}

/** Work in a transaction: yields what it has to know, is given the rows of each, and ends with what is to be written. */
export type Work<Out> = Generator<readonly Load[], { changes: readonly Changes[]; out: Out }, readonly object[][]>

/** Starts work with the heads it holds and the time that leases run by. */
export type Starts<Out> = (heads: RootRow[], time: LeaseTime) => Work<Out>

/**
 * A database that keeps Cairn's rows. The two engines differ in how they wait and how they lock; what they run is the
 * same text.
 */
export interface Engine {
  readonly layout: Layout

  /** Groups of this engine hold one root each: it locks by root. Otherwise it has one writer for all of them. */
  readonly locksByRoot: boolean

  /** Runs a reading. With `snapshot`, all its questions see one moment; one that may take long goes `aside`, and others go on meanwhile. */
  read<Out>(reading: Asking<Out>, snapshot: boolean | 'aside'): Promise<Out>

  /**
   * Runs work in one transaction that holds the given roots, writes its changes and commits. Once it has answered, they are
   * on disk; when it fails with `Lost`, nothing was written; with a refusal `outcome_unknown`, nobody knows. An engine that
   * can do it at once answers at once.
   */
  write<Out>(roots: readonly number[], work: Starts<Out>): Out | Promise<Out>

  /**
   * Calls back when another process may have written, with the roots if they are known, until it is stopped. Only a hint: it
   * may come for nothing and may come late by `hintMs`, and whoever hears it reads from its own sequence.
   */
  watch(moved: Moved): { stop(): void }

  /** What the clock shows that leases run by. */
  leaseTime(): LeaseTime | Promise<LeaseTime>

  /** Takes so many numbers of a kind that nobody else will ever take in this store; answers with the first of them. */
  draw(kind: string, count: number): Promise<number>

  /** Tells other processes that watch. Never fails: who misses it hears of it a little later. */
  announce(roots: readonly number[]): void

  /** What the engine can say of its file, its settings and its version. */
  examine(): Promise<{ name: string; ok: boolean; detail: string }[]>

  /** All rows of all tables as of one moment, page by page. */
  dump(): AsyncIterable<RowsWritten>

  /** Writes a copy as of one moment to a new SQLite file. */
  backup(path: string): Promise<Copied>

  /** Writes rows into this store in one transaction: all of them or, whatever happens on the way, none. Refused unless it is empty. */
  fill(pages: AsyncIterable<RowsWritten>): Promise<Filled>

  /** Overwrites what removed rows have left behind in the files; says what it cannot reach. */
  scrub(): Promise<string[]>

  close(): Promise<void>
}

/** What is in a copy. */
export interface Copied {
  readonly bytes: number
  readonly roots: number
}

export type Moved = (roots: readonly number[] | undefined) => void

/** How often a process that watches looks whether another one wrote, where nobody tells it. */
export const hintMs = 50

/** Another transaction was first: it remembered the same request id, or was in the way. Running the work again finds out. */
export class Lost extends Error {}

/** In the details of a failure: a table did not take a row, as there is one like it or it holds what none may. */
export const notTaken = { row_not_taken: true }

export function isNotTaken(error: unknown): boolean {
  return error instanceof Refusal && error.details.row_not_taken === true
}

/** Both engines pass here before they write the rows of a table. */
export function aboutToWrite(change: Changes): void {
  failpoint('table' in change && change.table.name === events.name ? 'append' : 'project')
}

/** The rows of several changes, table by table: each table is written with one statement. */
export function byTable(changes: readonly RowsWritten[]): RowsWritten[] {
  const tables = new Map<string, { table: AnyTable; rows: object[] }>()
  for (const { table, rows } of changes) {
    const entry = tables.get(table.name)
    if (entry === undefined) tables.set(table.name, { table, rows: [...rows] })
    else entry.rows.push(...rows)
  }
  return [...tables.values()]
}

/** The tables that an engine keeps a table as; most are kept as themselves. */
export type KeptAs = (table: AnyTable) => readonly AnyTable[]

/** The statements of a change that is no rows, once for each list of parameters. */
export function statementsFor(
  change: Exclude<Changes, RowsWritten>,
  keptAs: KeptAs = (table) => [table],
): readonly Statement[] {
  if ('deed' in change) return change.each.map((parameters) => ({ text: deeds[change.deed], parameters }))
  if ('copy' in change) {
    const parameters = [change.root, change.to, change.after, change.upto]
    return keptAs(change.copy).map((table) => ({ text: copyRows(table), parameters }))
  }
  if ('cut' in change) {
    return keptAs(change.cut).map((table) => ({ text: cutRows(table), parameters: [change.root, change.after] }))
  }
  if ('remove' in change) {
    const text = removeRow(change.remove)
    return change.keys.map((parameters) => ({ text, parameters }))
  }
  if ('clear' in change)
    return keptAs(change.clear).map((table) => ({ text: clearRows(table), parameters: [change.root] }))
  return [{ text: fillIndex(change.index), parameters: [change.root, change.after, change.upto] }]
}
