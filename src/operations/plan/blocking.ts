import { revoke } from '../../domain/leases/lease.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { allOf } from '../../domain/log/rows.ts'
import { countsOf, isAllBlocked } from '../../domain/plan/counts.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { knownTask } from '../../domain/plan/known.ts'
import { taskLease } from '../../domain/plan/lease.ts'
import { taskWaves } from '../../domain/plan/tables.ts'
import { blockersOf, taskId } from '../../domain/plan/task.ts'
import { taskOf } from './named.ts'
import { settlePhases } from './settled-phases.ts'

/** What became of a plan when tasks of it were blocked. */
export interface Blocked {
  /** Tasks that were not blocked by it before. */
  readonly tasks: readonly number[]
  /** Phases that were paused, as nothing is left in them that could be worked on. */
  readonly phases: readonly number[]
  /** The same is so for the whole plan. */
  readonly all: boolean
}

interface By {
  /** Unless given, the reason is the task's own. */
  readonly blocker?: number
  readonly reason?: string | undefined
}

/** Blocks tasks, for a blocker or for a reason of their own. Whoever worked on them does no more. It loads what it needs. */
export function blockTasks(on: Deciding, tasks: readonly number[], { blocker, reason }: By): Blocked | Refusal {
  const blocked: number[] = []
  const touched = new Set<number>()
  for (const task of tasks) {
    const found = taskOf(on.rows, task)
    if (found instanceof Refusal) return found
    const { row, progress } = found
    if (progress.status === 'done') return alreadyDone(task)
    if (blockersOf(progress).includes(blocker ?? 0)) continue
    const data = { task, ...(reason !== undefined && { reason }), ...(blocker !== undefined && { blocker }) }
    on.record({ type: 'task_blocked', stream: planStream, data })
    if (progress.status === 'claimed') revoke(on, taskLease(task))
    touched.add(row.phase)
    blocked.push(task)
  }
  const phases = settlePhases(on, touched)
  on.rows.mustKnow([allOf(taskWaves)])
  return { tasks: blocked, phases, all: isAllBlocked(countsOf(on.rows.all(taskWaves))) }
}

/** A blocker is gone: tasks that nothing else blocks are open again, and their phases go on. Gives those that it had blocked. */
export function unblockTasks(on: Deciding, tasks: readonly number[], blocker: number): number[] {
  const touched = new Set<number>()
  const freed: number[] = []
  for (const task of tasks) {
    const found = knownTask(on.rows, task)
    if (found === undefined || !blockersOf(found.progress).includes(blocker)) continue
    on.record({ type: 'task_reopened', stream: planStream, data: { task, why: 'unblocked', blocker } })
    touched.add(found.row.phase)
    freed.push(task)
  }
  settlePhases(on, touched)
  return freed
}

function alreadyDone(task: number): Refusal {
  const message = `${taskId(task)} is done and cannot be blocked.`
  return refuse('illegal_transition', message, 'Reopen it first with `task.reset`.', {
    task: taskId(task),
    from: 'done',
    to: 'blocked',
    legal: ['open'],
  })
}
