import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { allOf, type Rows, type RowsWithPast } from '../../domain/log/rows.ts'
import { refuseControls } from '../../domain/log/text/plain-text.ts'
import { knownTask, type Task } from '../../domain/plan/known.ts'
import { phasesOf } from '../../domain/plan/phases.ts'
import { type PhaseRow, type PlanRow, phases, plans } from '../../domain/plan/tables.ts'
import { taskId, taskNumber } from '../../domain/plan/task.ts'

/** Members that operations of the plan take, and what they name. */

function checkTaskId(value: string): Refusal | undefined {
  if (taskNumber(value) !== undefined) return undefined
  const message = `${JSON.stringify(value.slice(0, 50))} is not a task.`
  return refuse('invalid_input', message, 'Give its id or its number: task-012, or 12. `task.list` shows them.')
}

export const taskNamed = text('The task: its id or number.', { max: 64, check: checkTaskId })
export const phaseNamed = text('The phase: its name or number.', {
  max: 200,
  check: refuseControls('The phase', 'phase'),
})
export const planNamed = text('The plan of that phase: its name or number.', {
  max: 200,
  check: refuseControls('The plan', 'plan'),
})
export const taskToken = optional(text('The token that the claim returned.', { max: 64 }))
export const checkpointNo = integer('The build checkpoint.', { min: 1 })

/** A task as it was named; the input was checked. */
export function taskMeant(given: string): number {
  return taskNumber(given) as number
}

/** A task, with all that a change of it looks at. */
export function taskOf(rows: RowsWithPast, task: number): Task | Refusal {
  return knownTask(rows, task) ?? noTask(task)
}

export function noTask(task: number): Refusal {
  const message = `This root has no ${taskId(task)}.`
  return refuse('not_found', message, 'List the tasks with `task.list`.', { task: taskId(task) })
}

/** All phases of a root. */
export function knownPhases(rows: RowsWithPast): PhaseRow[] {
  rows.mustKnow([allOf(phases)])
  return phasesOf(rows)
}

export function phaseMeant(all: readonly PhaseRow[], given: string): PhaseRow | Refusal {
  const folded = given.trim().toLowerCase()
  const found =
    all.find(({ name }) => name.toLowerCase() === folded) ?? all.find(({ phase }) => String(phase) === folded)
  if (found !== undefined) return found
  const names = all.map(({ name }) => name)
  const message = `This root has no phase ${JSON.stringify(given)}.`
  const hint = `Its phases are: ${names.join(', ')}. Add one with \`phase.add\`.`
  return refuse('not_found', message, hint, { phase: given, phases: names })
}

export function plansOf(rows: RowsWithPast, phase: number): PlanRow[] {
  rows.mustKnow([{ table: plans, range: { column: 'phase', from: phase, to: phase + 1 } }])
  return knownPlans(rows, phase)
}

function knownPlans(rows: Rows, phase: number): PlanRow[] {
  return rows
    .all(plans)
    .filter((row) => row.phase === phase)
    .sort((a, b) => a.plan - b.plan)
}

export function planMeant(rows: RowsWithPast, { phase, name: of }: PhaseRow, given: string): PlanRow | Refusal {
  const all = plansOf(rows, phase)
  const folded = given.trim().toLowerCase()
  const found = all.find(({ plan }) => String(plan) === folded) ?? all.find(({ name }) => name.toLowerCase() === folded)
  if (found !== undefined) return found
  const message = `The phase ${of} has no plan ${JSON.stringify(given)}.`
  const hint =
    all.length === 0
      ? 'Add one with `plan.add`.'
      : `It has: ${all.map(({ plan, name }) => `${plan} ${name}`).join(', ')}.`
  return refuse('not_found', message, hint, { phase: of, plan: given })
}
