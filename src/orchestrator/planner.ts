import type { AgentMove } from '../domain/workflow/moves.ts'
import type { Effects } from './effects.ts'
import type { AgentSeen, RootSeen, SharedState, Used } from './seen.ts'

/** What whoever watches processes has found; it goes into the log with the moves of the next turn, before them. */
export type Report = Extract<AgentMove, { move: 'exit' | 'paused' | 'thawed' }>

/**
 * Plans for one root, purely: it is told what is the case, and says what to do. What it asks for in a turn it takes for done; whoever
 * finds that the log refused a move of it builds a new one from the rows.
 */
export interface Planner {
  /** The root, or an agent, as it is now in the log: after every change that was no move of this planner. */
  seeRoot(root: RootSeen): void
  see(agent: AgentSeen): void
  report(report: Report): void
  /** An agent has put something out, or written something. It makes no event. */
  active(agent: number, at: number): void
  used(agent: number, used: Used): void
  /** The keys of the shared state that conditions of phases name which have not begun: `turn` is given their values. */
  readonly keysWatched: readonly string[]
  /** What to do now. `newRun` gives the id of each run that is to be started. */
  turn(now: number, state: SharedState, newRun: () => string): Effects
}
