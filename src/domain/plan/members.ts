import type { BodyShapes } from '../log/foreign-body.ts'
import { integer, object, oneOf, optional, text } from '../log/input-schema.ts'
import { phasesCeiling, plansCeiling, tasksCeiling } from '../log/limits.ts'
import { distinct, line, prose } from '../log/text/entries.ts'
import { type PlanFact, phaseKinds, phaseStates, reopenings } from './facts.ts'
import { wavesMax } from './order.ts'

/** The fixed phases of a root come before its own. */
export const phaseNumber = integer('The number of a phase.', { min: 1, max: phasesCeiling + 10 })
export const planNumber = integer('The number of a plan within its phase.', { min: 1, max: plansCeiling })
export const wave = integer('The wave within its plan: lower ones come first.', { min: 1, max: wavesMax })
const task = integer('The number of a task.', { min: 1, max: tasksCeiling })
const after = distinct('Tasks that must be done before.', task, 10_000)
const checkpoint = integer('The number of a build checkpoint.', { min: 1 })
const blocker = optional(integer('The number of a blocker.', { min: 1 }))
const run = optional(text('A run.', { max: 128 }))

export const planName = line('What it is called.', 200)
export const reason = prose('Why.')

export const planBodies: BodyShapes<PlanFact> = {
  phase_added: object({ phase: phaseNumber, kind: oneOf('The kind of the phase.', phaseKinds), name: planName }),
  phase_changed: object({
    phase: phaseNumber,
    from: oneOf('How it was.', phaseStates),
    to: oneOf('How it is now.', phaseStates),
    reason: optional(reason),
  }),
  plan_added: object({ phase: phaseNumber, plan: planNumber, name: planName }),
  task_added: object({
    task,
    text: prose('What is to be done.'),
    phase: optional(phaseNumber),
    plan: optional(planNumber),
    wave,
    after,
  }),
  task_rewired: object({ task, after }),
  task_claimed: object({ task, by: integer('The session that works on it.'), run }),
  task_progressed: object({ task, note: optional(prose('How it goes.')) }),
  task_done: object({ task, result: optional(prose('What came of it.')) }),
  task_blocked: object({ task, reason: optional(reason), blocker }),
  task_reopened: object({
    task,
    why: oneOf('Why it is open again.', reopenings),
    blocker,
    reason: optional(reason),
    crashed: optional(object({ session: integer('The session that had it.'), run })),
  }),
  checkpoint_added: object({ checkpoint, text: prose('What is then complete.') }),
  checkpoint_started: object({ checkpoint }),
  checkpoint_completed: object({ checkpoint }),
}
