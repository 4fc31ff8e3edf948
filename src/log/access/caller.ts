import type { Fence } from '../../domain/leases/fence.ts'
import type { Place } from '../../operations/operation.ts'

/**
 * How far a caller reaches: all of the store; all that is in it, from a browser; all of it but only to look; or an agent's own
 * root and its own subtree.
 */
export type Scope = 'owner' | 'login' | 'reader' | Place

/** Who calls, and what is meant when the call itself does not say. */
export interface Caller {
  /** It keeps the folder itself, and so does not wait for it. */
  readonly keepsFolder?: true
  /** Whose request ids these are: the same for everyone who owns the store. */
  readonly principal: string
  /** Stands in the log as the author, beside the session. */
  readonly actor: string
  /** Comes from the token alone: nothing that a caller says of itself widens it. */
  readonly scope: Scope
  /** Of a login: whether it may edit values. */
  readonly edits?: boolean | undefined
  /** The life of an agent's process that the token was made for: it stands in the log as the cause. */
  readonly run?: string | undefined
  /** The lease that came with the token: without it nothing is written. */
  readonly fence?: Fence | undefined
  /** The session meant when none is named: of the token, the header or the environment. */
  readonly session?: string | undefined
  /** The root that all names are looked for in, where one is named. */
  readonly root?: string | undefined
  /** The worktree of that project that the caller is in: what was chosen there goes first. */
  readonly worktree?: string | undefined
  /** The working directory, whose chosen or only unfinished root is meant when there is no session either. */
  readonly project?: string | undefined
}
