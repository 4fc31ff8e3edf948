import type { PhaseState } from '../../domain/plan/facts.ts'
import type { Status } from '../../domain/sessions/lifecycle.ts'
import { interruptedReason } from '../../domain/workflow/adapters.ts'
import type { AgentExited, AgentParked, AgentResult, AgentWoken, Rung } from '../../domain/workflow/facts.ts'
import { settledAgent } from '../../domain/workflow/settled.ts'
import type { AgentSpec, WorkflowSpec } from '../../domain/workflow/spec.ts'
import type { Read } from '../../operations/operation.ts'
import type { workflowLook } from '../../operations/workflow/look.ts'
import type { AgentSeen, OpenRun, RootSeen } from '../../orchestrator/seen.ts'

type AnswerOf<Operation> = Operation extends Read<infer _Input, infer Out> ? Out : never

/** What was read of a root. */
export type Look = AnswerOf<typeof workflowLook>
export type AgentLook = Look['agents'][number]

export function rootSeen(look: Look): RootSeen {
  const workflow = workflowOf(look)
  const states = new Map(look.phases.map(({ phase, state }) => [phase, state as PhaseState]))
  const begun = look.started_at_ms ?? look.created_at_ms
  return {
    status: look.status as Status,
    workflow,
    phases: (workflow.phases ?? []).map((phase) => ({ ...phase, state: states.get(phase.phase) ?? 'planned' })),
    startedAt: begun,
    interrupts: look.reason === interruptedReason,
  }
}

/** `activeAt` is when its open run last put something out or wrote something. */
export function agentSeen(look: Look, agent: AgentLook, activeAt: number): AgentSeen {
  const { progress } = agent
  return {
    no: agent.no,
    parent: agent.parent,
    spec: settledAgent(specOf(agent), workflowOf(look)),
    status: agent.status as Status,
    reason: agent.reason,
    attempts: progress.attempts,
    failures: progress.failures,
    run: openRun(agent, activeAt),
    rung: (progress.rung ?? undefined) as Rung | undefined,
    exited: read<AgentExited>(progress.exited),
    parked: read<AgentParked>(progress.parked),
    woken: read<AgentWoken>(progress.woken),
    told: read<AgentWoken>(progress.told),
    asked: progress.asked ?? undefined,
    blockers: agent.blockers,
    held: progress.held === 1,
    hasResult: progress.result !== null,
    canResume: agent.provider_session_id !== null,
    canReplay: agent.has_conversation,
    used: agent.used,
    ranMs: progress.ran_ms,
  }
}

function openRun({ progress }: AgentLook, activeAt: number): OpenRun | undefined {
  const { run, run_at, paused_ms, paused_at } = progress
  if (run === null || run_at === null) return undefined
  const active = Math.max(run_at, activeAt)
  return { id: run, startedAt: run_at, activeAt: active, pausedMs: paused_ms, pausedAt: paused_at ?? undefined }
}

export function workflowOf({ workflow }: Look): WorkflowSpec {
  return workflow as unknown as WorkflowSpec
}

export function specOf({ spec }: AgentLook): AgentSpec {
  return spec as unknown as AgentSpec
}

export function resultOf({ progress }: AgentLook): AgentResult | undefined {
  return read<AgentResult>(progress.result)
}

function read<Kept>(text: string | null): Kept | undefined {
  return text === null ? undefined : (JSON.parse(text) as Kept)
}
