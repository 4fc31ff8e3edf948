import { integer, list, object, oneOf, optional, type Shape, text } from '../../log/input-schema.ts'
import { adapterNames, pauseModes } from '../adapters.ts'
import { conditionCharsMax } from '../condition/parse.ts'
import { failurePolicies, resumePolicies, strategies } from '../spec.ts'
import { duration } from './duration.ts'
import { environment } from './environment.ts'
import { agentId, amount, checkCondition, label, named, relativePath } from './kinds.ts'

/** The one definition of a workflow: the check of it, its types and docs/schemas/workflow.schema.json. */

/** No machine runs more at a time. */
const parallelMax = 10_000
/** Whatever failed as often does not work. */
const retriesMax = 100
const factorMax = 100
/** What one process can be given as an argument. */
const argumentCharsMax = 131_072
/** A task is a text that a model reads; more is a file of the project. */
const taskCharsMax = 200_000

const budget = object(
  {
    tokens: optional(integer('Tokens read and written.', { min: 1 })),
    usd: optional(amount('US dollars.', { above: 0, most: 1_000_000_000 })),
    wall: optional(duration('Time.')),
  },
  'What may be used up.',
)

const backoff = object(
  {
    first: optional(duration('The wait before the first retry; default 1s.', { least: 0 })),
    factor: optional(
      amount('How many times longer each wait is than the one before; default 2.', { least: 1, most: factorMax }),
    ),
    max: optional(duration('The longest wait; default 5m.', { least: 0 })),
  },
  'How long to wait before each retry.',
)

const run = list(
  'A program with its arguments, as a list: [sh, -c, "npm test"].',
  text('A program or an argument.', { min: 0, max: argumentCharsMax }),
)

/** What an agent may say of itself, and `defaults` for all of them. */
const running = {
  timeout: optional(duration('How long a run may take; paused time does not count.')),
  idle_timeout: optional(duration('How long a run may be silent: without output and without a write of its own.')),
  retries: optional(integer('How often a failed run is repeated; default 2.', { max: retriesMax })),
  backoff: optional(backoff),
  on_failure: optional(
    oneOf(
      'Its failure skips what depends on it, fails the whole work, or is passed over; default skip.',
      failurePolicies,
    ),
  ),
  approval: optional(oneOf('A person approves its start, or its result.', ['before', 'after'])),
  env: optional(environment),
  cwd: optional(
    relativePath(
      'Where it runs, relative to the project; `worktree` is a git work tree of its own, on a branch of its own.',
    ),
  ),
  budget: optional(budget),
  result: optional(oneOf('Whether it must write the file $CAIRN_OUTPUT; default optional.', ['optional', 'required'])),
  pause: optional(oneOf('How it is paused; the default depends on what runs it.', pauseModes)),
  auto_resume: optional(
    oneOf('What goes on by itself after a crash; default free: what costs no money.', resumePolicies),
  ),
}

const profile = object(
  {
    adapter: oneOf('What runs it.', adapterNames),
    run: optional(run),
    model: optional(text('The model.', { max: 256 })),
    flags: optional(list('More arguments for the program of the adapter.', text('An argument.', { max: 4096 }))),
    permission_mode: optional(text('What it may do without asking, in the words of the program.', { max: 128 })),
  },
  'How an agent is run.',
)

const agent = {
  id: agentId,
  role: optional(label('What it is to the work, such as researcher; default worker.')),
  task: optional(
    text('What it is to do; {{outputs.ID}} stands for the result of another agent.', { max: taskCharsMax }),
  ),
  run: optional(run),
  use: optional(label('A profile or an adapter that runs it, instead of `run`.')),
  depends_on: optional(list('Agents that must have completed before.', agentId)),
  ...running,
}

const agentForm = object(agent, 'An agent.')
export type AgentForm = Shape<typeof agent>

const added = { ...agent, phase: optional(label('The name of its phase.')) }

const phase = {
  name: label('The name of the phase.'),
  when: optional(text('It runs only if this holds.', { max: conditionCharsMax, check: checkCondition })),
}

const workflow = {
  $schema: optional(text('The address of the schema, for editors.', { max: 2000 })),
  objective: optional(text('The goal of the work.', { max: 10_000 })),
  strategy: optional(
    oneOf('In which order agents run; default adaptive, as soon as their dependencies allow.', strategies),
  ),
  max_parallel: optional(integer('How many agents run at a time.', { min: 1, max: parallelMax })),
  defaults: optional(object(running, 'For all agents that do not say otherwise.')),
  budget: optional(budget),
  profiles: optional(named('Profiles by name, for `use`.', profile)),
  agents: optional(list('The agents.', agentForm)),
  phases: optional(
    list(
      'Instead of agents: phases, one after another.',
      object({ ...phase, agents: list('The agents of the phase.', agentForm) }, 'A stretch of the work.'),
    ),
  ),
  stages: optional(list('The stages of a pipeline, each a list of agents.', list('The agents of a stage.', agentId))),
}

export const workflowForm = object(workflow, 'A workflow of Cairn: agents, and in which order they run.')
export type WorkflowForm = Shape<typeof workflow>

/** What a workflow can get while it runs. */
export const extensionMembers = {
  max_parallel: workflow.max_parallel,
  budget: workflow.budget,
  profiles: workflow.profiles,
  phases: optional(list('New phases, after those that are there.', object(phase, 'A stretch of the work.'))),
  agents: optional(list('New agents.', object(added, 'An agent.'))),
}
export type ExtensionForm = Shape<typeof extensionMembers>
