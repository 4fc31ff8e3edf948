import { table } from '../log/tables.ts'

/** A working directory whose sessions have folders in it. */
export interface FolderProjectRow {
  dir: string
  at: number
}

export const folderProjects = table<FolderProjectRow>(
  'folder_projects',
  ['dir'],
  { dir: 'text', at: 'integer' },
  { ofRoot: false },
)

/** Where the folder of a root is on a host. It is of that machine: no event and no fork has it. */
export interface SessionFolderRow {
  root: number
  host: string
  dir: string
  /** Names the file of the mirror that this store writes there. */
  replica: string
  /** That file begins after this event: what comes before it is in others. */
  after: number
  /** What its files looked like when it was last onboarded. */
  seen: string | null
}

export const sessionFolders = table<SessionFolderRow>(
  'session_folders',
  ['host'],
  { root: 'integer', host: 'text', dir: 'text', replica: 'text', after: 'integer', seen: 'text' },
  { view: false, carried: false },
)

/** A root that was removed: what is left of its folder is not taken in again by itself. */
export interface RemovedRootRow {
  id: string
  at: number
}

export const removedRoots = table<RemovedRootRow>(
  'removed_roots',
  ['id'],
  { id: 'text', at: 'integer' },
  { ofRoot: false },
)
