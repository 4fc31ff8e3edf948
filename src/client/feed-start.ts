import type { Answer } from '../domain/log/rows.ts'

/** After which event somebody wants to hear: its place in the log, or a time; from now on without it. */
export type Since = number | string | undefined

/** What `log.list` is asked to find the root and the place that a feed begins at: one that is lost before its first event goes on from there. */
export function startAsked(session: string | undefined, since: Since): Record<string, unknown> {
  return { ...(session !== undefined && { session }), ...(typeof since === 'string' && { since }), limit: 1 }
}

export function startOf({ root_session_id, events, last_seq }: Answer, since: Since): { root: string; from: number } {
  const root = String(root_session_id)
  if (typeof since === 'number') return { root, from: since }
  // After a time, the page begins with the first event that is later.
  const [first] = since === undefined ? [] : (events as { seq: number }[])
  return { root, from: first === undefined ? Number(last_seq) : first.seq - 1 }
}
