import type { Refusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { JsonObject } from '../../json/value.ts'
import type { Change, Place } from '../operation.ts'

export type Check = { name: string; ok: boolean; detail: string }
export type Erased = { events: number; versions: number; answers: number; beyond_reach: string[] }
export type Removed = { events: number; versions: number; floor: number }

/** Some of many. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** What has become of the folders that were to be taken in; `total` are those that are there. */
export type Onboarded = {
  synced: number
  failed: number
  total: number
  errors: { folder: string; error: string; message: string; hint: string }[]
}

export type FileListed = { path: string; bytes: number; modified_at: string }

/** A stretch of a file: its text, or its bytes where they are none. */
export type FileRead = { path: string; bytes: number; offset: number; more: boolean; text?: string; base64?: string }

/** What can be seen of the folder of a root. */
export interface FileTools {
  list(root: number): Promise<{ dir: string; files: FileListed[]; truncated: boolean } | Refusal>
  read(root: number, path: string, which: Slice): Promise<FileRead | Refusal>
}

export type TokenListed = {
  id: string
  kind: 'agent' | 'reader' | 'owner'
  name: string | null
  session_id: string | null
  created_at: string
  /** When it got its present secret. */
  changed_at: string
  /** The life of an agent that it was made for. */
  run: string | null
  /** The lease that what is written with it is held to, and the epoch of the claim. */
  lease: { name: string; epoch: number } | null
  /** From then on it counts no more; null for one that lasts. */
  expires_at: string | null
}
/** How long a token counts: so many milliseconds, until a time, or until it is revoked. */
export interface Lasting {
  readonly ms?: number
  readonly until?: number
}

/** What a token is to be. Only that of an agent is bound to a session, to a run of it, and to a lease. */
export interface Minting {
  readonly kind: 'agent' | 'reader'
  readonly place?: Place | undefined
  readonly name?: string | undefined
  readonly run?: string | undefined
  /** NAME:TOKEN. */
  readonly lease?: string | undefined
  readonly lasting: Lasting
}

/** With the text of the token, which is never to be had again. */
export type Minted = TokenListed & { token: string }

/** What can be done about who may use a store. */
export interface TokenTools {
  create(minting: Minting): Promise<Minted | Refusal>
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
  /**
   * Forgets requests older than the time they are promised to be remembered, takes out uploads that never came to their end and the bodies of
   * what has been hidden for longer than `hiddenMs`, and gives freed room back; says how many of each.
   */
  collect(hiddenMs: number): Promise<{ requests: number; uploads: number; hidden: number }>
  /** Puts into the log what has fallen due, such as keys that have expired; says how much. */
  lapse(): Promise<number>
  /** The slug of a root: what must be said to confirm that it is meant. */
  slugOf(root: number): Promise<string>
  /** Removes all that was ever stored under a key, but not that something was. */
  erase(root: number, key: string): Promise<Erased>
  /** Takes in events of another store. */
  adopt(
    root: string,
    events: readonly JsonObject[],
  ): Promise<{ root_session_id: string; adopted: number; forked_at: number | null } | Refusal>
  /** Takes in what session folders of this host say that the store does not know. */
  onboard(dirs: readonly string[], which: Slice): Promise<Onboarded | Refusal>
  /** From now on the sessions of a working directory have folders. */
  openProject(dir: string): Promise<Refusal | undefined>
  readonly files: FileTools
  readonly tokens: TokenTools
  /** The session that is meant by a name, or where none is named. */
  placeOf(named: string | undefined): Promise<Place>
  /** Does an ordinary change first, as whoever asked. */
  change(operation: Change<object, Answer>, input: JsonObject): Promise<Answer>
  /** Removes a root and all below it. */
  remove(root: number, force: boolean): Promise<{ events: number; beyond_reach: string[] } | Refusal>
  /** What of a root stays when it is removed, because its forks share it; undefined where nothing does. */
  sharedOf(root: number): Promise<string | undefined>
}
