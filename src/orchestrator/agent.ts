import { hasEnded } from '../domain/sessions/lifecycle.ts'
import type { StopReason } from './effects.ts'
import type { AgentSeen, OpenRun } from './seen.ts'

type Changing<T> = { -readonly [Member in keyof T]: T[Member] }

/** An agent between two turns: what was seen of it, brought up to date by each move, and who waits for whom. */
export interface Agent extends Changing<Omit<AgentSeen, 'run'>> {
  run: Changing<OpenRun> | undefined
  /** The agents that it comes after, and those that come after it. */
  readonly before: Agent[]
  readonly after: Agent[]
  /** How many of those before it have not ended, and one whose failure it does not outlive. */
  waits: number
  hindrance: Agent | undefined
  /** Dependencies that nobody has seen yet. */
  unseen: number
  readonly children: Agent[]
  openChildren: number
  /** It is part of what the board counts. */
  isCounted: boolean
  /** It is to be looked at in this turn. */
  isTouched: boolean
  /** Nothing but room is missing for it to start. */
  isReady: boolean
  /** When it is to be looked at again. */
  due: number | undefined
  /** What was asked for of its open run; asked again only by a planner that was built since. */
  acted: Acted
}

export interface Acted {
  stopped?: StopReason
  interrupted?: boolean
  frozen?: boolean
  /** A person was told that it is silent. */
  isStale?: boolean
}

/** Member by member: all agents have one shape, and a spread takes many times as long. */
export function agentOf(seen: AgentSeen): Agent {
  const { no, parent, spec, status, reason, attempts, failures, run, rung, exited, parked, woken, told, asked } = seen
  const { blockers, held, hasResult, canResume, canReplay, used, ranMs } = seen
  return {
    no,
    parent,
    spec,
    status,
    reason,
    attempts,
    failures,
    run: run && { ...run },
    rung,
    exited,
    parked,
    woken,
    told,
    asked,
    blockers,
    held,
    hasResult,
    canResume,
    canReplay,
    used,
    ranMs,
    before: [],
    after: [],
    waits: 0,
    hindrance: undefined,
    unseen: 0,
    children: [],
    openChildren: 0,
    isCounted: false,
    isTouched: false,
    isReady: false,
    due: undefined,
    acted: {},
  }
}

export function isOver({ status }: Pick<Agent, 'status'>): boolean {
  return hasEnded(status)
}

/** Whether those that come after an agent cannot run: it has not done its work, and is not passed over. */
export function hinders({ status, spec }: Agent): boolean {
  const isUndone = status === 'failed' || status === 'cancelled' || status === 'skipped'
  return isUndone && spec.on_failure !== 'continue'
}

/** For how long its run has gone on, without the time that it stood still. */
export function elapsed({ startedAt, pausedMs, pausedAt }: OpenRun, now: number): number {
  return Math.max(0, (pausedAt ?? now) - startedAt - pausedMs)
}
