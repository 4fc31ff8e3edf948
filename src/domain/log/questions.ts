import type { ProjectRow, TokenRow } from '../access/tables.ts'
import type { BlobRow } from '../blobs/tables.ts'
import type { LeaseRow } from '../leases/tables.ts'
import type { SessionRow } from '../sessions/tables.ts'
import type { KeyRow, SchemaRow, VersionRow } from '../state/tables.ts'
import type { EventToShow } from './event.ts'
import type { Range } from './rows.ts'
import type { AnyTable, EventRow, RequestRow, RootRow, RowVersionRow, SegmentRow, StreamRow, Table } from './tables.ts'

/** A key with the id of the session that wrote it. */
export type KeyShown = KeyRow & { by: string | null }
/** A version with the id of the session that wrote it. */
export type VersionShown = VersionRow & { by: string | null }
/** A token with the ids of the session it is bound to and of the root of that. */
export type TokenShown = TokenRow & { session: string | null; root_id: string | null }
/** A session with the id of its root and the working directory that belongs to. */
export type SessionFound = SessionRow & { root_id: string; project: string | null }

/** A fork, the root that it was forked from and after which event; of one that was removed nothing else is known. */
export type ForkFound = { root: number; origin: number; at: number } & {
  [Column in 'id' | 'name' | 'slug' | 'status' | 'topic' | 'updated_at']: SessionRow[Column] | null
}

/** A version of a key with the event and the session that made it; a body or data above a size is left out. */
export type VersionMade = Pick<VersionRow, 'seq' | 'version' | 'kind' | 'prior' | 'at' | 'body'> &
  Pick<EventRow, 'type' | 'actor' | 'request' | 'cause' | 'data'> & {
    by: string | null
    by_name: string | null
    /** Of the state: null before its first write. */
    floor: number | null
    /** When the key, as it is now, goes by itself. */
    expires_at: number | null
  }

/** Everything the store can be asked, with the rows it answers. `store/statements.ts` has the SQL of each. */
export interface Questions {
  session_by_id: SessionFound
  sessions_by_slug: SessionFound
  sessions_by_name: SessionFound
  session_named: SessionFound
  sessions_by_edge: SessionFound
  unfinished_roots: SessionFound
  roots_newest_first: SessionFound
  roots_at: SessionFound & { past_row: string | null }
  sessions_of_root: SessionFound
  sessions_above: Pick<SessionRow, 'no'>
  token_by_id: TokenShown
  tokens_meant: TokenShown
  tokens_newest_first: TokenShown
  tokens_of_root: Pick<TokenRow, 'id'>
  schemas_shown: SchemaRow & { by: string | null }
  key_names: Pick<KeyRow, 'key'>
  lapsed_count: { count: number }
  roots_with_due: Pick<RootRow, 'root' | 'id'>
  next_lapse: { at: number }
  next_lapse_of: { at: number | null }
  versions_of_key: VersionRow
  index_sums: { key: string; count: number; sum: number }
  version_links: Pick<VersionRow, 'seq' | 'prior'>
  log_since: EventRow
  log_of_stream: EventRow
  log_with_key: EventRow
  log_of_key: EventRow
  version_at: Pick<EventRow, 'seq'>
  rows_at: Pick<RowVersionRow, 'place' | 'row'>
  moves_since: Pick<EventRow, 'seq' | 'stream' | 'key'>
  first_after: Pick<EventRow, 'seq'>
  requests_of_root: RequestRow
  requests_before: { count: number }
  requests_after: RequestRow & { head: string | null }
  impossible_floors: Pick<StreamRow, 'stream'> & Pick<RootRow, 'id'>
  impossible_leases: Pick<LeaseRow, 'name'> & Pick<RootRow, 'id'>
  impossible_projects: ProjectRow
  all_roots: RootRow
  root_by_id: RootRow
  sharers: SegmentRow
  segments_of_family: SegmentRow
  forked_from: { id: string | null; at: number }
  forks_below: ForkFound
  key_now: KeyShown
  keys_now: KeyShown
  key_at: VersionShown
  keys_at: VersionShown
  chain: VersionRow
  chain_bytes: { bytes: number }
  versions_made: VersionMade
  reasons_made: VersionMade
  place_of_key_version: Pick<EventRow, 'seq'>
  place_at_time: Pick<EventRow, 'seq'>
  keys_changed: Pick<KeyRow, 'key'>
  newest_keys: Pick<KeyRow, 'key' | 'bytes'>
  events_since: EventToShow
  events_of_stream: EventToShow
  events_of_version: EventToShow
  stream_at: Pick<EventRow, 'seq' | 'version' | 'at'>
  blobs_after: Pick<BlobRow, 'content' | 'hash' | 'bytes'> & Pick<RootRow, 'id'>
  chunk_count: { count: number }
  contents_unnamed: Pick<BlobRow, 'content'>
  uploads_broken: Pick<BlobRow, 'content'>
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

/** The roots that a table has rows of, and that have no head. */
export function* askOrphans(table: AnyTable): Asking<readonly { readonly root: number }[]> {
  return (yield { orphansOf: table }) as readonly { root: number }[]
}
