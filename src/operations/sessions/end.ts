import { journalRefs } from '../../domain/journal/journal.ts'
import { leaseStream } from '../../domain/leases/facts.ts'
import { claimedBy, releaseAllOf } from '../../domain/leases/lease.ts'
import { leases } from '../../domain/leases/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { oneOf, optional } from '../../domain/log/input-schema.ts'
import { allOf, type RangeRef, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { checkTransition, hasEnded, type Status } from '../../domain/sessions/lifecycle.ts'
import { endReason } from '../../domain/sessions/members.ts'
import { processRef, unbindProcess } from '../../domain/sessions/process.ts'
import { type SessionRow, sessionProcesses, sessions } from '../../domain/sessions/tables.ts'
import { keysOwned, keysOwnedBy, ownedBy, recordOrphaned } from '../../domain/state/expiry.ts'
import { stateKeys, stateLapses } from '../../domain/state/tables.ts'
import { needsOf, withdrawNeeds } from '../../domain/workflow/needs.ts'
import { change } from '../operation.ts'
import { stateRefs } from '../state/mutating.ts'

/** What was started from where, of the sessions that are loaded: looked through once, however many of them are asked about. */
export class Family {
  readonly #rows: Rows
  readonly #children = new Map<number, number[]>()

  constructor(rows: Rows) {
    this.#rows = rows
    for (const { no, parent_no: above } of rows.all(sessions)) {
      if (above === null) continue
      const known = this.#children.get(above)
      if (known === undefined) this.#children.set(above, [no])
      else known.push(no)
    }
  }

  /** The unfinished sessions below one, in the order in which they were made: rows come in the order in which they were met. */
  below(no: number): SessionRow[] {
    const found: SessionRow[] = []
    for (const child of this.#children.get(no) ?? []) {
      const row = this.#rows.get(sessions, child)
      if (row !== undefined && !hasEnded(row.status)) found.push(row, ...this.below(child))
    }
    return found.sort((a, b) => a.no - b.no)
  }
}

function startedFrom(no: number): RangeRef {
  return { table: sessions, range: { column: 'parent_no', from: no, to: no + 1 } }
}

export function recordStatus(on: Deciding, session: SessionRow, to: Status, reason?: string): void {
  const from = session.status as Status
  const data = reason === undefined ? { from, to } : { from, to, reason }
  on.record({ type: 'status_changed', stream: sessionStream(session.no), data })
}

/** What must be known to end a session. */
export function endingRefs(rows: Rows, no: number, family = new Family(rows)): Ref[] {
  if (no === 0) return endingRootRefs(rows)
  const all = [no, ...family.below(no).map((row) => row.no)].map((above) => startedFrom(above))
  if (rows.missing(all).length > 0) return all
  const ending = [...family.below(no).map((row) => row.no), no]
  const owned = ending.flatMap((each): Ref[] => [
    rowOf(streams, sessionStream(each)),
    processRef(each),
    claimedBy(each),
    ownedBy(each),
    needsOf(each),
    ...keysOwnedBy(rows, each).map((key) => rowOf(stateKeys, key)),
  ])
  return [...all, rowOf(streams, leaseStream), ...journalRefs, ...stateRefs, ...owned]
}

/** With the root ends all that is below: what that may be is asked for at once. */
function endingRootRefs(rows: Rows): Ref[] {
  const all: readonly RangeRef[] = [
    allOf(sessions),
    allOf(streams),
    { table: sessionProcesses, range: { column: 'no', from: 0 } },
    { table: leases, range: { column: 'session_no', from: 0 } },
    { table: stateLapses, range: { column: 'owner', from: 0 } },
    needsOf(),
  ]
  if (rows.missing(all).length > 0) return [...all]
  return [...all, ...journalRefs, ...stateRefs, ...keysOwned(rows).map((key) => rowOf(stateKeys, key))]
}

/** Ends a session and all below it that is unfinished, with what they held and what went with them; gives those below. */
export function endSession(
  on: Deciding,
  session: SessionRow,
  to: Status,
  reason?: string,
  family = new Family(on.rows),
): SessionRow[] {
  const below = family.below(session.no)
  for (const { no } of [...below, session]) {
    recordOrphaned(on, no)
    releaseAllOf(on, no)
    unbindProcess(on, no)
  }
  const ended = new Set([...below.map(({ no }) => no), session.no])
  withdrawNeeds(on, (no) => ended.has(no))
  for (const row of below) recordStatus(on, row, 'cancelled', `${session.name} has ended`)
  recordStatus(on, session, to, reason)
  return below
}

export const sessionEnd = change({
  name: 'session.end',
  summary: 'End a session and all open ones below it; their claims and ephemeral keys are removed.',
  command: {
    words: ['session end'],
    positional: ['session'],
    topic: 'Go back',
    examples: ['cairn session end profile --status failed --reason "no input"'],
  },
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
