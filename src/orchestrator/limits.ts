import { durationText } from '../domain/log/duration.ts'
import type { Budget } from '../domain/workflow/spec.ts'
import { type Agent, elapsed } from './agent.ts'
import type { Used } from './seen.ts'
import type { Turn } from './turn.ts'

/** Without output or write for so long, an agent is stale: a person is told, and it goes on. */
const staleMs = 30 * 60_000

/** What of a budget is used up, in words. */
function exceeded(budget: Budget | undefined, { tokens, usd }: Used, wall: number): string | undefined {
  if (budget === undefined) return undefined
  if (budget.tokens !== undefined && tokens >= budget.tokens) return `${budget.tokens} tokens`
  if (budget.usd !== undefined && usd >= budget.usd) return `${budget.usd} US dollars`
  return budget.wall !== undefined && wall >= budget.wall ? durationText(budget.wall) : undefined
}

/** What is used up of the budget over all agents. Its time is that since the start of the root. */
export function usedUp({ board, now }: Turn): string | undefined {
  const { root, tokens, usd } = board
  return root && exceeded(root.workflow.budget, { tokens, usd }, now - root.startedAt)
}

/** What is used up of the budget of an agent. Its time is that of all of its runs. */
export function usedUpBy({ spec, used, ranMs, run }: Agent, now: number): string | undefined {
  return exceeded(spec.budget, used, ranMs + (run === undefined ? 0 : elapsed(run, now)))
}

/** Ends a run that has gone on too long, was silent too long or has used too much. Nothing of that counts while it stands still. */
export function limitRun(turn: Turn, agent: Agent): void {
  const { run, spec } = agent
  if (run === undefined || run.pausedAt !== undefined) return
  const silent = turn.now - run.activeAt
  if (usedUpBy(agent, turn.now) !== undefined) turn.stop(agent, 'budget')
  else if (spec.timeout !== undefined && elapsed(run, turn.now) >= spec.timeout) turn.stop(agent, 'timeout')
  else if (spec.idle_timeout !== undefined && silent >= spec.idle_timeout) turn.stop(agent, 'idle')
  else if (spec.idle_timeout === undefined && silent >= staleMs) tellStale(turn, agent)
}

function tellStale(turn: Turn, agent: Agent): void {
  if (agent.run === undefined || agent.acted.isStale) return
  agent.acted.isStale = true
  const text = `${agent.spec.id} has been silent for ${durationText(staleMs)}.`
  turn.need(agent, { kind: 'stale', text, actions: ['wait', 'cancel'] })
}

/** When the next limit of a run is met, if nothing happens before. */
export function limitDue({ run, spec, ranMs, acted }: Agent): number | undefined {
  if (run === undefined || run.pausedAt !== undefined || acted.stopped !== undefined) return undefined
  const began = run.startedAt + run.pausedMs
  const due = [
    spec.timeout !== undefined && began + spec.timeout,
    spec.budget.wall !== undefined && began + spec.budget.wall - ranMs,
    spec.idle_timeout !== undefined && run.activeAt + spec.idle_timeout,
    spec.idle_timeout === undefined && !acted.isStale && run.activeAt + staleMs,
  ].filter((each) => each !== false)
  return due.length === 0 ? undefined : Math.min(...due)
}
