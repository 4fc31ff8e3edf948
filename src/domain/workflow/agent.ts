import { sha256 } from '../hashing/hashing.ts'
import type { Rows } from '../log/rows.ts'
import { clientName } from '../sessions/client-name.ts'
import type { AgentSpec, WorkflowSpec } from './spec.ts'
import { type AgentRow, agentRoles, agents } from './tables.ts'

/** So many digits tell agents of different roots apart. */
const nameDigits = 6

/**
 * `agent_worker_3_9f0c2a`: the third worker of its root. What ends the name follows from its root and number, so that the same agent
 * of two roots has two names. Nothing is ever read from a name: a role is a column.
 */
export function agentName(rows: Rows, role: string, no: number): string {
  const nth = (rows.get(agentRoles, role)?.agents ?? 0) + 1
  return `agent_${clientName(role)}_${nth}_${sha256(`${rows.id}/${no}`).slice(0, nameDigits)}`
}

export function addAgent(rows: Rows, { agent, ...spec }: AgentSpec & { readonly agent: number }): void {
  const { id, role, phase = null } = spec
  const { root } = rows
  rows.put(agents, { root, no: agent, id, role, phase, spec: JSON.stringify(spec) })
  rows.put(agentRoles, { root, role, agents: (rows.get(agentRoles, role)?.agents ?? 0) + 1 })
}

export function specOf({ spec }: Pick<AgentRow, 'spec'>): AgentSpec {
  return JSON.parse(spec) as AgentSpec
}

export function workflowOf({ spec }: { readonly spec: string }): WorkflowSpec {
  return JSON.parse(spec) as WorkflowSpec
}
