import { integer, optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { roots } from '../../domain/log/tables.ts'
import type { PhaseState } from '../../domain/plan/facts.ts'
import { sessionsOfRoot } from '../../domain/sessions/past.ts'
import { specOf, workflowOf } from '../../domain/workflow/agent.ts'
import { checkpointDocument } from '../../domain/workflow/checkpoint.ts'
import { aboutWorkflow } from '../../domain/workflow/questions.ts'
import { type CheckpointRow, workflows } from '../../domain/workflow/tables.ts'
import type { JsonObject } from '../../json/value.ts'
import { read } from '../operation.ts'
import { type AgentThere, agentsThere } from './seen/agents.ts'
import { phasesThere, rowsThere } from './seen/work.ts'

export const workflowCheckpoint = read({
  name: 'workflow.checkpoint',
  large: true,
  summary: 'Show the last checkpoint, as checkpoint.json has it: where the work stood at an event.',
  command: { words: ['workflow checkpoint'], positional: ['session'] },
  input: { at: optional(integer('The last one up to this sequence number of the log.')) },
  snapshot: true,
  *read(input, { root, rootId }) {
    const at = yield* pastPlace(root, input, undefined)
    if (at instanceof Refusal) return at
    const head = yield* askRow(roots, root)
    const [checkpoint] = yield* ask(aboutWorkflow.last_checkpoint, root, at ?? head?.seq ?? 0)
    if (checkpoint === undefined) return noCheckpoint()
    return { checkpoint: yield* documentOf(root, rootId, checkpoint) }
  },
})

/** All of it as it was at the event that the checkpoint names. */
function* documentOf(root: number, rootId: string, checkpoint: CheckpointRow): Asking<JsonObject> {
  const { upto } = checkpoint
  const sessions = yield* sessionsOfRoot(root, upto)
  const [workflow] = yield* rowsThere(workflows, root, upto)
  const spec = workflow === undefined ? ({ strategy: 'adaptive' } as const) : workflowOf(workflow)
  const phases = yield* phasesThere(root, upto, spec)
  const there = yield* agentsThere(root, upto, sessions, 0)
  const whole = sessions.find(({ no }) => no === 0)
  return checkpointDocument({
    root: { id: rootId, status: whole?.status ?? 'running', objective: whole?.objective ?? null },
    checkpoint,
    workflow: spec,
    phases: phases.map(({ phase, name, state }) => ({ phase, name, state: state as PhaseState })),
    agents: there.map(agentThen),
  })
}

function agentThen({ agent, session, progress, firstRun, providerSession }: AgentThere) {
  return {
    name: session.name,
    session_id: session.id,
    status: session.status,
    reason: session.reason,
    spec: specOf(agent),
    progress,
    providerSession,
    startedAt: firstRun?.started_at ?? null,
    endedAt: session.ended_at,
  }
}

function noCheckpoint(): Refusal {
  const hint = 'One is taken when a phase begins, an agent has completed, the plan is extended, and before recovery.'
  return refuse('not_found', 'There is no checkpoint of this root yet.', hint)
}
