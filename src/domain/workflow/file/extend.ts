import { object } from '../../log/input-schema.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { nearWords } from '../../log/text/near-words.ts'
import type { WorkflowExtended } from '../facts.ts'
import type { AgentSpec, PhaseSpec, WorkflowSpec } from '../spec.ts'
import { agentSpec, faultOfAgents, profilesOf } from './agents.ts'
import { faultOfDependencies, faultOfIds } from './graph.ts'
import type { Placed } from './layout.ts'
import { type ExtensionForm, extensionMembers } from './members.ts'

/** What there is when a workflow is extended. */
export interface Extending {
  readonly workflow: WorkflowSpec
  /** The ids of its agents. */
  readonly agents: ReadonlySet<string>
  /** The number of the first new phase. */
  readonly nextPhase: number
  /** Phases that can still get agents. */
  readonly openPhases: ReadonlySet<number>
  /** Whoever extends it may choose among the profiles that are there, and name no program. */
  readonly profilesOnly: boolean
}

export interface ExtensionRead {
  readonly extended: WorkflowExtended
  readonly agents: readonly AgentSpec[]
}

const extensionForm = object(extensionMembers, 'What a running workflow gets.')

/** Reads what a running workflow is to get, or says what is wrong with it and where. */
export function readExtension(value: unknown, there: Extending): ExtensionRead | Refusal {
  const form = extensionForm.check(value, '')
  if (form instanceof Refusal) return form
  const phases = (form.phases ?? []).map(({ name, when }, at): PhaseSpec => {
    return { phase: there.nextPhase + at, name, ...(when !== undefined && { when }) }
  })
  const agents = placedIn(form, phases, there)
  if (agents instanceof Refusal) return agents
  const profiles = profilesOf(form.profiles, there.workflow.profiles ?? {})
  if (profiles instanceof Refusal) return profiles
  const fault =
    faultOfPhases(phases, there) ??
    (there.profilesOnly ? faultOfPrograms(form, there) : undefined) ??
    faultOfIds(agents, there.agents) ??
    faultOfAgents(agents, profiles) ??
    faultOfDependencies(agents, there.agents)
  if (fault !== undefined) return fault
  const specs: AgentSpec[] = []
  for (const each of agents) {
    const spec = agentSpec(each)
    if (spec instanceof Refusal) return spec
    specs.push(spec)
  }
  const { max_parallel, budget } = form
  const extended: WorkflowExtended = {
    ...(max_parallel !== undefined && { max_parallel }),
    ...(budget !== undefined && { budget }),
    ...(form.profiles !== undefined && { profiles: form.profiles }),
    ...(phases.length > 0 && { phases }),
  }
  return { extended, agents: specs }
}

/** New agents with the phases they name; where a workflow has phases, each names one. */
function placedIn(form: ExtensionForm, added: readonly PhaseSpec[], there: Extending): Placed[] | Refusal {
  const phases = [...(there.workflow.phases ?? []), ...added]
  const stretch = there.workflow.strategy === 'pipeline' ? 'stage' : 'phase'
  const placed: Placed[] = []
  for (const [at, { phase: name, ...agent }] of (form.agents ?? []).entries()) {
    const path = `agents[${at}]`
    const before = agent.depends_on ?? []
    const phase = name === undefined ? undefined : phases.find((each) => each.name === name)
    if (phases.length > 0 && phase === undefined) return unknownPhase(agent.id, name, `${path}.phase`, phases)
    if (name !== undefined && phase === undefined) return unknownPhase(agent.id, name, `${path}.phase`, phases)
    const isOver = phase !== undefined && phase.phase < there.nextPhase && !there.openPhases.has(phase.phase)
    if (isOver) {
      const hint = 'Name a phase that has not ended, or add one.'
      return refuse('illegal_transition', `The phase ${phase.name} has ended.`, hint, { path: `${path}.phase` })
    }
    placed.push({ form: agent, path, stretch, before, ...(phase !== undefined && { phase: phase.phase }) })
  }
  return placed
}

function unknownPhase(id: string, name: string | undefined, path: string, phases: readonly PhaseSpec[]): Refusal {
  const names = phases.map((each) => each.name)
  const [near] = name === undefined ? [] : nearWords(name, names, (each) => each)
  const suggestion = near === undefined ? '' : `Did you mean ${near}? `
  const message = name === undefined ? `The agent ${id} names no phase.` : `There is no phase ${JSON.stringify(name)}.`
  const hint =
    names.length === 0 ? 'Leave phase out: this workflow has none.' : `${suggestion}Phases: ${names.join(', ')}.`
  return refuse('invalid_input', message, hint, { path })
}

function faultOfPhases(phases: readonly PhaseSpec[], { workflow }: Extending): Refusal | undefined {
  const known = new Set((workflow.phases ?? []).map(({ name }) => name))
  for (const [at, { name }] of phases.entries()) {
    if (known.has(name)) {
      const message = `The phase ${JSON.stringify(name)} is there already.`
      return refuse('already_exists', message, 'Give each phase a name of its own.', { path: `phases[${at}].name` })
    }
    known.add(name)
  }
  return undefined
}

/** Programs, the environment they get and what they may use up are decided by whoever owns the root. */
const ownersMembers = ['max_parallel', 'budget', 'profiles'] as const
const ownersAgentMembers = ['run', 'env', 'cwd', 'budget', 'auto_resume', 'retries', 'timeout', 'idle_timeout'] as const

function faultOfPrograms(form: ExtensionForm, { workflow }: Extending): Refusal | undefined {
  const member = ownersMembers.find((name) => form[name] !== undefined)
  if (member !== undefined) return ownersOnly(member, member)
  for (const [at, agent] of (form.agents ?? []).entries()) {
    const given = ownersAgentMembers.find((name) => agent[name] !== undefined)
    if (given !== undefined) return ownersOnly(given, `agents[${at}].${given}`)
    if (agent.use !== undefined && !Object.hasOwn(workflow.profiles ?? {}, agent.use)) {
      const names = Object.keys(workflow.profiles ?? {})
      const hint = names.length === 0 ? 'Ask the owner to add a profile.' : `${names.join(', ')} can be used.`
      const message = `The workflow has no profile ${JSON.stringify(agent.use)}, and an agent can use nothing else.`
      return refuse('forbidden', message, hint, { path: `agents[${at}].use` })
    }
  }
  return undefined
}

function ownersOnly(member: string, path: string): Refusal {
  const hint = 'Leave it out; name a profile of the workflow as `use`.'
  return refuse('forbidden', `Only the owner of the workflow can give ${member}.`, hint, { path })
}
