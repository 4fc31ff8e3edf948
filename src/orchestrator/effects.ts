import type { Parking, Rung } from '../domain/workflow/facts.ts'
import type { Move } from '../domain/workflow/moves.ts'

/**
 * What one turn of the planner asks for. `moves` go into the log in one commit, in this order; `acts` are done to processes after
 * that commit; at `remindAt` the planner is asked again, if nothing happens before.
 */
export interface Effects {
  readonly moves: readonly Move[]
  readonly acts: readonly Act[]
  /** Milliseconds since 1970. */
  readonly remindAt?: number
}

/** What is done to the process of an agent. All can be done again without harm, as after a crash between commit and act. */
export type Act =
  /** Its run is in the log; there is no process of it yet. */
  | Launch
  /** End the processes, then report the exit with this cause. */
  | { readonly act: 'stop'; readonly agent: number; readonly run: string; readonly why: StopReason }
  /** Let the turn end; then report the exit with the cause `person`. */
  | { readonly act: 'interrupt'; readonly agent: number; readonly run: string }
  /** Stand still, then report `paused`; go on, then report `thawed`. */
  | { readonly act: 'freeze' | 'thaw'; readonly agent: number; readonly run: string }

export interface Launch {
  readonly act: 'launch'
  readonly agent: number
  readonly run: string
  readonly rung: Rung
  /** The agents whose results it is handed: those that it depends on, and the stage before it. */
  readonly inputs: readonly number[]
  /** The children whose results it is told, when it was woken by them. */
  readonly children: readonly number[]
  /** Why it goes on, and what it is told: the answer to its question. */
  readonly woken?: { readonly by: Parking | 'person'; readonly text?: string }
}

/** Why a run is ended from outside: its time is up, it has been silent too long, used too much, or its agent has ended. */
export type StopReason = 'timeout' | 'idle' | 'budget' | 'person'
