/** Who calls, and what is meant when the call itself does not say. */
export interface Caller {
  /** Whose request ids these are: the same for everyone who owns the store. */
  readonly principal: string
  /** Stands in the log as the author, beside the session. */
  readonly actor: string
  /** The session meant when none is named: of the token, the header or the environment. */
  readonly session?: string | undefined
  /** The working directory, whose chosen or only unfinished root is meant when there is no session either. */
  readonly project?: string | undefined
}
