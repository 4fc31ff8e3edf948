import type { InputLimits } from '../../log/limits.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import type { AgentSpec, WorkflowSpec } from '../spec.ts'
import { agentSpec, faultOfAgents, profilesOf } from './agents.ts'
import { defaultsOf } from './defaults.ts'
import { faultOfDependencies, faultOfIds } from './graph.ts'
import { layoutOf } from './layout.ts'
import { workflowForm } from './members.ts'

/** A workflow as it was written, checked. */
export interface WorkflowRead {
  readonly objective?: string
  readonly workflow: WorkflowSpec
  readonly agents: readonly AgentSpec[]
}

export interface WorkflowLimits extends InputLimits {
  /** How many sessions a root may have. */
  readonly sessions: number
}

/** Reads a workflow, or says what is wrong with it and where. Its phases are numbered from `firstPhase` on. */
export function readWorkflow(value: unknown, limits: WorkflowLimits, firstPhase = 1): WorkflowRead | Refusal {
  const form = workflowForm.check(value, '', limits)
  if (form instanceof Refusal) return form
  const layout = layoutOf(form, firstPhase)
  if (layout instanceof Refusal) return layout
  const { strategy, phases, agents } = layout
  const profiles = profilesOf(form.profiles, {})
  if (profiles instanceof Refusal) return profiles
  const fault =
    faultOfCount(agents.length, limits) ??
    faultOfIds(agents, new Set()) ??
    faultOfAgents(agents, profiles) ??
    faultOfDependencies(agents, new Set())
  if (fault !== undefined) return fault
  const defaults = form.defaults === undefined ? undefined : defaultsOf(form.defaults, 'defaults')
  if (defaults instanceof Refusal) return defaults
  const specs: AgentSpec[] = []
  for (const each of agents) {
    const spec = agentSpec(each)
    if (spec instanceof Refusal) return spec
    specs.push(spec)
  }
  const workflow: WorkflowSpec = {
    strategy,
    ...(form.max_parallel !== undefined && { max_parallel: form.max_parallel }),
    ...(defaults !== undefined && { defaults }),
    ...(form.budget !== undefined && { budget: form.budget }),
    ...(form.profiles !== undefined && { profiles }),
    ...(phases.length > 0 && { phases }),
  }
  return { ...(form.objective !== undefined && { objective: form.objective }), workflow, agents: specs }
}

function faultOfCount(agents: number, { sessions }: WorkflowLimits): Refusal | undefined {
  if (agents === 0) {
    const hint = 'Give agents: a list of at least one agent.'
    return refuse('invalid_input', 'The workflow has no agents.', hint, { path: 'agents' })
  }
  // The root is a session as well.
  if (agents < sessions) return undefined
  const message = `The workflow has ${agents} agents; the limit sessions of ${sessions} allows ${sessions - 1}.`
  const hint = 'Split the workflow, or raise the limit.'
  return refuse('invalid_input', message, hint, { path: 'agents', limit: 'sessions', limit_value: sessions })
}
