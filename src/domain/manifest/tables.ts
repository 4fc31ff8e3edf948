import { table } from '../log/tables.ts'

/** What a root is tied to in git, and how much else its manifest names. A root that never used it has no row. */
export interface ManifestRow {
  root: number
  branch: string | null
  worktree: string | null
  base_branch: string | null
  commits: number
  artifacts: number
}

export const manifests = table<ManifestRow>(
  'manifests',
  [],
  {
    root: 'integer',
    branch: 'text',
    worktree: 'text',
    base_branch: 'text',
    commits: 'integer',
    artifacts: 'integer',
  },
  { past: true },
)

export interface CommitRow {
  root: number
  sha: string
  /** In the order in which they were recorded, from 1. */
  no: number
  message: string
  checkpoint: number | null
  recorded_at: number
  recorded_by: number
}

export const commits = table<CommitRow>(
  'commits',
  ['sha'],
  {
    root: 'integer',
    sha: 'text',
    no: 'integer',
    message: 'text',
    checkpoint: 'integer',
    recorded_at: 'integer',
    recorded_by: 'integer',
  },
  { past: true },
)

/** A file that the work has made, by its name and its path within the project. */
export interface ArtifactRow {
  root: number
  name: string
  path: string
  recorded_at: number
  recorded_by: number
}

export const artifacts = table<ArtifactRow>(
  'artifacts',
  ['name'],
  { root: 'integer', name: 'text', path: 'text', recorded_at: 'integer', recorded_by: 'integer' },
  { past: true },
)
