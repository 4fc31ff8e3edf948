import { table } from '../log/tables.ts'

/** A node of a tree: the root has number 0. */
export interface SessionRow {
  root: number
  no: number
  id: string
  name: string
  slug: string
  parent_no: number | null
  depth: number
  status: string
  reason: string | null
  type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: string | null
  created_at: number
  updated_at: number
  ended_at: number | null
}

export const sessions = table<SessionRow>(
  'sessions',
  ['no'],
  {
    root: 'integer',
    no: 'integer',
    id: 'text',
    name: 'text',
    slug: 'text',
    parent_no: 'integer',
    depth: 'integer',
    status: 'text',
    reason: 'text',
    type: 'text',
    topic: 'text',
    objective: 'text',
    description: 'text',
    strategy: 'text',
    metadata: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    ended_at: 'integer',
  },
  { past: true, given: ['id', 'name', 'slug'] },
)

/** Which session of a root bears a name; names that only differ in case are the same name. */
export interface SessionNameRow {
  root: number
  folded: string
  no: number
}

export const sessionNames = table<SessionNameRow>('session_names', ['folded'], {
  root: 'integer',
  folded: 'text',
  no: 'integer',
})

/** What tells one process from all others, as far as its system says; an empty text where it does not. */
export interface ProcessIdentity {
  /** The name of the machine. */
  host: string
  /** The life of the machine, from its start to the next. */
  boot: string
  /** The space that the pid counts in: a container has one of its own. */
  space: string
  pid: number
  /** When it was started, so that a later process with the same pid is not taken for it. */
  started: string
}

/** The process that a session ends with. It is of this machine and of the moment: no event, backup or fork has it. */
export type SessionProcessRow = { root: number; no: number } & Omit<ProcessIdentity, 'host'> & {
    /** Null once the session has ended. */
    host: string | null
  }

export const sessionProcesses = table<SessionProcessRow>(
  'session_processes',
  ['no'],
  { root: 'integer', no: 'integer', host: 'text', boot: 'text', space: 'text', pid: 'integer', started: 'text' },
  { view: false, carried: false, copied: false },
)
