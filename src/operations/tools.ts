import type { Refusal } from '../domain/refusal.ts'

export type Check = { name: string; ok: boolean; detail: string }
export type Erased = { events: number; versions: number; answers: number; beyond_reach: string[] }
export type Removed = { events: number; versions: number; floor: number }

/** What upkeep can do to a store. */
export interface Tools {
  /** Looks at everything; with `repair`, views that are not as the log says are rebuilt. */
  examine(repair: boolean): Promise<Check[]>
  /** Writes a copy of the store, as of one moment, to a file that must not exist. */
  backup(path: string): Promise<{ bytes: number; roots: number } | Refusal>
  /** Fills this empty store from a backup. */
  restore(path: string): Promise<{ roots: number; events: number } | Refusal>
  /** Removes the bodies of what happened to the state of a root before it was as it is since `olderThanMs`. */
  compact(root: string, olderThanMs: number): Promise<Removed>
  /** Forgets requests older than the time they are promised to be remembered, and gives freed room back. */
  collect(): Promise<number>
  /** The slug of a root: what must be said to confirm that it is meant. */
  slugOf(root: string): Promise<string>
  /** Removes all that was ever stored under a key, but not that something was. */
  erase(root: string, key: string): Promise<Erased>
  /** Removes a root and all below it. */
  remove(root: string, force: boolean): Promise<{ events: number } | Refusal>
}
