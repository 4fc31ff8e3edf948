import { integer, jsonObject, list, number, object, oneOf, optional, type Schema, text } from '../log/input-schema.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { refuseControls } from '../log/text/plain-text.ts'
import { checkNoId } from '../sessions/members.ts'
import { adapterNames, pauseModes } from './adapters.ts'
import { failurePolicies, resumePolicies, strategies } from './spec.ts'

/** What the facts of a workflow are made of. Times are in milliseconds here; a workflow file is read elsewhere. */

/** A task may be a whole page of instructions; what is longer is a file that the task names. */
export const taskCharsMax = 200_000
/** What an agent leaves that is longer than this is kept as a blob. */
export const resultCharsMax = 65_536

const roleRule = refuseControls('The role', 'role')
export const role = text('What kind of agent it is.', { max: 128, check: roleRule })
export const agentId = text('What the workflow calls it.', { max: 128, check: checkAgentId })

/** It is a name of a session as well, and so must not look like part of an id. */
function checkAgentId(value: string): Refusal | undefined {
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(value)) return checkNoId(value)
  const message = `${JSON.stringify(value.slice(0, 80))} is not a valid id of an agent.`
  return refuse(
    'invalid_input',
    message,
    'Use letters, digits, dots, hyphens and underscores; begin with a letter or digit.',
  )
}

export const milliseconds = (about: string) => integer(about, { max: 10 * 366 * 86_400_000 })

const amount = (about: string): Schema<number> => {
  const any = number(about)
  return {
    ...any,
    json: { ...any.json, minimum: 0 },
    check(value, path) {
      const checked = any.check(value, path)
      if (checked instanceof Refusal || checked >= 0) return checked
      return refuse('invalid_input', `${path} must not be negative.`, 'Give 0 or more.', { path })
    },
  }
}

/** An object whose values are texts. */
function texts(about: string): Schema<{ [name: string]: string }> {
  const any = jsonObject(about)
  return {
    ...any,
    check(value, path, limits) {
      const checked = any.check(value, path, limits)
      if (checked instanceof Refusal) return checked
      const wrong = Object.keys(checked).find((name) => typeof checked[name] !== 'string')
      if (wrong === undefined) return checked as { [name: string]: string }
      return refuse('invalid_input', `${path}.${wrong} must be text.`, 'Write it in quotes.', { path })
    },
  }
}

const environment = object({
  pass: optional(list('Variables that are passed on.', text('A variable.', { max: 256 }))),
  set: optional(texts('Variables with their values.')),
})

export const budget = object({
  tokens: optional(integer('Tokens read and written.')),
  usd: optional(amount('US dollars.')),
  wall: optional(milliseconds('Milliseconds of run time.')),
})

const backoff = object({
  first: milliseconds('Before the second attempt.'),
  factor: amount('How much longer each time.'),
  max: milliseconds('At most.'),
})

const defaults = {
  timeout: optional(milliseconds('How long a run may take.')),
  idle_timeout: optional(milliseconds('How long it may be silent.')),
  retries: optional(integer('Attempts after the first.', { max: 1000 })),
  backoff: optional(backoff),
  on_failure: optional(oneOf('What its failure means.', failurePolicies)),
  approval: optional(oneOf('When a person is asked.', ['before', 'after'])),
  env: optional(environment),
  cwd: optional(text('Its directory, relative to the project.', { max: 4096, check: checkRelative })),
  budget: optional(budget),
  result: optional(oneOf('Whether it must leave a result.', ['optional', 'required'])),
  pause: optional(oneOf('How it is paused.', pauseModes)),
  auto_resume: optional(oneOf('What is resumed without asking.', resumePolicies)),
}

/** A path of one machine stands in no event. */
function checkRelative(value: string): Refusal | undefined {
  if (!/^(?:\/|[A-Za-z]:|~)/.test(value) && !value.split(/[\\/]/).includes('..')) return undefined
  return refuse('invalid_input', `${JSON.stringify(value)} is not below the project.`, 'Give a path relative to it.')
}

export const sessionNumber = integer('The number of a session.')
const phaseNumber = integer('The number of a phase.', { min: 1 })

const word = text('An argument.', { min: 0, max: 131_072 })

export const agentSpec = {
  id: agentId,
  role,
  task: text('What it is to do.', { max: taskCharsMax }),
  run: optional(list('A program with its arguments.', word)),
  use: optional(text('A profile or an adapter.', { max: 128 })),
  depends_on: optional(list('Those that come before.', agentId)),
  phase: optional(phaseNumber),
  ...defaults,
}

const phase = object({
  phase: phaseNumber,
  name: text('Its name.', { max: 200 }),
  when: optional(text('What must hold.', { max: 10_000 })),
})

/** Profiles by their names; what an adapter wants besides is its own. */
const profiles: Schema<{ [name: string]: { readonly adapter: (typeof adapterNames)[number] } }> = {
  ...jsonObject('Profiles.'),
  check(value, path, limits) {
    const checked = jsonObject('Profiles.').check(value, path, limits)
    if (checked instanceof Refusal) return checked
    for (const [name, profile] of Object.entries(checked)) {
      const { adapter } = (profile ?? {}) as { adapter?: unknown }
      const known = oneOf('What runs it.', adapterNames).check(adapter, `${path}.${name}.adapter`)
      if (known instanceof Refusal) return known
    }
    return checked as never
  },
}

const parallel = optional(integer('Agents at once.', { min: 1, max: 10_000 }))

export const workflowSpec = object({
  strategy: oneOf('How agents are started.', strategies),
  max_parallel: parallel,
  defaults: optional(object(defaults)),
  budget: optional(budget),
  profiles: optional(profiles),
  phases: optional(list('In order.', phase)),
})

export const workflowExtended = object({
  max_parallel: parallel,
  budget: optional(budget),
  profiles: optional(profiles),
  phases: optional(list('In order.', phase)),
})
