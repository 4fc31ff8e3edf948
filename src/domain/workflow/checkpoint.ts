import { canonical } from '../../json/canonical.ts'
import type { JsonObject } from '../../json/value.ts'
import { sha256 } from '../hashing/hashing.ts'
import { isoTime } from '../log/identity.ts'
import type { PhaseState } from '../plan/facts.ts'
import { hasEnded } from '../sessions/lifecycle.ts'
import type { AgentParked, AgentResult } from './facts.ts'
import type { AgentSpec, WorkflowSpec } from './spec.ts'
import type { AgentProgressRow, CheckpointRow } from './tables.ts'

/** What a checkpoint tells of an agent: as it was at the event that the checkpoint names. */
export interface AgentThen {
  readonly name: string
  readonly session_id: string
  readonly status: string
  readonly reason: string | null
  readonly spec: AgentSpec
  readonly progress: AgentProgressRow
  /** The id that its provider knows it under. */
  readonly providerSession: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
}

export interface PhaseThen {
  readonly phase: number
  readonly name: string
  readonly state: PhaseState
}

export interface Moment {
  readonly root: { readonly id: string; readonly status: string; readonly objective: string | null }
  readonly checkpoint: CheckpointRow
  readonly workflow: WorkflowSpec
  readonly phases: readonly PhaseThen[]
  readonly agents: readonly AgentThen[]
}

/** How this document is laid out. */
const format = 1

/**
 * `checkpoint.json`: where the work stood, for people and for whoever goes on with it. What was shared and put out is named by where it is
 * in the log and by its hash. Its checksum is the SHA-256 of the canonical JSON of all the rest.
 */
export function checkpointDocument({ root, checkpoint, workflow, phases, agents }: Moment): JsonObject {
  const phasesShown = phases.map((phase) => phaseShown(phase, agents))
  const inState = (...states: PhaseState[]) => phasesShown.filter(({ state }) => states.includes(state))
  const document: JsonObject = {
    format,
    session_id: root.id,
    status: root.status,
    objective: root.objective,
    sequence: checkpoint.upto,
    hash: checkpoint.hash,
    last_checkpoint: { sequence: checkpoint.seq, at: isoTime(checkpoint.at), why: checkpoint.why },
    current_phase: inState('running', 'paused')[0] ?? null,
    completed_phases: inState('completed', 'failed', 'skipped'),
    planned_phases: inState('planned'),
    agents: {
      running: agents.filter(({ status }) => status === 'running' || status === 'paused').map(agentShown),
      pending: agents.filter(({ status }) => status === 'created' || status === 'resumable').map(agentShown),
      ended: agents.filter(({ status }) => hasEnded(status)).map(agentShown),
    },
    orchestrator_context: {
      strategy: workflow.strategy,
      max_parallel: workflow.max_parallel ?? null,
      depends_on: Object.fromEntries(agents.map(({ spec }) => [spec.id, [...(spec.depends_on ?? [])]])),
    },
    shared_context: { state_version: checkpoint.state, sequence: checkpoint.upto, hash: checkpoint.hash },
  }
  return { ...document, checksum: checksumOf(document) }
}

function checksumOf(document: JsonObject): string {
  return sha256(canonical(document))
}

/** Whether a document is as it was written: nothing was cut off, and nobody changed it. */
export function isWholeCheckpoint({ checksum, ...document }: JsonObject): boolean {
  return checksum === checksumOf(document)
}

function phaseShown({ phase, name, state }: PhaseThen, agents: readonly AgentThen[]) {
  const own = agents.filter(({ spec }) => spec.phase === phase)
  return {
    phase_id: phase,
    phase_name: name,
    state,
    agents: own.map(({ spec }) => spec.id),
    outputs: own.flatMap(({ spec, progress }) => {
      const result = resultOf(progress)
      return result === undefined ? [] : [{ agent_id: spec.id, sha256: result.digest, bytes: result.bytes }]
    }),
  }
}

function resultOf({ result }: AgentProgressRow): AgentResult | undefined {
  return result === null ? undefined : (JSON.parse(result) as AgentResult)
}

function agentShown({ name, session_id, status, reason, spec, progress, ...times }: AgentThen): JsonObject {
  const waits = progress.parked === null ? null : (JSON.parse(progress.parked) as AgentParked).why
  return {
    agent_id: spec.id,
    name,
    session_id,
    role: spec.role,
    state: status,
    reason,
    waits_for: waits,
    attempts: progress.attempts,
    failures: progress.failures,
    held: progress.held === 1,
    run: progress.run,
    provider_session_id: times.providerSession,
    start_time: times.startedAt === null ? null : isoTime(times.startedAt),
    completion_time: times.endedAt === null ? null : isoTime(times.endedAt),
  }
}
