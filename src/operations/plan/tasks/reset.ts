import { revoke } from '../../../domain/leases/lease.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { planStream, type TaskReopened } from '../../../domain/plan/facts.ts'
import { knowFollowers, type Task } from '../../../domain/plan/known.ts'
import { taskLease } from '../../../domain/plan/lease.ts'
import { reason } from '../../../domain/plan/members.ts'
import { blockersOf, taskId } from '../../../domain/plan/task.ts'
import { crashedRefs, crashRuns } from '../../../domain/runs/crashed.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { taskMeant, taskNamed, taskOf } from '../named.ts'
import { settlePhases } from '../settled-phases.ts'
import { isBelow, staleAtOf, taskHeldByOther } from './holding.ts'

type Reopening = Omit<TaskReopened, 'task' | 'reason'>

/** How a claim is taken back: by whoever has it, or who stands above, or by anybody once nothing was heard of it for long. */
function claimTaken(on: Deciding, { progress }: Task): Reopening | Refusal {
  const { claimed_by, run } = progress
  const at = staleAtOf(on, progress)
  if (claimed_by !== null && at !== undefined && at <= on.at)
    return { why: 'stale', crashed: { session: claimed_by, ...(run !== null && { run }) } }
  const mayReset = on.agent === undefined || isBelow(on, claimed_by)
  return mayReset ? { why: 'reset' } : taskHeldByOther(on, progress)
}

function reopening(on: Deciding, task: Task): Reopening | Refusal {
  const { status } = task.progress
  const id = taskId(task.row.task)
  if (status === 'claimed') return claimTaken(on, task)
  if (status === 'done') return { why: 'reopened' }
  if (status === 'open') {
    return refuse('illegal_transition', `${id} is open already.`, 'Claim it with `task.claim`.', { task: id, status })
  }
  const blockers = blockersOf(task.progress).filter((blocker) => blocker !== 0)
  if (blockers.length === 0) return { why: 'unblocked' }
  const names = blockers.map((blocker) => `block-${String(blocker).padStart(3, '0')}`)
  const message = `${id} is blocked by ${names.join(', ')}.`
  return refuse('illegal_transition', message, 'Resolve that first.', { task: id, status, blocked_by: names })
}

/** The session that had it is taken to have crashed, with what it was doing. */
function recordCrash(on: Deciding, { crashed }: Reopening): void {
  if (crashed === undefined) return
  on.rows.mustKnow(crashedRefs(crashed.session, crashed.run))
  crashRuns(on, crashed.session, 'Agent unresponsive, task reset', crashed.run)
}

export const taskReset = change({
  name: 'task.reset',
  summary: 'Make a task open again: its claim was given up or is stale, or it was not done well.',
  command: { words: ['task reset'], positional: ['task', 'reason'], examples: ['cairn task reset task-003'] },
  input: { task: taskNamed, reason: optional(reason) },
  needs: () => [rowOf(streams, planStream)],
  decide({ task: given, reason: said }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const task = taskMeant(given)
    const found = taskOf(on.rows, task)
    if (found instanceof Refusal) return found
    const how = reopening(on, found)
    if (how instanceof Refusal) return how
    const { status } = found.progress
    if (status === 'done') knowFollowers(on.rows, task)
    on.record({
      type: 'task_reopened',
      stream: planStream,
      data: { task, ...how, ...(said !== undefined && { reason: said }) },
    })
    if (status === 'claimed') revoke(on, taskLease(task))
    recordCrash(on, how)
    settlePhases(on, [found.row.phase])
    const { why, crashed } = how
    return { id: taskId(task), status: 'open', was: status, why, crashed: crashed !== undefined }
  },
})
