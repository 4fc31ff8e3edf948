import type { ProcessIdentity, SessionRow } from './tables.ts'

/** A session with the id of its root and the working directory that belongs to. */
export type SessionFound = SessionRow & { root_id: string; project: string | null }

/** A root with the time of its last event, up to the one that it is read at. */
export type RootFound = SessionFound & { active_at: number | null }

/** A fork, the root that it was forked from and after which event; of one that was removed nothing else is known. */
export type ForkFound = { root: number; origin: number; at: number } & {
  [Column in 'id' | 'name' | 'slug' | 'status' | 'topic' | 'updated_at']: SessionRow[Column] | null
}

/** A session and the process that it ends with. */
export type ProcessFound = ProcessIdentity & { session: string }

/** What the store can be asked about sessions. */
export interface SessionQuestions {
  session_by_id: SessionFound
  sessions_by_slug: SessionFound
  sessions_by_name: SessionFound
  session_numbered: SessionFound
  session_slugged: SessionFound
  session_named: SessionFound
  sessions_edged: SessionFound
  sessions_by_edge: SessionFound
  sessions_newest: SessionFound
  sessions_newest_in: SessionFound
  unfinished_roots: SessionFound
  roots_newest_first: RootFound
  roots_at: RootFound & { past_row: string | null }
  root_at: RootFound & { past_row: string | null }
  sessions_of_root: SessionFound
  sessions_above: Pick<SessionRow, 'no'>
  forks_below: ForkFound
  processes_on_host: ProcessFound
}

declare module '../log/questions.ts' {
  interface Questions extends SessionQuestions {}
}
