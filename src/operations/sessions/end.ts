import { leaseStream } from '../../domain/leases/facts.ts'
import { claimedBy, releaseAllOf } from '../../domain/leases/lease.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { oneOf, optional } from '../../domain/log/input-schema.ts'
import { allOf, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { checkTransition, hasEnded, type Status } from '../../domain/sessions/lifecycle.ts'
import { endReason } from '../../domain/sessions/members.ts'
import { processRef, unbindProcess } from '../../domain/sessions/process.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { keysOwnedBy, ownedBy, recordOrphaned } from '../../domain/state/expiry.ts'
import { stateKeys } from '../../domain/state/tables.ts'
import { change } from '../operation.ts'
import { stateRefs } from '../state/mutating.ts'

function isBelow(rows: Rows, session: SessionRow, above: number): boolean {
  let at: SessionRow | undefined = session
  while (at !== undefined && at.parent_no !== null) {
    if (at.parent_no === above) return true
    at = rows.get(sessions, at.parent_no)
  }
  return false
}

function recordStatus(on: Deciding, session: SessionRow, to: Status, reason?: string): void {
  const from = session.status as Status
  const data = reason === undefined ? { from, to } : { from, to, reason }
  on.record({ type: 'status_changed', stream: sessionStream(session.no), data })
}

/** Those that end with a session, in the order in which they were made, itself the last. */
function ending(rows: Rows, session: SessionRow): SessionRow[] {
  // Rows come in the order in which they were met; what is recorded must not depend on that.
  const below = rows.all(sessions).filter((row) => !hasEnded(row.status) && isBelow(rows, row, session.no))
  return [...below.sort((a, b) => a.no - b.no), session]
}

/** What must be known to end a session. */
export function endingRefs(rows: Rows, no: number): Ref[] {
  const session = rows.get(sessions, no)
  const all = allOf(sessions)
  if (session === undefined || rows.missing([all]).length > 0) return [all]
  const owned = ending(rows, session).flatMap((row): Ref[] => [
    rowOf(streams, sessionStream(row.no)),
    processRef(row.no),
    claimedBy(row.no),
    ownedBy(row.no),
    ...keysOwnedBy(rows, row.no).map((key) => rowOf(stateKeys, key)),
  ])
  return [all, rowOf(streams, leaseStream), ...stateRefs, ...owned]
}

/** Ends a session and all below it that is unfinished, with what they held and what went with them; gives those below. */
export function endSession(on: Deciding, session: SessionRow, to: Status, reason?: string): SessionRow[] {
  const all = ending(on.rows, session)
  const below = all.slice(0, -1)
  for (const row of all) {
    recordOrphaned(on, row.no)
    releaseAllOf(on, row.no)
    unbindProcess(on, row.no)
  }
  for (const row of below) recordStatus(on, row, 'cancelled', `${session.name} has ended`)
  recordStatus(on, session, to, reason)
  return below
}

export const sessionEnd = change({
  name: 'session.end',
  summary: 'End a session and all open ones below it; their claims and ephemeral keys are removed.',
  command: { words: ['session end'], positional: ['session'] },
  reach: 'subtree',
  onFullRoot: 'frees',
  input: {
    status: optional(oneOf('How it ended; default completed.', ['completed', 'failed', 'cancelled'])),
    reason: optional(endReason),
  },
  needs: (_input, rows, { no }) => endingRefs(rows, no),
  decide(input, on) {
    const session = on.session as SessionRow
    const to = input.status ?? 'completed'
    const refusal = checkTransition(session.status as Status, to)
    if (refusal) return refusal
    const below = endSession(on, session, to, input.reason)
    return { session_id: session.id, root_session_id: on.rows.id, status: to, also_ended: below.map((row) => row.id) }
  },
})
