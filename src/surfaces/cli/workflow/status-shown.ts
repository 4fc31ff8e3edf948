/** What the commands of a workflow show of an agent. */
export interface AgentShown {
  /** What the workflow calls it. */
  readonly id: string
  readonly name: string
  readonly session_id: string
  readonly role: string
  readonly status: string
  readonly reason: string | null
  readonly phase: number | null
  readonly started_at: string | null
  /** For how long its runs lasted that have ended. */
  readonly ran_ms: number
  readonly exit_code: number | null
  readonly attempts: number
  /** Its open run. */
  readonly run: string | null
  /** Why it has no process, and until when. */
  readonly waits_for: string | null
  readonly wake_at: string | null
}

export interface PhaseShown {
  readonly phase: number
  readonly name: string
  readonly state: string
}

/** What `session.status` answers, as far as it is shown. */
export interface StatusShown {
  readonly session: {
    readonly session_id: string
    readonly slug: string
    readonly topic: string
    readonly objective: string | null
    readonly status: string
    readonly reason: string | null
    readonly created_at: string
    readonly ended_at: string | null
  }
  readonly agents: readonly AgentShown[]
  readonly phases: readonly PhaseShown[]
  readonly progress: number
  readonly estimated_completion: string | null
  readonly needs: readonly {
    readonly kind: string
    readonly agent: string | null
    readonly text: string
    readonly actions: readonly string[]
  }[]
}

const endedStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'skipped'])

export function isEnded(status: string): boolean {
  return endedStatuses.has(status)
}
