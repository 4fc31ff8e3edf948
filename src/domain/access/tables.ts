import { table } from '../log/tables.ts'

/** A working directory and the session that is meant there when none is named. */
export interface ProjectRow {
  dir: string
  session: string | null
  updated_at: number
}

export const projects = table<ProjectRow>(
  'projects',
  ['dir'],
  { dir: 'text', session: 'text', updated_at: 'integer' },
  { ofRoot: false },
)

/** Who may use the store besides its owner. */
export interface TokenRow {
  id: string
  kind: 'agent' | 'reader'
  /** The session an agent's token is bound to. */
  root: number | null
  session_no: number | null
  name: string | null
  /** Of the secret, which is kept nowhere. */
  hash: string
  created_at: number
  /** When it got its present secret. */
  changed_at: number
  /** The life of an agent's process that it was made for. */
  run: string | null
  /** What all that is written with it is held to: a lease of its root, as the claim was answered. */
  lease: string | null
  lease_epoch: number | null
  lease_hash: string | null
  /** From then on it counts no more; milliseconds since 1970. */
  expires_at: number | null
}

export const tokens = table<TokenRow>(
  'tokens',
  ['id'],
  {
    id: 'text',
    kind: 'text',
    root: 'integer',
    session_no: 'integer',
    name: 'text',
    hash: 'hex',
    created_at: 'integer',
    changed_at: 'integer',
    run: 'text',
    lease: 'text',
    lease_epoch: 'integer',
    lease_hash: 'hex',
    expires_at: 'integer',
  },
  { ofRoot: false, copied: false },
)

/** The working directory that a root belongs to on this machine. */
export interface RootProjectRow {
  root: number
  dir: string
}

export const rootProjects = table<RootProjectRow>(
  'root_projects',
  [],
  { root: 'integer', dir: 'text' },
  { view: false, carried: true },
)
