import { integer, list, object, oneOf, optional, text } from '../../domain/log/input-schema.ts'
import { orNull } from '../../domain/log/text/entries.ts'
import { phaseStates, taskStatuses } from '../../domain/plan/facts.ts'
import { wavesMax } from '../../domain/plan/order.ts'

const name = text('A name.', { max: 200 })

const phase = object({
  name,
  state: optional(oneOf('How far it is; it is changed with `cairn phase`.', phaseStates)),
  plans: optional(list('The names of its plans, in their order.', name)),
})

const checkpoint = object({
  id: optional(integer('Its number; a new one has none.', { min: 1 })),
  text: text('What is then complete.', { max: 100_000 }),
  status: optional(oneOf('How far it is.', ['open', 'started', 'completed'])),
})

const task = object({
  id: optional(text('task-001, or for a new one any word that others name it by.', { max: 64 })),
  text: text('What is to be done.', { max: 100_000 }),
  phase: optional(orNull(name)),
  plan: optional(orNull(integer('The number of a plan of that phase.', { min: 1 }))),
  wave: optional(integer('Lower waves of a plan come first.', { min: 1, max: wavesMax })),
  after: optional(list('Ids of tasks that must be done before.', text('An id.', { max: 64 }))),
  status: optional(oneOf('How far it is.', taskStatuses)),
})

/** What may stand in `plan.json`. */
export const planShape = object(
  {
    $schema: optional(text('What this file is.', { max: 200 })),
    phases: optional(list('The phases, in their order.', phase)),
    checkpoints: optional(list('The build checkpoints, in their order.', checkpoint)),
    tasks: optional(list('The tasks.', task)),
  },
  'The plan of a session.',
)

/** The published schema of it. */
export const planFileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'plan.json of a session folder of Cairn',
  ...planShape.json,
}
