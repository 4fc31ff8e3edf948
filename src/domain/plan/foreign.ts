import type { Event } from '../log/event.ts'
import { checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import type { Limits } from '../log/limits.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { checkCount } from '../log/text/room.ts'
import { sessions } from '../sessions/tables.ts'
import { findCycle } from './cycle.ts'
import type { PlanFact, TaskStatus } from './facts.ts'
import { planBodies } from './members.ts'
import { nextPhase, phaseNumbered } from './phases.ts'
import { buildCheckpoints, plans, taskProgress, tasks } from './tables.ts'
import { afterOf, blockersOf, taskId } from './task.ts'
import { totalsOf } from './totals.ts'
import { checkPhaseChange } from './transitions.ts'

type PlanEvent = Event & PlanFact
type Body<Type extends PlanFact['type']> = Extract<PlanFact, { type: Type }>['data']
type Check<Type extends PlanFact['type']> = (rows: Rows, body: Body<Type>, limits: Limits) => Refusal | undefined

/** Whether a root could have recorded this of its plan. */
export const foreignPlan: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as PlanEvent
    const refusal = checkNoKey(event) ?? checkBody(planBodies, event, limits)
    // The type says which body goes with it.
    return refusal ?? (checks[event.type] as Check<PlanFact['type']>)(rows, event.data, limits)
  },
}

const checks: { readonly [Type in PlanFact['type']]: Check<Type> } = {
  phase_added(rows, { phase, kind }, limits) {
    const { phases } = totalsOf(rows)
    if (kind !== 'custom') return impossible('The fixed phases of a root are not added.')
    return checkNext('phase', phase, nextPhase(rows, phases)) ?? checkCount(limits, 'phases', phases, 'phases')
  },
  phase_changed(rows, { phase, from, to }) {
    const row = phaseNumbered(rows, phase)
    if (row === undefined) return impossible(`There is no phase ${phase}.`)
    if (row.state !== from) return impossible(`Phase ${phase} was ${row.state} then, not ${from}.`)
    return checkPhaseChange(row.name, from, to)
  },
  plan_added(rows, { phase, plan }, limits) {
    if (phaseNumbered(rows, phase) === undefined) return impossible(`There is no phase ${phase}.`)
    const isNext = rows.get(plans, phase, plan) === undefined && (plan === 1 || rows.get(plans, phase, plan - 1))
    if (!isNext) return impossible(`Plan ${plan} of phase ${phase} is not the next one.`)
    return checkCount(limits, 'plans', plan - 1, 'plans in this phase')
  },
  task_added(rows, { task, phase, plan, after }, limits) {
    const count = totalsOf(rows).tasks
    const isPlaced = phase === undefined ? plan === undefined : phaseNumbered(rows, phase) !== undefined
    if (!isPlaced) return impossible(`There is no phase ${phase} for task ${task}.`)
    if (phase !== undefined && plan !== undefined && rows.get(plans, phase, plan) === undefined)
      return impossible(`There is no plan ${plan} in phase ${phase}.`)
    return checkNext('task', task, count + 1) ?? checkCount(limits, 'tasks', count, 'tasks') ?? checkAfter(rows, after)
  },
  task_rewired: (rows, { task, after }) =>
    checkTask(rows, task, 'open', 'claimed', 'blocked', 'done') ??
    checkAfter(rows, after) ??
    checkRewired(rows, task, after),
  task_claimed: (rows, { task, by }) => checkTask(rows, task, 'open') ?? checkSession(rows, by),
  task_progressed: (rows, { task }) => checkTask(rows, task, 'claimed'),
  task_done: (rows, { task }) => checkTask(rows, task, 'open', 'claimed', 'blocked'),
  task_blocked(rows, { task, blocker = 0 }) {
    const row = rows.get(taskProgress, task)
    if (row !== undefined && blockersOf(row).includes(blocker))
      return impossible(`${taskId(task)} was blocked by it before.`)
    return checkTask(rows, task, 'open', 'claimed', 'blocked')
  },
  task_reopened(rows, { task, why, blocker, crashed }) {
    const row = rows.get(taskProgress, task)
    if (blocker !== undefined && (row === undefined || !blockersOf(row).includes(blocker)))
      return impossible(`${taskId(task)} was not blocked by ${blocker}.`)
    const from = why === 'unblocked' ? (['blocked'] as const) : (['claimed', 'blocked', 'done'] as const)
    return checkTask(rows, task, ...from) ?? (crashed && checkSession(rows, crashed.session))
  },
  checkpoint_added(rows, { checkpoint }, limits) {
    const count = totalsOf(rows).checkpoints
    return (
      checkNext('build checkpoint', checkpoint, count + 1) ??
      checkCount(limits, 'buildCheckpoints', count, 'build checkpoints')
    )
  },
  checkpoint_started(rows, { checkpoint }) {
    const row = rows.get(buildCheckpoints, checkpoint)
    return row?.started_at === null ? undefined : impossible(`Build checkpoint ${checkpoint} cannot be started here.`)
  },
  checkpoint_completed(rows, { checkpoint }) {
    const row = rows.get(buildCheckpoints, checkpoint)
    return row?.completed_at === null
      ? undefined
      : impossible(`Build checkpoint ${checkpoint} cannot be completed here.`)
  },
}

function checkNext(what: string, no: number, next: number): Refusal | undefined {
  return no === next ? undefined : impossible(`It adds ${what} ${no}, where the next one is ${next}.`)
}

function checkTask(rows: Rows, task: number, ...statuses: readonly TaskStatus[]): Refusal | undefined {
  const row = rows.get(taskProgress, task)
  if (row === undefined) return impossible(`There is no ${taskId(task)}.`)
  return statuses.includes(row.status) ? undefined : impossible(`${taskId(task)} was ${row.status} then.`)
}

function checkSession(rows: Rows, no: number): Refusal | undefined {
  return rows.get(sessions, no) === undefined ? impossible(`There is no session ${no}.`) : undefined
}

function checkAfter(rows: Rows, after: readonly number[]): Refusal | undefined {
  const unknown = after.find((before) => rows.get(tasks, before) === undefined)
  return unknown === undefined ? undefined : impossible(`There is no ${taskId(unknown)} to wait for.`)
}

function checkRewired(rows: Rows, task: number, after: readonly number[]): Refusal | undefined {
  const cycle = findCycle(task, (no) => (no === task ? after : afterOf(rows.get(tasks, no) ?? { after: null })))
  return cycle && impossible(`Tasks would wait for each other: ${cycle.map(taskId).join(' → ')}.`)
}
