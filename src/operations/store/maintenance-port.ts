import type { Refusal } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import type { Place } from '../operation.ts'

export type Check = { name: string; ok: boolean; detail: string }
export type Erased = { events: number; versions: number; answers: number; beyond_reach: string[] }
export type Removed = { events: number; versions: number; floor: number }

export type TokenListed = {
  id: string
  kind: 'agent' | 'reader' | 'owner'
  name: string | null
  session_id: string | null
  created_at: string
  /** When it got its present secret. */
  changed_at: string
}
/** With the text of the token, which is never to be had again. */
export type Minted = TokenListed & { token: string }

/** What can be done about who may use a store. */
export interface TokenTools {
  create(kind: 'agent' | 'reader', place: Place | undefined, name: string | undefined): Promise<Minted | Refusal>
  list(limit: number, before: string): Promise<{ tokens: TokenListed[]; next_cursor: string | null }>
  revoke(named: string): Promise<{ id: string; revoked: true } | Refusal>
  rotate(named: string): Promise<Minted | Refusal>
}

/** What upkeep can do to a store. */
export interface Tools {
  /** Looks at everything; with `repair`, views that are not as the log says are rebuilt. */
  examine(repair: boolean): Promise<Check[]>
  /** Writes a copy of the store, as of one moment, to a file that must not exist. */
  backup(path: string): Promise<{ bytes: number; roots: number }>
  /** Fills this empty store from a backup. */
  restore(path: string): Promise<{ roots: number; events: number }>
  /** Removes the bodies of what happened to the state of a root before it was as it is since `olderThanMs`. */
  compact(root: number, olderThanMs: number): Promise<Removed>
  /** Forgets requests older than the time they are promised to be remembered, and gives freed room back. */
  collect(): Promise<number>
  /** Puts into the log which keys have expired; says how many. */
  lapse(): Promise<number>
  /** The slug of a root: what must be said to confirm that it is meant. */
  slugOf(root: number): Promise<string>
  /** Removes all that was ever stored under a key, but not that something was. */
  erase(place: Place, key: string): Promise<Erased>
  /** Takes in events of another store. */
  adopt(
    root: string,
    events: readonly JsonObject[],
  ): Promise<{ root_session_id: string; adopted: number; forked_at: number | null } | Refusal>
  readonly tokens: TokenTools
  /** The session that is meant by a name, or where none is named. */
  placeOf(named: string | undefined): Promise<Place>
  /** Removes a root and all below it. */
  remove(root: number, force: boolean): Promise<{ events: number } | Refusal>
}
