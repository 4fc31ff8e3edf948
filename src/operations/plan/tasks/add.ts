import type { Deciding } from '../../../domain/log/deciding.ts'
import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type RowsWithPast, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { prose, some } from '../../../domain/log/text/entries.ts'
import { checkCount } from '../../../domain/log/text/room.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { followersOf, followersRef } from '../../../domain/plan/followers.ts'
import { wavesOfLane } from '../../../domain/plan/known.ts'
import { wave } from '../../../domain/plan/members.ts'
import { laneOf } from '../../../domain/plan/order.ts'
import { describeTask } from '../../../domain/plan/shown.ts'
import { type PhaseRow, planTotals, type TaskRow, taskProgress, tasks } from '../../../domain/plan/tables.ts'
import { taskId } from '../../../domain/plan/task.ts'
import { totalsOf } from '../../../domain/plan/totals.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { knownPhases, phaseMeant, phaseNamed, planMeant, planNamed, taskMeant, taskNamed } from '../named.ts'
import { settlePhases } from '../settled-phases.ts'

interface Place {
  readonly phase: number
  readonly plan: number
}

/** Work is planned before it is done: unless said, a task belongs to the phase that builds, else to the one that is under way. */
function usualPhase(all: readonly PhaseRow[]): PhaseRow | undefined {
  const current = all.find(({ state }) => state === 'running' || state === 'paused')
  const isAhead = current === undefined || current.kind === 'spec' || current.kind === 'plan'
  const building = all.find(({ kind, state }) => kind === 'build' && (state === 'planned' || state === 'running'))
  return (isAhead ? building : undefined) ?? current
}

function placeMeant(rows: RowsWithPast, asked: { phase?: string; plan?: string }): Place | Refusal {
  const all = knownPhases(rows)
  const phase = asked.phase === undefined ? usualPhase(all) : phaseMeant(all, asked.phase)
  if (phase instanceof Refusal) return phase
  if (asked.plan === undefined) return { phase: phase?.phase ?? 0, plan: 0 }
  if (phase === undefined) {
    const message = 'A plan belongs to a phase, and none is under way.'
    return refuse('invalid_input', message, 'Name it with `phase`.', { path: 'phase' })
  }
  const plan = planMeant(rows, phase, asked.plan)
  return plan instanceof Refusal ? plan : { phase: phase.phase, plan: plan.plan }
}

/** The tasks to wait for; each must be there and have room for another that waits. */
export function knownBefore(on: Deciding, given: readonly string[]): number[] | Refusal {
  const after = [...new Set(given.map(taskMeant))]
  const limit = on.limits.taskEdges
  on.rows.mustKnow(after.flatMap((task) => [rowOf(tasks, task), rowOf(taskProgress, task), followersRef(task)]))
  const unknown = after.find((task) => on.rows.get(tasks, task) === undefined)
  if (unknown !== undefined) return unknownBefore(unknown)
  const full = after.find((task) => followersOf(on.rows, task).length >= limit)
  if (full === undefined && after.length <= limit) return after
  const what = full === undefined ? 'It would wait for' : `${taskId(full)} has`
  const count = full === undefined ? `${after.length} tasks` : `${limit} tasks that wait for it`
  const hint = 'Put a task between them that stands for several.'
  return refuse('invalid_input', `${what} ${count}; the limit taskEdges is ${limit}.`, hint, {
    limit: 'taskEdges',
    limit_value: limit,
  })
}

function unknownBefore(task: number): Refusal {
  const id = taskId(task)
  const hint = 'Add what comes first before what waits for it; list the tasks with `task.list`.'
  return refuse('unknown_dependency', `This root has no ${id} to wait for.`, hint, { dependency: id })
}

/** A line of a shell has no room for more; those who need more put a task between. */
const namedMax = 1000

export const tasksBefore = some('Tasks that must be done before.', taskNamed, namedMax)

export const taskText = prose('What is to be done.')

export const taskAdd = change({
  name: 'task.add',
  summary: 'Add a task to the plan; it is ready once the tasks before it are done.',
  command: {
    words: ['task add'],
    positional: ['text'],
    topic: 'Plan',
    examples: [
      "cairn task add 'Write the parser'",
      "cairn task add 'Test the parser' --after task-001 --plan 1 --phase build --wave 2",
    ],
  },
  input: {
    text: taskText,
    after: optional(tasksBefore),
    phase: optional(phaseNamed),
    plan: optional(planNamed),
    wave: optional(wave),
  },
  needs: () => [rowOf(streams, planStream), rowOf(planTotals)],
  decide({ text, after: given = [], wave: asked = 1, ...named }, on) {
    const { tasks: count } = totalsOf(on.rows)
    const refusal = mayWrite(on) ?? checkCount(on.limits, 'tasks', count, 'tasks')
    if (refusal) return refusal
    const place = placeMeant(on.rows, named)
    if (place instanceof Refusal) return place
    const after = knownBefore(on, given)
    if (after instanceof Refusal) return after
    const { phase, plan } = place
    on.rows.mustKnow([wavesOfLane(laneOf(phase, plan))])
    const task = count + 1
    const where = { ...(phase !== 0 && { phase }), ...(plan !== 0 && { plan }) }
    on.record({ type: 'task_added', stream: planStream, data: { task, text, ...where, wave: asked, after } })
    settlePhases(on, [phase])
    const { id, ...rest } = describeTask(on.rows.get(tasks, task) as TaskRow)
    return { id, ...rest, status: 'open', seq: on.rows.head()?.seq ?? 0 }
  },
})
