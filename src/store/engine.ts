import type { LeaseTime } from '../domain/leases/lease.ts'
import type { Asking, Parameter, Question } from '../domain/log/questions.ts'
import { events, type RootRow, type Table } from '../domain/log/tables.ts'
import { failpoint } from '../failpoint.ts'
import type { Filled } from './dump.ts'
import type { Deed } from './statements.ts'

/** Rows to write into one table, or a deed of upkeep to be done, once for each of its lists of parameters. */
export type Changes = RowsWritten | { readonly deed: Deed; readonly each: readonly (readonly Parameter[])[] }

export interface RowsWritten {
  readonly table: Table<never>
  readonly rows: readonly object[]
}

/** A row by its whole key (`root` included where the table belongs to a root), or what a question answers. */
export type Load = Question | { readonly table: Table<never>; readonly key: readonly (string | number)[] }

/** Work in a transaction: yields what it has to know, is given the rows of each, and ends with what is to be written. */
export type Work<Out> = Generator<readonly Load[], { changes: readonly Changes[]; out: Out }, readonly object[][]>

/** Starts work with the heads it holds and the time that leases run by. */
export type Starts<Out> = (heads: RootRow[], time: LeaseTime) => Work<Out>

/**
 * A database that keeps Cairn's rows. The two engines differ in how they wait and how they lock; what they run is the
 * same text.
 */
export interface Engine {
  /** Groups of this engine hold one root each: it locks by root. Otherwise it has one writer for all of them. */
  readonly locksByRoot: boolean

  /** Runs a reading. With `snapshot`, all its questions see one moment. */
  read<Out>(reading: Asking<Out>, snapshot: boolean): Promise<Out>

  /**
   * Runs work in one transaction that holds the given roots, writes its changes and commits. Once it has answered, they are
   * on disk; when it fails with `Lost`, nothing was written; with a refusal `outcome_unknown`, nobody knows. An engine that
   * can do it at once answers at once.
   */
  write<Out>(roots: readonly string[], work: Starts<Out>): Out | Promise<Out>

  /**
   * Calls back when another process may have written, with the roots if they are known, until it is stopped. Only a hint: it
   * may come for nothing and may come late by `hintMs`, and whoever hears it reads from its own sequence.
   */
  watch(moved: Moved): { stop(): void }

  /** Tells other processes that watch. Never fails: who misses it hears of it a little later. */
  announce(roots: readonly string[]): void

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

export type Moved = (roots: readonly string[] | undefined) => void

/** How often a process that watches looks whether another one wrote, where nobody tells it. */
export const hintMs = 50

/** Another transaction was first: it remembered the same request id, or was in the way. Running the work again finds out. */
export class Lost extends Error {}

/** Both engines pass here before they write the rows of a table. */
export function aboutToWrite(change: Changes): void {
  failpoint('table' in change && change.table.name === events.name ? 'append' : 'project')
}

/** The rows of several changes, table by table: each table is written with one statement. */
export function byTable(changes: readonly RowsWritten[]): RowsWritten[] {
  const tables = new Map<string, { table: Table<never>; rows: object[] }>()
  for (const { table, rows } of changes) {
    const entry = tables.get(table.name)
    if (entry === undefined) tables.set(table.name, { table, rows: [...rows] })
    else entry.rows.push(...rows)
  }
  return [...tables.values()]
}
