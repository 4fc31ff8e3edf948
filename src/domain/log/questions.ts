import type {
  EventRow,
  KeyRow,
  LapseRow,
  LeaseRow,
  ProjectRow,
  RequestRow,
  RootRow,
  SchemaRow,
  SessionNameRow,
  SessionRow,
  StreamRow,
  TokenRow,
  VersionRow,
} from './tables.ts'

/** A key with the id of the session that wrote it. */
export type KeyShown = KeyRow & { by: string | null }
/** A version with the id of the session that wrote it. */
export type VersionShown = VersionRow & { by: string | null; created_at: number }
/** An event with the id of the session that wrote it. */
export type EventShown = EventRow & { by: string | null }
/** A token with the id of the session it is bound to. */
export type TokenShown = TokenRow & { session: string | null }

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
  session_by_id: SessionRow
  sessions_by_slug: SessionRow
  sessions_by_name: SessionRow
  session_named: SessionRow
  sessions_by_edge: SessionRow
  unfinished_roots: SessionRow
  roots_newest_first: SessionRow
  sessions_of_root: SessionRow
  sessions_above: Pick<SessionRow, 'no'>
  project: ProjectRow
  token_by_id: TokenShown
  tokens_meant: TokenShown
  tokens_newest_first: TokenShown
  tokens_of_root: Pick<TokenRow, 'id'>
  head: RootRow
  stream: StreamRow
  streams_of_root: StreamRow
  names_of_root: SessionNameRow
  leases_of_root: LeaseRow
  keys_of_root: KeyRow
  lapses_of_root: LapseRow
  schemas_of_root: SchemaRow
  schemas_shown: SchemaRow & { by: string | null }
  keys_from: KeyRow
  key_names: Pick<KeyRow, 'key'>
  lapses_owned: LapseRow
  lapses_due: LapseRow
  lapsed_count: { count: number }
  roots_with_due: Pick<LapseRow, 'root'>
  versions_of_root: VersionRow
  version_labels: Pick<VersionRow, 'key' | 'seq' | 'body'> & { label: string }
  versions_of_key: VersionRow
  version_links: Pick<VersionRow, 'seq' | 'prior'>
  log_since: EventRow
  log_of_stream: EventRow
  log_with_key: EventRow
  moves_since: Pick<EventRow, 'seq' | 'stream' | 'key'>
  first_after: Pick<EventRow, 'seq'>
  requests_of_root: RequestRow
  requests_before: { count: number }
  requests_after: RequestRow & { head: string | null }
  impossible_floors: Pick<StreamRow, 'root' | 'stream'>
  impossible_leases: Pick<LeaseRow, 'root' | 'name'>
  impossible_projects: ProjectRow
  orphans: { name: string; root: string }
  all_roots: RootRow
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
  events_since: EventShown
  events_of_stream: EventShown
  events_of_version: EventShown
  stream_at: Pick<EventRow, 'seq' | 'version' | 'at'>
}

export type Parameter = string | number | null

export interface Question {
  readonly ask: keyof Questions
  readonly with: readonly Parameter[]
}

/** Puts questions to the store one by one; whoever runs it decides whether that means waiting. */
export type Asking<Out> = Generator<Question, Out, readonly object[]>

/** What the store answers. Others may be given the same rows. */
export type Answers<Q extends keyof Questions> = readonly Readonly<Questions[Q]>[]

export function* ask<Q extends keyof Questions>(name: Q, ...parameters: Parameter[]): Asking<Answers<Q>> {
  return (yield { ask: name, with: parameters }) as Answers<Q>
}
