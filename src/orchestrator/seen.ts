import type { PhaseState } from '../domain/plan/facts.ts'
import type { Status } from '../domain/sessions/lifecycle.ts'
import type { AgentExited, AgentParked, AgentWoken, Rung } from '../domain/workflow/facts.ts'
import type { SettledAgent } from '../domain/workflow/settled.ts'
import type { PhaseSpec, WorkflowSpec } from '../domain/workflow/spec.ts'
import type { Json } from '../json/value.ts'

/** What has been used up: the figures of all runs together. */
export interface Used {
  readonly tokens: number
  readonly usd: number
}

/** An agent as the planner sees it. Times are milliseconds since 1970. */
export interface AgentSeen {
  readonly no: number
  /** The session above it; 0 for the agents of the workflow itself. */
  readonly parent: number
  readonly spec: SettledAgent
  readonly status: Status
  readonly reason: string | null
  readonly attempts: number
  readonly failures: number
  /** Its open run. */
  readonly run: OpenRun | undefined
  /** How its last run was begun. */
  readonly rung: Rung | undefined
  /** How its last run ended; while it is `running` or `paused` without an open run, nothing has followed from that yet. */
  readonly exited: AgentExited | undefined
  readonly parked: AgentParked | undefined
  readonly woken: AgentWoken | undefined
  /** What it was last told: once more, when it does again what it did. */
  readonly told: AgentWoken | undefined
  /** A question of its own that is open. */
  readonly asked: number | undefined
  /** Blockers that it has met with and that are active. */
  readonly blockers: readonly number[]
  readonly held: boolean
  readonly hasResult: boolean
  /** The provider knows it under an id, or there is a conversation: how it can go on. */
  readonly canResume: boolean
  readonly canReplay: boolean
  readonly used: Used
  /** How long earlier runs took. */
  readonly ranMs: number
}

export interface OpenRun {
  readonly id: string
  readonly startedAt: number
  /** Its last output or write. */
  readonly activeAt: number
  /** How long it has stood still, and since when it does. */
  readonly pausedMs: number
  readonly pausedAt: number | undefined
}

export interface PhaseSeen extends PhaseSpec {
  readonly state: PhaseState
}

/** What the planner sees of a root besides its agents. */
export interface RootSeen {
  readonly status: Status
  readonly workflow: WorkflowSpec
  readonly phases: readonly PhaseSeen[]
  readonly startedAt: number
  /** While it is paused: agents are interrupted, whatever their workflow says, as when a person leaves. */
  readonly interrupts?: boolean
}

/** The values of the shared state that conditions name. */
export type SharedState = Readonly<Record<string, Json>>
