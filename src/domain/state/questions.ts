import type { EventRow, RootRow } from '../log/tables.ts'
import type { KeyRow, SchemaRow, VersionRow } from './tables.ts'

/** A key with the id of the session that wrote it. */
export type KeyShown = KeyRow & { by: string | null }

/** A version with the id of the session that wrote it. */
export type VersionShown = VersionRow & { by: string | null }

/** A version of a key with the event and the session that made it; a body or data above a size is left out. */
export type VersionMade = Pick<VersionRow, 'seq' | 'version' | 'kind' | 'prior' | 'at' | 'body'> &
  Pick<EventRow, 'type' | 'actor' | 'request' | 'cause' | 'data' | 'session_no'> & {
    by: string | null
    by_name: string | null
    /** Of the state: null before its first write. */
    floor: number | null
    /** When the key, as it is now, goes by itself. */
    expires_at: number | null
  }

/** A version that an event made, without a body above a size; the floor is that of the state. */
export type VersionChanged = Pick<VersionRow, 'seq' | 'key' | 'version' | 'kind' | 'prior' | 'body'> & { floor: number }

/** What the store can be asked about shared state. */
export interface StateQuestions {
  schemas_shown: SchemaRow & { by: string | null }
  key_names: Pick<KeyRow, 'key'>
  lapsed_count: { count: number }
  roots_with_due: Pick<RootRow, 'root' | 'id'>
  next_lapse: { at: number }
  next_lapse_of: { at: number | null }
  versions_of_key: VersionRow
  index_sums: { key: string; count: number; sum: number }
  version_links: Pick<VersionRow, 'seq' | 'prior'> & { bytes: number }
  log_with_key: EventRow
  key_now: KeyShown
  keys_now: KeyShown
  key_at: VersionShown
  keys_at: VersionShown
  chain: VersionRow
  chain_bytes: { bytes: number }
  versions_after: VersionChanged
  versions_made: VersionMade
  reasons_made: VersionMade
  place_of_key_version: Pick<EventRow, 'seq'>
  keys_changed: Pick<KeyRow, 'key'>
  newest_keys: Pick<KeyRow, 'key' | 'bytes'>
}

declare module '../log/questions.ts' {
  interface Questions extends StateQuestions {}
}
