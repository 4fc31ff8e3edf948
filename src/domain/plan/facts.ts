/** The one plan of a root: phases, the plans of each, their tasks, and build checkpoints. */
export const planStream = 'plan'

/** `full`, `quick` and `research` sessions have the fixed ones; `custom` phases are added. */
export const phaseKinds = ['spec', 'plan', 'build', 'docs', 'complete', 'custom'] as const
export type PhaseKind = (typeof phaseKinds)[number]

export const phaseStates = ['planned', 'running', 'paused', 'completed', 'failed', 'skipped'] as const
export type PhaseState = (typeof phaseStates)[number]

export const taskStatuses = ['open', 'claimed', 'blocked', 'done'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const reopenings = ['reset', 'stale', 'unblocked', 'reopened'] as const

/**
 * Phases have their ordinal as number; plans count within their phase; tasks and checkpoints within the root. All begin with 1. The fixed
 * phases of a root are known from its type: only what becomes of them is a fact. A task is blocked by as many blockers as say so.
 */
export type PlanFact =
  | { type: 'phase_added'; data: { phase: number; kind: PhaseKind; name: string } }
  | { type: 'phase_changed'; data: PhaseChanged }
  | { type: 'plan_added'; data: { phase: number; plan: number; name: string } }
  | { type: 'task_added'; data: TaskAdded }
  | { type: 'task_claimed'; data: { task: number; by: number; run?: string } }
  | { type: 'task_progressed'; data: { task: number; note?: string } }
  | { type: 'task_done'; data: { task: number; result?: string } }
  | { type: 'task_blocked'; data: { task: number; reason?: string; blocker?: number } }
  | { type: 'task_reopened'; data: TaskReopened }
  | { type: 'task_rewired'; data: { task: number; after: readonly number[] } }
  | { type: 'checkpoint_added'; data: { checkpoint: number; text: string } }
  | { type: 'checkpoint_started'; data: { checkpoint: number } }
  | { type: 'checkpoint_completed'; data: { checkpoint: number } }

export interface PhaseChanged {
  readonly phase: number
  readonly from: PhaseState
  readonly to: PhaseState
  readonly reason?: string
}

export interface TaskAdded {
  readonly task: number
  readonly text: string
  readonly phase?: number
  readonly plan?: number
  /** Tasks of one plan and a lower wave come first; 1 unless said. */
  readonly wave: number
  /** Tasks that must be done before. */
  readonly after: readonly number[]
}

/** Back to open: its claim was given up or is stale, what blocked it is gone, or it was done wrongly. */
export interface TaskReopened {
  readonly task: number
  readonly why: (typeof reopenings)[number]
  /** Which blocker is gone, where others may still block it; without one nothing does any more. */
  readonly blocker?: number
  readonly reason?: string
  /** Whose claim it was, and in which run: that one is taken to have crashed. */
  readonly crashed?: { readonly session: number; readonly run?: string }
}

declare module '../log/event.ts' {
  interface FactsOfParts {
    plan: PlanFact
  }
}
