import type { Status } from '../sessions/lifecycle.ts'
import type { AgentSpec, Budget, PhaseSpec, Profile, WorkflowSpec } from './spec.ts'

/** What is to be run below a root, and how that goes. */
export const workflowStream = 'workflow'

/** How an agent goes on, the best first: the process lives; the provider resumes; it is given its conversation; it is given a brief. */
export const rungs = ['adopt', 'resume', 'replay', 'fresh'] as const
export type Rung = (typeof rungs)[number]

/** Why an agent that is resumable has no process. */
export const parkings = [
  'approval',
  'question',
  'blocker',
  'rate_limit',
  'children',
  'backoff',
  'pause',
  'consent',
] as const
export type Parking = (typeof parkings)[number]

/** What ended a run. */
export const causes = ['exit', 'crash', 'timeout', 'idle', 'network', 'rate_limit', 'budget', 'person'] as const
export type Cause = (typeof causes)[number]

/** Why a checkpoint was taken. */
export const checkpointReasons = ['phase', 'agent', 'plan', 'recovery', 'build', 'person'] as const
export type CheckpointReason = (typeof checkpointReasons)[number]

/** `agent` is the number of the agent's session everywhere. */
export type WorkflowFact =
  | { type: 'workflow_set'; data: WorkflowSpec }
  | { type: 'workflow_extended'; data: WorkflowExtended }
  | { type: 'agent_added'; data: AgentSpec & { readonly agent: number } }
  | { type: 'agent_started'; data: AgentStarted }
  | { type: 'agent_exited'; data: AgentExited }
  | { type: 'agent_parked'; data: AgentParked }
  | { type: 'agent_woken'; data: AgentWoken }
  | { type: 'agent_asked'; data: { readonly agent: number; readonly need: number } }
  | { type: 'agent_paused'; data: { readonly agent: number; readonly paused: boolean } }
  | { type: 'agent_held'; data: { readonly agent: number; readonly held: boolean } }
  | { type: 'agent_retried'; data: { readonly agent: number } }
  | { type: 'checkpoint_taken'; data: CheckpointTaken }
  | { type: 'recovery_planned'; data: RecoveryPlanned }

/** What a workflow gets while it runs; its new agents are facts of their own. */
export interface WorkflowExtended {
  readonly max_parallel?: number
  readonly budget?: Budget
  readonly profiles?: Readonly<Record<string, Profile>>
  readonly phases?: readonly PhaseSpec[]
}

/** It is meant to be started: recorded before there is a process. `attempt` counts from 1 since the last retry by a person. */
export interface AgentStarted {
  readonly agent: number
  readonly run: string
  readonly rung: Rung
  readonly attempt: number
}

/** What an agent left in its output, or where that is kept. */
export interface AgentResult {
  readonly text?: string
  /** The hash of a blob, for what is too long for an event. */
  readonly blob?: string
  readonly bytes: number
  /** SHA-256 of its bytes. */
  readonly digest: string
}

export interface AgentExited {
  readonly agent: number
  readonly run: string
  readonly cause: Cause
  readonly exit_code?: number
  readonly signal?: string
  readonly reason?: string
  /** When the provider takes requests again; milliseconds since 1970. */
  readonly retry_at?: number
  readonly result?: AgentResult
}

/** It waits and has no process. What ends that: a time, a need that is met, a blocker that is resolved, its children. */
export interface AgentParked {
  readonly agent: number
  readonly why: Parking
  readonly wake_at?: number
  readonly need?: number
  readonly blocker?: number
  /** How many runs have failed since the last retry by a person; unless given, as many as before. */
  readonly failures?: number
}

/** What it waited for is there: it goes on as soon as there is room. */
export interface AgentWoken {
  readonly agent: number
  readonly by: Parking | 'person'
  /** What it is told: the answer to its question. */
  readonly text?: string
}

/** Where the work stood. What it refers to is in the log: sequence numbers and hashes, no copies. */
export interface CheckpointTaken {
  readonly why: CheckpointReason
  readonly phase?: number
  readonly agent?: number
  /** Version of the shared state, and the hash of the log before this event: its sequence number and hash are one. */
  readonly state: number
  readonly upto: number
  readonly hash: string
}

/** What recovery is going to do, recorded before it is done. */
export interface RecoveryPlanned {
  readonly steps: readonly RecoveryStep[]
  /** How the server ended that this follows on, where that is known: when it was seen dead, how, and when there was one again. */
  readonly server?: { readonly at: string; readonly how: string; readonly back: string }
}

export interface RecoveryStep {
  readonly agent: number
  readonly was: Status
  readonly cause: Cause | 'lost'
  /** A rung, or why there is none: it waits for consent, or cannot go on. */
  readonly rung: Rung | 'wait' | 'fail'
  readonly reason?: string
}

declare module '../log/event.ts' {
  interface FactsOfParts {
    workflow: WorkflowFact
  }
}
