import type { Git } from '../../home/git/git.ts'
import type { Repository } from '../../home/git/repository.ts'

/** One tree that is being made. */
export interface Making {
  readonly git: Git
  readonly repository: Repository
  readonly branch: string
  readonly place: string
  /** The session of its agent. */
  readonly session: string
}
