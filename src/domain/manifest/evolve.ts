import type { EvolvingOf } from '../log/evolve.ts'
import type { Rows } from '../log/rows.ts'
import type { GitChanged, ManifestFact } from './facts.ts'
import { artifacts, commits, type ManifestRow, manifests } from './tables.ts'

export const evolveManifest: EvolvingOf<ManifestFact> = {
  git_changed: (rows, { data }) => rows.put(manifests, { ...manifestOf(rows), ...said(data) }),
  commit_added(rows, { data: { sha, message, checkpoint = null }, at, session_no }) {
    const manifest = manifestOf(rows)
    const no = manifest.commits + 1
    rows.put(commits, { root: rows.root, sha, no, message, checkpoint, recorded_at: at, recorded_by: session_no })
    rows.put(manifests, { ...manifest, commits: no })
  },
  artifact_added(rows, { data: { name, path }, at, session_no }) {
    const manifest = manifestOf(rows)
    const isNew = rows.get(artifacts, name) === undefined
    rows.put(artifacts, { root: rows.root, name, path, recorded_at: at, recorded_by: session_no })
    if (isNew) rows.put(manifests, { ...manifest, artifacts: manifest.artifacts + 1 })
  },
}

export function manifestOf(rows: Rows): ManifestRow {
  return rows.get(manifests) ?? { root: rows.root, ...noGit, commits: 0, artifacts: 0 }
}

const noGit = { branch: null, worktree: null, base_branch: null }

/** What was not said stays as it was. */
function said({ branch, worktree, base_branch }: GitChanged): Partial<ManifestRow> {
  return {
    ...(branch !== undefined && { branch }),
    ...(worktree !== undefined && { worktree }),
    ...(base_branch !== undefined && { base_branch }),
  }
}
