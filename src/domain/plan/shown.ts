import { isoTime } from '../log/identity.ts'
import type { Task } from './known.ts'
import type { PhaseRow, TaskProgressRow, TaskRow } from './tables.ts'
import { afterOf, blockersOf, taskId } from './task.ts'

/** How a blocker is named. */
function blockerId(blocker: number): string {
  return `block-${String(blocker).padStart(3, '0')}`
}

function timeOf(at: number | null): string | null {
  return at === null ? null : isoTime(at)
}

/** How a task is named and described everywhere. */
export function describeTask({ task, text, phase, plan, wave, after }: TaskRow) {
  return {
    id: taskId(task),
    text,
    phase: phase === 0 ? null : phase,
    plan: plan === 0 ? null : plan,
    wave,
    after: afterOf({ after }).map(taskId),
  }
}

/** How a task is shown everywhere. `by` is the id of the session that works on it or has done it. */
export function showTask({ row, progress }: Task, by: string | null, more: { ready: boolean; stale: boolean }) {
  const { status, claimed_at, progress_at, note, done_at, result, reason } = progress
  return {
    ...describeTask(row),
    status,
    ...more,
    claimed_by: by,
    run: progress.run,
    claimed_at: timeOf(claimed_at),
    progress_at: timeOf(progress_at),
    note,
    done_at: timeOf(done_at),
    result,
    reason,
    blocked_by: blockersIn(progress),
    added_at: isoTime(row.added_at),
  }
}

function blockersIn(progress: TaskProgressRow): string[] {
  return blockersOf(progress)
    .filter((blocker) => blocker !== 0)
    .map(blockerId)
}

/** How a phase is shown everywhere. */
export function showPhase({ phase, kind, name, state, started_at, ended_at, reason }: PhaseRow) {
  return { phase, name, kind, state, started_at: timeOf(started_at), ended_at: timeOf(ended_at), reason }
}
