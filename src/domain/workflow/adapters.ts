/** What the planner must know of what runs an agent. */
export interface Adapter {
  /** Starting it may cost money. */
  readonly pays: boolean
  /** The provider can resume a session of its own. */
  readonly resumes: boolean
  /** A new process can be given the conversation so far. */
  readonly replays: boolean
  /** How it is paused unless the workflow says otherwise. */
  readonly pause: PauseMode
}

/** `freeze` stops the processes in place; `interrupt` ends the turn, and the agent is resumed later. */
export const pauseModes = ['freeze', 'interrupt'] as const
export type PauseMode = (typeof pauseModes)[number]

/** Why a root is paused whose agents are all interrupted, whatever their workflow says. */
export const interruptedReason = 'interrupted'

/** Everything that can run an agent: the only list. */
export const adapters = {
  command: { pays: false, resumes: false, replays: false, pause: 'freeze' },
  claude: { pays: true, resumes: true, replays: true, pause: 'interrupt' },
  codex: { pays: true, resumes: true, replays: true, pause: 'interrupt' },
  model: { pays: true, resumes: false, replays: true, pause: 'interrupt' },
} as const satisfies Record<string, Adapter>

export type AdapterName = keyof typeof adapters

export const adapterNames = Object.keys(adapters) as AdapterName[]
