import type { AdapterName, PauseMode } from './adapters.ts'

export const strategies = ['parallel', 'sequential', 'adaptive', 'pipeline'] as const
export type Strategy = (typeof strategies)[number]

/** What the failure of an agent means: its dependants are skipped, the whole work fails, or they run anyway. */
export const failurePolicies = ['skip', 'fail', 'continue'] as const
export type FailurePolicy = (typeof failurePolicies)[number]

/** What may be started again after an interruption without asking: nothing, what costs no money, or everything. */
export const resumePolicies = ['never', 'free', 'always'] as const
export type ResumePolicy = (typeof resumePolicies)[number]

/** Times are in milliseconds. */
export interface Backoff {
  readonly first: number
  readonly factor: number
  readonly max: number
}

/** What may be used up: tokens read and written, US dollars, milliseconds of run time. */
export interface Budget {
  readonly tokens?: number
  readonly usd?: number
  readonly wall?: number
}

/** What an agent gets of the environment: these variables of the server, and these values. */
export interface Environment {
  readonly pass?: readonly string[]
  readonly set?: Readonly<Record<string, string>>
}

/** How agents are run unless they say otherwise. Times are in milliseconds. */
export interface AgentDefaults {
  readonly timeout?: number
  readonly idle_timeout?: number
  readonly retries?: number
  readonly backoff?: Backoff
  readonly on_failure?: FailurePolicy
  readonly approval?: 'before' | 'after'
  readonly env?: Environment
  /** Relative to the project: a path of one machine stands in no event. `worktree` is one of its own (`file/own-tree.ts`). */
  readonly cwd?: string
  readonly budget?: Budget
  readonly result?: 'optional' | 'required'
  readonly pause?: PauseMode
  readonly auto_resume?: ResumePolicy
}

/** An agent as a workflow describes it. */
export interface AgentSpec extends AgentDefaults {
  /** What the workflow calls it; a second name of its session. */
  readonly id: string
  readonly role: string
  readonly task: string
  /** A program with its arguments; or else what to `use`: a profile or an adapter. */
  readonly run?: readonly string[]
  readonly use?: string
  readonly depends_on?: readonly string[]
  /** The number of its phase in the plan. */
  readonly phase?: number
}

/** What `use` names. */
export interface Profile {
  readonly adapter: AdapterName
  /** The program of the adapter `command`, with its arguments. */
  readonly run?: readonly string[]
  readonly model?: string
  readonly flags?: readonly string[]
  readonly permission_mode?: string
}

/** A stretch of the work; its number is that in the plan. */
export interface PhaseSpec {
  readonly phase: number
  readonly name: string
  /** It runs only if this holds when its turn comes. */
  readonly when?: string
}

export interface WorkflowSpec {
  readonly strategy: Strategy
  readonly max_parallel?: number
  readonly defaults?: AgentDefaults
  /** Over all agents together. */
  readonly budget?: Budget
  readonly profiles?: Readonly<Record<string, Profile>>
  /** In order. The stages of a pipeline are phases that hand on what they put out. */
  readonly phases?: readonly PhaseSpec[]
}
