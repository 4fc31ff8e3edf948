import { Refusal, refuse } from '../../log/refusal.ts'
import type { PhaseSpec, Strategy } from '../spec.ts'
import type { AgentForm, WorkflowForm } from './members.ts'

/** An agent of a workflow, and where it stands. */
export interface Placed {
  readonly form: AgentForm
  /** Where it is in the file. */
  readonly path: string
  readonly phase?: number
  /** What its phases are called. */
  readonly stretch: 'phase' | 'stage'
  /** The agents it comes after: those it depends on, and in a sequence the one before. */
  readonly before: readonly string[]
}

export interface Layout {
  readonly strategy: Strategy
  readonly phases: readonly PhaseSpec[]
  readonly agents: readonly Placed[]
}

type Unplaced = Omit<Placed, 'before' | 'stretch'>

/** How the agents of a workflow follow each other: at will, in phases, in stages, or in a row. */
export function layoutOf(form: WorkflowForm, firstPhase: number): Layout | Refusal {
  const strategy = form.strategy ?? (form.stages === undefined ? 'adaptive' : 'pipeline')
  const fault = faultOfForm(form, strategy)
  if (fault !== undefined) return fault
  const placed = form.phases === undefined ? loose(form, strategy, firstPhase) : inPhases(form.phases, firstPhase)
  if (placed instanceof Refusal) return placed
  const { phases, agents } = placed
  const stretch = strategy === 'pipeline' ? 'stage' : 'phase'
  const withOrder = agents.map(
    (each, at) => ({ ...each, stretch, before: orderOf(each, agents[at - 1], strategy) }) as const,
  )
  return { strategy, phases, agents: withOrder }
}

function orderOf({ form }: Unplaced, previous: Unplaced | undefined, strategy: Strategy): readonly string[] {
  const named = form.depends_on ?? []
  return strategy === 'sequential' && previous !== undefined ? [...named, previous.form.id] : named
}

function faultOfForm(form: WorkflowForm, strategy: Strategy): Refusal | undefined {
  if (form.agents === undefined && form.phases === undefined) {
    const hint = 'Give agents: a list of at least one agent, or phases with agents.'
    return refuse('invalid_input', 'The workflow has no agents.', hint, { path: 'agents' })
  }
  if (form.agents !== undefined && form.phases !== undefined) {
    const hint = 'Move the agents into the phases, or leave the phases out.'
    return refuse('invalid_input', 'The workflow has both agents and phases.', hint, { path: 'phases' })
  }
  if (form.stages !== undefined && (strategy !== 'pipeline' || form.phases !== undefined)) {
    const hint = 'Write strategy: pipeline with agents and stages, or leave the stages out.'
    return refuse('invalid_input', 'Only a pipeline of agents has stages.', hint, { path: 'stages' })
  }
  return undefined
}

function inPhases(forms: NonNullable<WorkflowForm['phases']>, firstPhase: number) {
  const phases = forms.map(({ name, when }, at): PhaseSpec => ({ phase: firstPhase + at, name, ...(when && { when }) }))
  const agents = forms.flatMap((phase, at) =>
    phase.agents.map((form, no) => ({ form, path: `phases[${at}].agents[${no}]`, phase: firstPhase + at })),
  )
  return namedTwice(phases) ?? { phases, agents }
}

function namedTwice(phases: readonly PhaseSpec[]): Refusal | undefined {
  const at = phases.findIndex(({ name }, no) => phases.findIndex((each) => each.name === name) < no)
  if (at < 0) return undefined
  const message = `The phase ${JSON.stringify(phases[at]?.name)} is given twice.`
  return refuse('already_exists', message, 'Give each phase a name of its own.', { path: `phases[${at}].name` })
}

/** Without phases; in a pipeline the stages are phases, and without stages each agent is one. */
function loose({ agents = [], stages }: WorkflowForm, strategy: Strategy, firstPhase: number) {
  const placed = agents.map((form, at) => ({ form, path: `agents[${at}]` }))
  if (strategy !== 'pipeline') return { phases: [], agents: placed }
  const groups = stages ?? agents.map(({ id }) => [id])
  const stageOf = new Map<string, number>()
  const ids = new Set(agents.map(({ id }) => id))
  for (const [at, group] of groups.entries()) {
    for (const [no, id] of group.entries()) {
      const path = `stages[${at}][${no}]`
      if (stageOf.has(id) && stages !== undefined) return wrongStage(`The agent ${id} is in two stages.`, path)
      if (!ids.has(id)) return wrongStage(`There is no agent ${id}.`, path)
      stageOf.set(id, firstPhase + at)
    }
  }
  const left = placed.find(({ form }) => !stageOf.has(form.id))
  if (left !== undefined) return wrongStage(`The agent ${left.form.id} is in no stage.`, left.path)
  const phases = groups.map((_, at): PhaseSpec => ({ phase: firstPhase + at, name: `Stage ${at + 1}` }))
  return { phases, agents: placed.map((each) => ({ ...each, phase: stageOf.get(each.form.id) as number })) }
}

function wrongStage(message: string, path: string): Refusal {
  return refuse('invalid_input', message, 'Name each agent in one of the stages, by its id.', { path })
}
