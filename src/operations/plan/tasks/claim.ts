import { claim, claimRefs } from '../../../domain/leases/lease.ts'
import { leaseTtl } from '../../../domain/leases/members.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { allOf, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { countsOf, describeOpen, isAllDone } from '../../../domain/plan/counts.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import type { Task } from '../../../domain/plan/known.ts'
import { taskLease } from '../../../domain/plan/lease.ts'
import { placeOfRank } from '../../../domain/plan/order.ts'
import { phaseNumbered } from '../../../domain/plan/phases.ts'
import { firstHeld, firstReady } from '../../../domain/plan/ready.ts'
import { describeTask } from '../../../domain/plan/shown.ts'
import { phases, taskProgress, taskWaves } from '../../../domain/plan/tables.ts'
import { afterOf, taskId } from '../../../domain/plan/task.ts'
import { runs } from '../../../domain/runs/tables.ts'
import { holder, readTtl, reclaim, ttl } from '../../leases/lease.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { taskMeant, taskNamed, taskOf } from '../named.ts'
import { moveToTask } from '../position.ts'
import { recordPhase } from '../settled-phases.ts'
import { taskHeldByOther } from './holding.ts'

/** A worker has one task at a time; whoever owns the store claims for whom they like. */
function checkFree(on: Deciding, task: number | undefined): Refusal | undefined {
  const held = on.agent === undefined ? undefined : firstHeld(on.rows, on.no)
  if (held === undefined || held === task) return undefined
  const id = taskId(held)
  const message = `This session still works on ${id}.`
  const hint = `Finish ${id} with \`task.done\`, or give it back with \`task.reset\`.`
  return refuse('illegal_transition', message, hint, { task: id })
}

/** A pool of workers that hears of it can end: all there was to do is done. */
const noneLeft = { id: null } as const

function nothingReady(on: Deciding): typeof noneLeft | Refusal {
  on.rows.mustKnow([allOf(taskWaves)])
  const counts = countsOf(on.rows.all(taskWaves))
  if (isAllDone(counts)) return noneLeft
  const message = counts.tasks === 0 ? 'There are no tasks.' : `No task is ready: ${describeOpen(counts)}.`
  return refuse('not_found', message, 'Add tasks with `task.add`, or look at them with `task.list`.', counts)
}

/** Why a task that is open cannot be begun yet. */
function checkTurn(on: Deciding, { row, progress }: Task): Refusal | undefined {
  const id = taskId(row.task)
  const after = afterOf(row)
  if (progress.waits > 0) {
    on.rows.mustKnow(after.map((task) => rowOf(taskProgress, task)))
    const open = after.filter((task) => on.rows.get(taskProgress, task)?.status !== 'done').map(taskId)
    const message = `${id} waits for ${open.join(', ')}.`
    return refuse('illegal_transition', message, 'Claim one of those first.', { task: id, waits_for: open })
  }
  const { lane, wave } = placeOfRank(progress.rank)
  if (on.rows.get(taskWaves, lane, wave)?.active === 1) return undefined
  const message = `${id} is of wave ${wave}, and a lower wave of its plan is not done.`
  return refuse('illegal_transition', message, 'Claim the next task that is ready with `task.claim`.', {
    task: id,
    wave,
  })
}

function checkClaimable(on: Deciding, task: Task, isReclaiming: boolean): Refusal | undefined {
  const { status, claimed_by, reason } = task.progress
  if (status === 'open') return checkTurn(on, task)
  if (status === 'claimed') return isReclaiming && claimed_by === on.no ? undefined : taskHeldByOther(on, task.progress)
  const id = taskId(task.row.task)
  const why = status === 'blocked' && reason !== null ? `: ${reason}` : '.'
  const hint = status === 'done' ? 'Reopen it with `task.reset`.' : 'Resolve what blocks it first.'
  return refuse('illegal_transition', `${id} is ${status}${why}`, hint, { task: id, status })
}

/** The run that works on it, where its session has just one. */
function openRun(on: Deciding): string | undefined {
  on.rows.mustKnow([{ table: runs, range: { column: 'no', from: on.no, to: on.no + 1 } }])
  const open = on.rows.all(runs).filter(({ no, ended_at }) => no === on.no && ended_at === null)
  return open.length === 1 ? open[0]?.run : undefined
}

/** Phases of one's own begin with their first task. */
function beginPhase(on: Deciding, phase: number): void {
  on.rows.mustKnow([allOf(phases)])
  const row = phaseNumbered(on.rows, phase)
  if (row?.kind === 'custom' && row.state === 'planned') recordPhase(on, phase, 'planned', 'running')
}

interface Lease {
  readonly ttl: number
  readonly holder: string
  readonly reclaim: boolean
}

function claimTask(on: Deciding, task: Task, lease: Lease) {
  const refusal = checkClaimable(on, task, lease.reclaim)
  if (refusal) return refusal
  const { row, progress } = task
  const name = taskLease(row.task)
  on.rows.mustKnow(claimRefs(on.rows, name))
  // Of a lease of another life of the task nothing is left: whoever had it was told.
  const claimed = claim(on, { name, ...lease })
  if (claimed instanceof Refusal) return claimed
  if (progress.status === 'open') {
    const run = openRun(on)
    on.record({ type: 'task_claimed', stream: planStream, data: { task: row.task, by: on.no, ...(run && { run }) } })
    beginPhase(on, row.phase)
  }
  moveToTask(on, row, 'in_progress')
  const { token, ttl_ms, expires_at } = claimed
  return { ...describeTask(row), status: 'claimed', token, ttl_ms, expires_at }
}

export const taskClaim = change({
  name: 'task.claim',
  summary: 'Claim a task, or the next one that is ready, so that nobody else works on it.',
  command: {
    words: ['task claim'],
    positional: ['task'],
    topic: 'Plan',
    examples: ['cairn task claim --wait 10m --json', 'cairn task claim task-003 --ttl 10m'],
  },
  reach: 'subtree',
  input: {
    task: optional(taskNamed),
    ttl: optional({ ...ttl, about: 'How long without progress; default the setting taskStaleMs.' }),
    holder,
    reclaim,
  },
  needs: () => [rowOf(streams, planStream)],
  decide({ task: given, ttl: asked, holder, reclaim = false }, on) {
    const usual = Math.min(on.limits.taskStaleMs, leaseTtl.max)
    const ms = asked === undefined ? usual : readTtl(asked)
    if (ms instanceof Refusal) return ms
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const own = given === undefined && reclaim ? firstHeld(on.rows, on.no) : undefined
    const named = given === undefined ? own : taskMeant(given)
    const busy = checkFree(on, named)
    if (busy) return busy
    const task = named ?? firstReady(on.rows)
    if (task === undefined) return nothingReady(on)
    const found = taskOf(on.rows, task)
    if (found instanceof Refusal) return found
    return claimTask(on, found, { ttl: ms, holder: holder ?? on.session?.name ?? 'somebody', reclaim })
  },
})
