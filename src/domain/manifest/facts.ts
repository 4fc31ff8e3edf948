/** What a root is tied to outside of its log: git, commits, files that it made. */
export const manifestStream = 'manifest'

export type ManifestFact =
  | { type: 'git_changed'; data: GitChanged }
  | { type: 'commit_added'; data: CommitAdded }
  | { type: 'artifact_added'; data: { name: string; path: string } }

/** `worktree` is a path relative to the project: a path of one machine stands in no event. Null takes one away. */
export interface GitChanged {
  readonly branch?: string | null
  readonly worktree?: string | null
  readonly base_branch?: string | null
}

export interface CommitAdded {
  readonly sha: string
  readonly message: string
  readonly checkpoint?: number
}

declare module '../log/event.ts' {
  interface FactsOfParts {
    manifest: ManifestFact
  }
}
