import type { Cause, Parking, Rung } from '../../workflow/facts.ts'
import type { Share } from '../../workflow/figures.ts'
import type { NeedKind } from '../facts.ts'

/** What has become of the work since somebody last looked. Times are ISO 8601. */
export type MorningReport = {
  /** From when on it tells. */
  since: string
  /** The moment that it is about: now, or that of the event it was asked as of. */
  until: string
  /** How much of the work is done, whenever that was. Agents that were skipped do not count. */
  done: { agents: Share; tasks: Share }
  /** Who works at that moment: agents, other sessions below the root, and whoever sits at work on it. */
  running: ReportRunning[]
  /** Who stands still or waits for something; who does so longest comes first. */
  parked: ReportParked[]
  /** Whose program ended otherwise than it should; the newest first. */
  died: ReportDeath[]
  /** When nobody saw to the agents; the newest first. */
  servers: ReportTakeover[]
  /** What the runs that were worked on in that time have used in it. */
  cost: ReportCost
  /** What waits for a person; what waits longest comes first. */
  needs: ReportNeed[]
  /** How many of each there are besides: a report costs the same, whatever there is. */
  left_out: {
    running: number
    parked: number
    died: number
    needs: number
    /** Runs whose use is not in the cost, and whose end was not looked at. */
    runs: number
  }
}

/** Somebody of a root. */
type Named = {
  /** What the workflow calls the agent; the id of a sitting; of any other session its name. */
  name: string
  session_id: string
}

export type ReportRunning = Named & {
  what: 'agent' | 'session' | 'sitting'
  /** Since when, and for how long without the time that it stood still. */
  since: string
  ran_ms: number
  /** When anything was last recorded of it; null where nothing was for long. */
  wrote_at: string | null
}

export type ReportParked = Named & {
  /** Whether it stands still or has no process. */
  status: string
  since: string
  /** What it waits for; null where a person has stopped it. */
  waits_for: Parking | null
  /** When it goes on by itself. */
  wake_at: string | null
}

export type ReportDeath = Named & {
  what: 'agent' | 'session' | 'sitting'
  at: string
  /** What ended it; `lost` where nobody saw how. */
  cause: Cause | 'lost'
  exit_code: number | null
  /** The number of the signal that killed it. */
  signal: number | null
  /** What was said of it. */
  reason: string | null
  /** What has become of it; null where nothing has so far. */
  became: 'tried_again' | 'waits' | 'begun_anew' | 'given_up' | 'cancelled' | null
  /** When it was tried again, or will be. */
  again_at: string | null
  /** Of one that was tried again: with what of its memory. */
  rung: Rung | null
  /** Of one that waits: for what. */
  waits_for: Parking | null
}

export type ReportTakeover = {
  /** When the server was seen dead; null where that is not known. */
  at: string | null
  /** How it ended; null where that is not known. */
  how: string | null
  /** When another saw to the agents. */
  back_at: string
  /** How many agents ran on meanwhile, and how many were lost with it or before. */
  kept_running: number
  lost: number
}

export type ReportCost = {
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  /** US dollars, as far as runs said; null where none did. */
  usd: number | null
  /** How many runs used anything, and how many of those did not say what it cost. */
  runs: number
  runs_without_usd: number
}

export type ReportNeed = {
  id: string
  kind: NeedKind
  /** What the workflow calls the agent that it is about; null where it is about none. */
  agent: string | null
  session_id: string
  text: string
  since: string
  /** The operation that answers it, and the command for that; what stands in capitals is to be filled in. */
  operation: string
  command: string
}
