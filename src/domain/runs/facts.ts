const prefix = 'run/'

/** The runs of a session. */
export function runStream(no: number): string {
  return `${prefix}${no}`
}

/** The number of the session whose runs a stream holds; undefined for other streams. */
export function runsOf(stream: string): number | undefined {
  if (!stream.startsWith(prefix)) return undefined
  const no = Number(stream.slice(prefix.length))
  return Number.isSafeInteger(no) && runStream(no) === stream ? no : undefined
}

export const modes = ['cli', 'server'] as const
export const ends = ['completed', 'failed', 'crashed', 'cancelled', 'timeout'] as const

/** What a run is made with: a change of it is said when a conversation goes on. */
export interface RunMadeWith {
  readonly model?: string
  /** Hashes of the system prompt and of the list of tools. */
  readonly prompt?: string
  readonly tools?: string
}

/** What a run has used so far. Providers count from its start on: the last figure counts, never a sum. */
export interface RunUsage {
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly cached_tokens?: number
  readonly usd?: number
  /** Share of the context window, 0 to 1. */
  readonly context_usage?: number
}

export interface RunStarted extends RunMadeWith {
  readonly run: string
  readonly mode: (typeof modes)[number]
  /** What runs it: command, claude, codex, model. */
  readonly adapter?: string
  readonly provider_session_id?: string
  /** It is a sitting of a worker. They count within the root from 1. */
  readonly sitting?: number
  /** The sitting that it takes up. */
  readonly follows?: number
  readonly working_on?: string
  readonly notes?: string
}

export interface RunReported extends RunUsage {
  readonly run: string
  readonly model?: string
  readonly provider_session_id?: string
}

export interface RunEnded {
  readonly run: string
  readonly how: (typeof ends)[number]
  readonly reason?: string
  /** What was done in it, what is to be known of it, what went wrong, and why it was handed on. */
  readonly completed?: readonly string[]
  readonly notes?: string
  readonly issues?: readonly string[]
  readonly handoff?: string
}

export type RunFact =
  | { type: 'run_started'; data: RunStarted }
  | { type: 'run_reported'; data: RunReported }
  | { type: 'run_ended'; data: RunEnded }

declare module '../log/event.ts' {
  interface FactsOfParts {
    runs: RunFact
  }
}
