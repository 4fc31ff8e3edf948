import type { EvolvingOf } from '../log/evolve.ts'
import type { Part } from '../log/part.ts'
import type { Rows } from '../log/rows.ts'
import { addAgent, workflowOf } from './agent.ts'
import { extended } from './extended.ts'
import { type CheckpointTaken, type WorkflowFact, workflowStream } from './facts.ts'
import { foreignWorkflow } from './foreign.ts'
import { askAgent, exitAgent, holdAgent, parkAgent, pauseAgent, retryAgent, startAgent, wakeAgent } from './progress.ts'
import type { WorkflowSpec } from './spec.ts'
import { agentProgress, agentRoles, agents, checkpoints, workflows } from './tables.ts'

function setWorkflow(rows: Rows, spec: WorkflowSpec): void {
  rows.put(workflows, { root: rows.root, spec: JSON.stringify(spec) })
}

function extendWorkflow(rows: Rows, more: Parameters<typeof extended>[1]): void {
  const row = rows.get(workflows)
  if (row === undefined) throw new Error(`${rows.id} has no workflow`)
  setWorkflow(rows, extended(workflowOf(row), more))
}

function takeCheckpoint(rows: Rows, { seq, at }: { seq: number; at: number }, taken: CheckpointTaken): void {
  const { why, phase = null, agent = null, state, upto, hash } = taken
  rows.put(checkpoints, { root: rows.root, seq, at, why, phase, agent, state, upto, hash })
}

const evolve: EvolvingOf<WorkflowFact> = {
  workflow_set: (rows, { data }) => setWorkflow(rows, data),
  workflow_extended: (rows, { data }) => extendWorkflow(rows, data),
  agent_added: (rows, { data }) => addAgent(rows, data),
  agent_started: (rows, event) => startAgent(rows, event, event.data),
  agent_exited: (rows, event) => exitAgent(rows, event, event.data),
  agent_parked: (rows, { data }) => parkAgent(rows, data),
  agent_woken: (rows, { data }) => wakeAgent(rows, data),
  agent_asked: (rows, { data }) => askAgent(rows, data.agent, data.need),
  agent_paused: (rows, event) => pauseAgent(rows, event, event.data.agent, event.data.paused),
  agent_held: (rows, { data }) => holdAgent(rows, data.agent, data.held),
  agent_retried: (rows, { data }) => retryAgent(rows, data.agent),
  checkpoint_taken: (rows, event) => takeCheckpoint(rows, event, event.data),
  // What was planned is followed by what was done; nothing is decided on it later.
  recovery_planned: () => undefined,
}

/** What is run below a root: the agents that were described, and how far each of them is. */
export const workflowPart: Part = {
  name: 'workflow',
  owns: (stream) => stream === workflowStream,
  tables: [workflows, agents, agentProgress, agentRoles, checkpoints],
  evolve,
  bodies: 'kept',
  secrets: 'refuse',
  foreign: foreignWorkflow,
}
