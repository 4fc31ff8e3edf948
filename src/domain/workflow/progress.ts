import type { Event } from '../log/event.ts'
import type { Rows } from '../log/rows.ts'
import type { AgentExited, AgentParked, AgentStarted, AgentWoken, Parking } from './facts.ts'
import { type AgentProgressRow, agentProgress } from './tables.ts'

/** How far an agent is that was never started. */
export function noProgress(root: number, no: number): AgentProgressRow {
  return {
    root,
    no,
    attempts: 0,
    failures: 0,
    run: null,
    rung: null,
    run_seq: null,
    run_at: null,
    paused_ms: 0,
    paused_at: null,
    ran_ms: 0,
    exited: null,
    result: null,
    result_seq: null,
    parked: null,
    woken: null,
    told: null,
    wake_at: null,
    asked: null,
    held: 0,
  }
}

export function progressOf(rows: Rows, no: number): AgentProgressRow {
  return rows.get(agentProgress, no) ?? noProgress(rows.root, no)
}

function change(rows: Rows, no: number, to: Partial<AgentProgressRow>): void {
  rows.put(agentProgress, { ...progressOf(rows, no), ...to })
}

/** For how long an open run has gone on, without the time that it stood still. */
export function ranSince({ run_at, paused_ms, paused_at }: AgentProgressRow, now: number): number {
  if (run_at === null) return 0
  return Math.max(0, (paused_at ?? now) - run_at - paused_ms)
}

export function startAgent(rows: Rows, { seq, at }: Event, { agent, run, rung, attempt }: AgentStarted): void {
  const { woken, told } = progressOf(rows, agent)
  change(rows, agent, {
    attempts: attempt,
    run,
    rung,
    run_seq: seq,
    run_at: at,
    paused_ms: 0,
    paused_at: null,
    exited: null,
    parked: null,
    wake_at: null,
    woken: null,
    told: woken ?? told,
  })
}

/** What it left stays until it leaves something else: one that is woken again need not say everything twice. */
export function exitAgent(rows: Rows, { at, seq }: Event, { result, ...exited }: AgentExited): void {
  const before = progressOf(rows, exited.agent)
  change(rows, exited.agent, {
    run: null,
    run_seq: null,
    run_at: null,
    paused_ms: 0,
    paused_at: null,
    ran_ms: before.ran_ms + ranSince(before, at),
    exited: JSON.stringify(exited),
    ...(result !== undefined && { result: JSON.stringify(result), result_seq: seq }),
  })
}

/** After these it does again what it did: it is told once more what it was told. */
export const again: ReadonlySet<Parking | 'person'> = new Set<Parking>(['backoff', 'rate_limit', 'pause', 'consent'])

/** An answer that it has not been told yet. */
function answerOf(woken: string | null): string | null {
  return woken !== null && (JSON.parse(woken) as AgentWoken).by === 'question' ? woken : null
}

export function parkAgent(rows: Rows, parked: AgentParked): void {
  const { failures, told, woken } = progressOf(rows, parked.agent)
  change(rows, parked.agent, {
    failures: parked.failures ?? failures,
    parked: JSON.stringify(parked),
    wake_at: parked.wake_at ?? null,
    woken: answerOf(woken),
    told: again.has(parked.why) ? told : null,
  })
}

/** An answer that comes while it waits for something else is kept until that is there. */
export function wakeAgent(rows: Rows, { text: said, ...woken }: AgentWoken): void {
  const { told, asked, parked, wake_at, woken: before } = progressOf(rows, woken.agent)
  const { why } = (parked === null ? {} : JSON.parse(parked)) as Partial<AgentParked>
  const isEarly = woken.by === 'question' && why !== undefined && why !== 'question'
  const text = said ?? (before === null ? undefined : (JSON.parse(before) as AgentWoken).text)
  const repeats = again.has(woken.by) && told !== null && text === undefined
  change(rows, woken.agent, {
    parked: isEarly ? parked : null,
    wake_at: isEarly ? wake_at : null,
    woken: repeats ? told : JSON.stringify({ ...woken, ...(text !== undefined && { text }) }),
    asked: woken.by === 'question' ? null : asked,
  })
}

export function askAgent(rows: Rows, agent: number, need: number): void {
  change(rows, agent, { asked: need })
}

/** Its processes stand still, or go on. */
export function pauseAgent(rows: Rows, { at }: Event, agent: number, paused: boolean): void {
  const { paused_at, paused_ms } = progressOf(rows, agent)
  if (paused) change(rows, agent, { paused_at: paused_at ?? at })
  else change(rows, agent, { paused_at: null, paused_ms: paused_ms + (paused_at === null ? 0 : at - paused_at) })
}

export function holdAgent(rows: Rows, agent: number, held: boolean): void {
  change(rows, agent, { held: held ? 1 : 0 })
}

/** It begins anew: what earlier attempts came to is in the log. */
export function retryAgent(rows: Rows, agent: number): void {
  const { root, ran_ms } = progressOf(rows, agent)
  rows.put(agentProgress, { ...noProgress(root, agent), ran_ms })
}
