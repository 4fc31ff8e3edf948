import { claimRefs, heldByOther, isHeld } from '../leases/lease.ts'
import { leases } from '../leases/tables.ts'
import type { Deciding } from '../log/deciding.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Ref, Rows } from '../log/rows.ts'
import { type SessionRow, sessions } from '../sessions/tables.ts'

/** Leases of this name before a session's id are for writers of its conversation. */
export const contextLeasePrefix = 'context/'

/** Whoever holds it is the one writer of a conversation. */
export function contextLease(sessionId: string): string {
  return contextLeasePrefix + sessionId
}

export function writerRefs(rows: Rows, no: number): Ref[] {
  const session = rows.get(sessions, no)
  return session === undefined ? [] : claimRefs(rows, contextLease(session.id))
}

/** While somebody holds a conversation, only what is done under that lease goes into it. */
export function checkWriter(on: Deciding, session: SessionRow): Refusal | undefined {
  const name = contextLease(session.id)
  const lease = on.rows.get(leases, name)
  if (lease === undefined || !isHeld(lease, on.leaseTime)) return undefined
  return on.fences.some((fence) => fence.name === name) ? undefined : heldByOther(on, lease)
}
