import type { Deciding } from '../../domain/log/deciding.ts'
import { foldName } from '../../domain/log/identity.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { allOf, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { totalsOf } from '../../domain/plan/totals.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { sessionsOf } from '../../domain/sessions/session.ts'
import { sessionNames, sessions } from '../../domain/sessions/tables.ts'
import { agentName } from '../../domain/workflow/agent.ts'
import { workflowStream } from '../../domain/workflow/facts.ts'
import type { WorkflowRead } from '../../domain/workflow/file/read.ts'
import type { AgentSpec, PhaseSpec } from '../../domain/workflow/spec.ts'
import { agentRoles, agents, workflows } from '../../domain/workflow/tables.ts'

/** What the topic of an agent's session shows of its task. */
const topicCharsMax = 120

/** What must be known to add agents to a root: to one that is being made, that there is nothing. */
export function addingRefs(rows: Rows, specs: readonly AgentSpec[]): Ref[] {
  const own = [rowOf(workflows), rowOf(streams, workflowStream), rowOf(streams, sessionStream(0))]
  if (rows.head() === undefined) return [...own, allOf(streams), allOf(sessionNames), allOf(agentRoles)]
  const next = sessionsOf(rows)
  return [
    ...own,
    ...specs.flatMap(({ id, role }, at) => [
      rowOf(sessionNames, foldName(id)),
      rowOf(agentRoles, role),
      rowOf(streams, sessionStream(next + at)),
    ]),
  ]
}

/** Whether there is room for these agents, and their ids are free. */
export function checkAdding(on: Deciding, specs: readonly AgentSpec[]): Refusal | undefined {
  return checkNumber(on, specs.length) ?? checkIds(on, specs)
}

function checkNumber(on: Deciding, count: number): Refusal | undefined {
  // What an agent asks for holds up all others for no longer than one of its batches does.
  const [limit, most] =
    on.agent === undefined ? (['agents', on.limits.agents] as const) : (['batch', on.limits.batch] as const)
  if (count > most) {
    const message = `This adds ${count} agents; the limit ${limit} is ${most}.`
    return refuse('invalid_input', message, 'Add the others with `workflow.extend`.', { limit, limit_value: most })
  }
  const all = sessionsOf(on.rows) + count
  if (all <= on.limits.sessions) return undefined
  const message = `This root would have ${all} sessions; the limit sessions is ${on.limits.sessions}.`
  return refuse('invalid_input', message, 'Start a new root.', { limit: 'sessions', limit_value: on.limits.sessions })
}

function checkIds(on: Deciding, specs: readonly AgentSpec[]): Refusal | undefined {
  const own = new Set<string>()
  for (const { id } of specs) {
    const folded = foldName(id)
    if (own.has(folded) || on.rows.get(sessionNames, folded) !== undefined) return idTaken(id)
    own.add(folded)
  }
  return undefined
}

function idTaken(id: string): Refusal {
  const message = `This root already has an agent or session named ${JSON.stringify(id)}.`
  return refuse('already_exists', message, 'Names are not case-sensitive; choose another id.', { id })
}

/** What a new root is to run. Its own name is known only now, and an agent may not bear it too. */
export function recordWorkflow(on: Deciding, { workflow, agents: specs }: WorkflowRead): Refusal | undefined {
  const refusal = checkIds(on, specs)
  if (refusal) return refusal
  const full = checkPhases(on, workflow.phases?.length ?? 0)
  if (full) return full
  on.record({ type: 'workflow_set', stream: workflowStream, data: workflow })
  recordPhases(on, workflow.phases ?? [])
  for (const spec of specs) recordAgent(on, spec, 0)
  return undefined
}

export function checkPhases(on: Deciding, count: number): Refusal | undefined {
  return count === 0 ? undefined : checkCount(on.limits, 'phases', totalsOf(on.rows).phases + count - 1, 'phases')
}

export function recordPhases(on: Deciding, phases: readonly PhaseSpec[]): void {
  for (const { phase, name } of phases) {
    on.record({ type: 'phase_added', stream: planStream, data: { phase, kind: 'custom', name } })
  }
}

/** An agent is a session of its own, which runs nothing yet; gives its number. */
export function recordAgent(on: Deciding, spec: AgentSpec, parent: number): number {
  const no = sessionsOf(on.rows)
  on.record({
    type: 'session_created',
    stream: sessionStream(no),
    data: {
      no,
      parent,
      status: 'created',
      topic: topicOf(spec),
      type: 'full',
      name: agentName(on.rows, spec.role, no),
    },
  })
  on.record({ type: 'agent_added', stream: workflowStream, data: { ...spec, agent: no } })
  return no
}

/** The beginning of its task: people see it in lists. */
function topicOf({ id, task }: AgentSpec): string {
  const [line = ''] = task.trim().split('\n', 1)
  // No half of a character is left at the end.
  return (
    line
      .slice(0, topicCharsMax)
      .replace(/[\ud800-\udbff]$/, '')
      .trim() || id
  )
}

/** How an agent is named in answers: by what its workflow calls it, its name and its session. */
export function namesOf(rows: Rows, no: number): { id: string; name: string; session_id: string } {
  const session = rows.get(sessions, no)
  const agent = rows.get(agents, no)
  if (session === undefined || agent === undefined) throw new Error(`session ${no} is no agent`)
  return { id: agent.id, name: session.name, session_id: session.id }
}
