import type { SessionFolderRow } from './tables.ts'

/** A root with its folder on a host, or with what says whether it is to have one. */
export interface FolderFound {
  root: number
  id: string
  seq: number
  slug: string
  dir: string | null
  replica: string | null
  after: number | null
  /** What its files looked like when it was onboarded. */
  seen: string | null
  /** The working directory that it belongs to. */
  project: string | null
  /** The same, where sessions have folders. */
  wanted: string | null
  /** Of a fork, the last event that it shares. */
  forked_at: number | null
  /** Of a fork, the id of the root that it was forked from, while that is there. */
  origin: string | null
}

/** What the store can be asked about session folders. */
export interface FolderQuestions {
  folder_of_root: FolderFound
  folder_of_id: FolderFound
  folders_of_host: FolderFound
  folders_in: Pick<SessionFolderRow, 'root' | 'dir' | 'seen'> & { id: string; seq: number }
}

declare module '../log/questions.ts' {
  interface Questions extends FolderQuestions {}
}
