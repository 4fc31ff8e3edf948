import type { Deciding } from '../domain/deciding.ts'
import { sessionStream } from '../domain/event.ts'
import { checkTransition, hasEnded, type Status } from '../domain/lifecycle.ts'
import { type Ref, type Rows, rowOf } from '../domain/rows.ts'
import { oneOf, optional, text } from '../domain/schema.ts'
import { type SessionRow, sessions, streams } from '../domain/tables.ts'
import { change } from './operation.ts'

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

function refs(rows: Rows): Ref[] {
  return [{ allSessions: true }, ...rows.all(sessions).map((row) => rowOf(streams, sessionStream(row.no)))]
}

export const sessionEnd = change({
  name: 'session.end',
  summary: 'End a session; what is unfinished below it is cancelled.',
  command: { words: ['session end'], positional: ['session'] },
  input: {
    status: optional(oneOf('How it ended; completed unless given.', ['completed', 'failed', 'cancelled'])),
    reason: optional(text('Why.', { max: 2000 })),
  },
  needs: (_input, rows) => refs(rows),
  decide(input, on) {
    const session = on.session as SessionRow
    const to = input.status ?? 'completed'
    const refusal = checkTransition(session.status as Status, to)
    if (refusal) return refusal
    // Rows come in the order in which they were met; what is recorded must not depend on that.
    const below = on.rows
      .all(sessions)
      .filter((row) => !hasEnded(row.status) && isBelow(on.rows, row, session.no))
      .sort((a, b) => a.no - b.no)
    for (const row of below) recordStatus(on, row, 'cancelled', `${session.name} has ended`)
    recordStatus(on, session, to, input.reason)
    return { session_id: session.id, root_session_id: session.root, status: to, also_ended: below.map((row) => row.id) }
  },
})
