import type { Deciding } from '../domain/log/deciding.ts'
import type { Refusal } from '../domain/log/refusal.ts'
import { checkOpen } from '../domain/sessions/session.ts'
import { sessions } from '../domain/sessions/tables.ts'

/**
 * Whether what the root shares may be written by the session that acts: not once it has ended, or its root has. Each decision that
 * writes asks this first; those that must also be possible later (a run that is reported late, an end) do not ask it.
 */
export function mayWrite(on: Deciding): Refusal | undefined {
  return on.session && checkOpen(on.rows.get(sessions, 0), on.session)
}
