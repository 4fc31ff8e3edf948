import { journalRefs } from '../../domain/journal/journal.ts'
import { movePosition } from '../../domain/journal/move.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { taskLabel } from '../../domain/plan/label.ts'
import { firstReady } from '../../domain/plan/ready.ts'
import { type TaskRow, tasks } from '../../domain/plan/tables.ts'

/** The position of the work is at a task. */
export function moveToTask(on: Deciding, row: TaskRow, status: string): void {
  on.rows.mustKnow(journalRefs)
  movePosition(on, {
    ...(row.phase === 0 ? {} : { phase: row.phase }),
    plan: row.plan === 0 ? null : row.plan,
    task: taskLabel(row.task, row.text),
    wave: row.wave,
    status,
  })
}

/** The position of the work moves on to the task that comes next; gives that. */
export function moveToNext(on: Deciding): TaskRow | undefined {
  const next = firstReady(on.rows)
  if (next !== undefined) {
    on.rows.mustKnow([rowOf(tasks, next)])
    const row = on.rows.get(tasks, next) as TaskRow
    moveToTask(on, row, 'open')
    return row
  }
  on.rows.mustKnow(journalRefs)
  movePosition(on, { task: null, wave: null, status: null })
  return undefined
}

/** The position of the work is at a phase, of which no task was begun. */
export function moveToPhase(on: Deciding, phase: number, status: string): void {
  on.rows.mustKnow(journalRefs)
  movePosition(on, { phase, plan: null, task: null, wave: null, status })
}
