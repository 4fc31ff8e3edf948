import type { NeedKind } from '../journal/facts.ts'
import type { PhaseState } from '../plan/facts.ts'
import type { RunEnded, RunMadeWith } from '../runs/facts.ts'
import type { AgentExited, AgentParked, AgentWoken, CheckpointReason, RecoveryPlanned, Rung } from './facts.ts'

/**
 * What whoever supervises a root tells its log, many in one commit (`workflow.step`). Each is one step of one agent, of a phase or of
 * the root; one that no longer fits, because somebody was faster, changes nothing and is answered as such.
 */
export type Move =
  | AgentMove
  | { readonly move: 'phase'; readonly phase: number; readonly to: PhaseState; readonly reason?: string }
  | { readonly move: 'root'; readonly to: 'completed' | 'failed'; readonly reason?: string }
  | { readonly move: 'checkpoint'; readonly why: CheckpointReason; readonly phase?: number; readonly agent?: number }
  | ({ readonly move: 'recovery' } & RecoveryPlanned)

export type AgentMove =
  /** Its status becomes `running` and it has an open run, before there is a process. */
  | ({ readonly move: 'start' } & StartedRun)
  /** The run is over, and what it left. What that means to the agent is a move of its own. */
  | ({ readonly move: 'exit'; readonly how: RunEnded['how'] } & AgentExited)
  /** The processes stand still, or go on. */
  | { readonly move: 'paused' | 'thawed'; readonly agent: number }
  | { readonly move: 'complete'; readonly agent: number }
  | { readonly move: 'fail' | 'skip' | 'cancel'; readonly agent: number; readonly reason: string }
  /** It becomes `resumable`; with a need, that is raised with it. */
  | ({ readonly move: 'park'; readonly raises?: RaisedNeed } & AgentParked)
  | ({ readonly move: 'wake' } & AgentWoken)
  /** A person is needed, and the agent goes on. */
  | { readonly move: 'need'; readonly agent: number; readonly raises: RaisedNeed }

export interface StartedRun extends RunMadeWith {
  readonly agent: number
  readonly run: string
  readonly rung: Rung
  readonly attempt: number
  readonly adapter: string
}

export interface RaisedNeed {
  readonly kind: NeedKind
  readonly text: string
  /** Unless given, its session: one need of a kind is open about that at a time, and it is withdrawn when that ends. */
  readonly about?: string
  readonly actions?: readonly string[]
}
