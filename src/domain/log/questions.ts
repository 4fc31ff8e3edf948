import type { EventToShow } from './event.ts'
import type { Range } from './rows.ts'
import type { AnyTable, EventRow, RequestRow, RootRow, RowVersionRow, SegmentRow, StreamRow, Table } from './tables.ts'

/**
 * Everything the store can be asked, with the rows it answers: about the log here, about each part where that is. `store/questions/`
 * has the SQL of each.
 */
export interface Questions {
  log_since: EventRow
  log_of_stream: EventRow
  log_of_key: EventRow
  version_at: Pick<EventRow, 'seq'>
  rows_at: Pick<RowVersionRow, 'place' | 'row'>
  row_at: Pick<RowVersionRow, 'row'>
  /** The places of a table whose rows were changed between two events, what was changed last first; and how many there are. */
  places_changed: Pick<RowVersionRow, 'place' | 'seq'> & { total: number }
  moves_since: Pick<EventRow, 'seq' | 'stream' | 'key' | 'type' | 'at'>
  first_after: Pick<EventRow, 'seq'>
  requests_of_root: RequestRow
  requests_before: { root: number; count: number; bytes: number }
  requests_after: RequestRow & { head: string | null }
  impossible_floors: Pick<StreamRow, 'stream'> & Pick<RootRow, 'id'>
  all_roots: RootRow
  disk_use: { all: number; fullest: number }
  root_by_id: RootRow
  sharers: SegmentRow
  segments_of_family: SegmentRow
  forked_from: { id: string | null; at: number }
  place_at_time: Pick<EventRow, 'seq'>
  event_sizes: { bytes: number }
  stream_event_sizes: { bytes: number }
  events_since: EventToShow
  events_of_stream: EventToShow
  events_of_version: EventToShow
  stream_at: Pick<EventRow, 'seq' | 'version' | 'at'>
}

export type Parameter = string | number | null | Uint8Array

export interface Question {
  readonly ask: keyof Questions
  readonly with: readonly Parameter[]
}

/** What the store can be asked for: the answer to a question, a row by its whole key, or a range of the rows of a root. */
export type Load =
  | Question
  | { readonly table: AnyTable; readonly key: readonly (string | number)[] }
  | { readonly table: AnyTable; readonly root: number; readonly range: Range }
  | { readonly orphansOf: AnyTable }
  | { readonly bytesIn: AnyTable; readonly within?: Stretch | undefined }

/** A stretch of the rows that a root has itself. */
export interface Stretch {
  readonly root: number
  readonly after: number
  readonly upto: number
}

/** Asks the store one by one; whoever runs it decides whether that means waiting. */
export type Asking<Out> = Generator<Load, Out, readonly object[]>

/** What the store answers. Others may be given the same rows. */
export type Answers<Q extends keyof Questions> = readonly Readonly<Questions[Q]>[]

export function* ask<Q extends keyof Questions>(name: Q, ...parameters: Parameter[]): Asking<Answers<Q>> {
  return (yield { ask: name, with: parameters }) as Answers<Q>
}

/** One row of a table by its whole key. */
export function* askRow<Row extends object>(
  table: Table<Row>,
  ...key: (string | number)[]
): Asking<Readonly<Row> | undefined> {
  return ((yield { table, key }) as readonly Row[])[0]
}

/** Rows of a root in one table, in the order of the table's key or of the column that the range is about. */
export function* askRows<Row extends object>(
  table: Table<Row>,
  root: number,
  range: Range = {},
): Asking<readonly Readonly<Row>[]> {
  return (yield { table, root, range }) as readonly Row[]
}

/** What the rows of a table count against the disk space of their roots; of a stretch, where one is given. */
export function* askBytes(table: AnyTable, within?: Stretch): Asking<readonly { root: number; bytes: number }[]> {
  return (yield { bytesIn: table, within }) as readonly { root: number; bytes: number }[]
}

/** The roots that a table has rows of, and that have no head. */
export function* askOrphans(table: AnyTable): Asking<readonly { readonly root: number }[]> {
  return (yield { orphansOf: table }) as readonly { root: number }[]
}
