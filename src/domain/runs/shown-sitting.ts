import { isoTime } from '../log/identity.ts'
import { listOf } from './sitting.ts'
import type { SittingRow } from './tables.ts'

/** How sittings are named: `session-001`. They count within their root. */
export function sittingId(sitting: number): string {
  return `session-${String(sitting).padStart(3, '0')}`
}

/** An open sitting is active, an ended one as its run ended. */
export function showSitting(row: SittingRow, idOf: (no: number) => string | null) {
  const { sitting, run, no, follows, working_on, notes, completed, issues, handoff, started_at, ended_at, how } = row
  return {
    id: sittingId(sitting),
    session_id: idOf(no),
    run,
    status: how ?? 'active',
    started_at: isoTime(started_at),
    ended_at: ended_at === null ? null : isoTime(ended_at),
    working_on,
    follows: follows === null ? null : sittingId(follows),
    context_usage: row.context_usage === null ? null : Number(row.context_usage),
    completed: listOf(completed),
    notes,
    issues: listOf(issues),
    handoff_reason: handoff,
  }
}
