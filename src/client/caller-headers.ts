/** With what a client calls, and what is meant when a call does not say. */
export interface Means {
  /** Without one the login of the browser counts: that is for pages of the server itself. */
  readonly token?: string | undefined
  /** The session meant when a call names none; a token that is bound to one means that one. */
  readonly session?: string | undefined
  /** The id of the root that all names are looked for in, where one is named. */
  readonly root?: string | undefined
  /** The worktree one is in, where it is not the project itself: what was chosen there goes first. */
  readonly worktree?: string | undefined
  /** The working directory whose chosen or only unfinished root is meant when there is no session either. */
  readonly project?: string | undefined
  /** Stands in the log as the author. */
  readonly actor?: string | undefined
}

/** A header holds plain letters only; names and folders may hold any. */
export function callerHeaders({ token, session, root, worktree, project, actor }: Means): Record<string, string> {
  const meant = {
    'x-agent-session-id': session,
    'x-agent-root-session-id': root,
    'x-cairn-worktree': worktree,
    'x-cairn-project': project,
    'x-cairn-actor': actor,
  }
  const given = Object.entries(meant).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, encodeURIComponent(value)]],
  )
  const known: Record<string, string> = token === undefined ? { 'x-cairn': '1' } : { authorization: `Bearer ${token}` }
  return { ...known, 'content-type': 'application/json', ...Object.fromEntries(given) }
}
