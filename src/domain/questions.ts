import type {
  EventRow,
  KeyRow,
  LeaseRow,
  ProjectRow,
  RequestRow,
  RootRow,
  SessionNameRow,
  SessionRow,
  StreamRow,
  VersionRow,
} from './tables.ts'

/** A key with the id of the session that wrote it. */
export type KeyShown = KeyRow & { by: string | null }
/** A version with the id of the session that wrote it. */
export type VersionShown = VersionRow & { by: string | null; created_at: number }
/** An event with the id of the session that wrote it. */
export type EventShown = EventRow & { by: string | null }

/** Everything the store can be asked, with the rows it answers. `store/statements.ts` has the SQL of each. */
export interface Questions {
  session_by_id: SessionRow
  sessions_by_slug: SessionRow
  sessions_by_name: SessionRow
  sessions_by_edge: SessionRow
  unfinished_roots: SessionRow
  roots_newest_first: SessionRow
  sessions_of_root: SessionRow
  project: ProjectRow
  head: RootRow
  stream: StreamRow
  streams_of_root: StreamRow
  names_of_root: SessionNameRow
  leases_of_root: LeaseRow
  keys_of_root: KeyRow
  versions_of_root: VersionRow
  versions_of_key: VersionRow
  version_links: Pick<VersionRow, 'seq' | 'prior'>
  log_since: EventRow
  log_of_stream: EventRow
  log_with_key: EventRow
  first_after: Pick<EventRow, 'seq'>
  requests_of_root: RequestRow
  requests_before: { count: number }
  orphans: { name: string; root: string }
  all_roots: RootRow
  key_now: KeyShown
  keys_now: KeyShown
  key_at: VersionShown
  keys_at: VersionShown
  chain: VersionRow
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
export type Asking<Out> = Generator<Question, Out, object[]>

export function* ask<Q extends keyof Questions>(name: Q, ...parameters: Parameter[]): Asking<Questions[Q][]> {
  return (yield { ask: name, with: parameters }) as Questions[Q][]
}
