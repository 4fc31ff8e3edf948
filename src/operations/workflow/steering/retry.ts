import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Ref, type Rows, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { phasesOf } from '../../../domain/plan/phases.ts'
import type { PhaseRow } from '../../../domain/plan/tables.ts'
import { sessions } from '../../../domain/sessions/tables.ts'
import { specOf } from '../../../domain/workflow/agent.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import { withdrawNeeds } from '../../../domain/workflow/needs.ts'
import { progressOf } from '../../../domain/workflow/progress.ts'
import { type AgentRow, agents } from '../../../domain/workflow/tables.ts'
import { change } from '../../operation.ts'
import { changePhase } from '../moves/work.ts'
import { steered } from './answer.ts'
import { become, beginAnew, isOver, notNow, parkingOf, statusOf, wakeByPerson } from './deeds.ts'
import { notAnAgent } from './start.ts'
import {
  type Asked,
  agentsOf,
  type PhaseTarget,
  refuseNoWorkflow,
  type Target,
  targetIn,
  targetMembers,
  targetRefs,
  wholeRefs,
} from './target.ts'

export const sessionRetry = change({
  name: 'session.retry',
  summary: 'Run again what failed or was cancelled; of a phase also what has completed.',
  command: { words: ['session retry', 'retry'], positional: ['session'], topic: 'Run agents' },
  reach: 'owner',
  input: targetMembers,
  needs: (asked, rows, { no }) => retryRefs(rows, asked, no),
  decide(asked, on) {
    const target = refuseNoWorkflow(on.rows) ?? targetIn(on, asked)
    if (target instanceof Refusal) return target
    const chosen = retry(on, target)
    const retried = chosen instanceof Refusal ? chosen : again(on, chosen)
    if (retried instanceof Refusal) return retried
    const all = new Set(retried)
    withdrawNeeds(on, (no) => all.has(no))
    return steered(on, target, all.size)
  },
})

/** What depends on whom is only known of all agents together. */
function retryRefs(rows: Rows, asked: Asked, no: number): Ref[] {
  return [...targetRefs(rows, asked, no), ...wholeRefs, rowOf(streams, workflowStream)]
}

/** The agents that are meant, of whom each has ended or waits for its next attempt. */
function retry(on: Deciding, target: Target): readonly AgentRow[] | Refusal {
  if (target.of === 'session') return notAnAgent()
  if (target.of === 'agent') return retryAgent(on, target.no)
  return target.of === 'phase' ? retryPhase(on, target) : retryRoot(on)
}

function retryAgent(on: Deciding, no: number): readonly AgentRow[] | Refusal {
  const row = on.rows.get(agents, no) as AgentRow
  const status = statusOf(on, no)
  if (status === 'resumable' && parkingOf(on, no) === 'backoff') return [row]
  if (status === 'completed') {
    const hint = 'Let it go on with `session.resume`, or run its whole phase again with `session.retry` and `phase`.'
    return notNow(on, no, 'and has succeeded', hint)
  }
  if (status === 'skipped') return notNow(on, no, 'because of another agent', 'Retry the agent that it depends on.')
  if (status !== 'failed' && status !== 'cancelled')
    return notNow(on, no, 'and has not failed', 'Cancel it first, or let it end.')
  return refuseBelowEnded(on, [row]) ?? [row]
}

function retryRoot(on: Deciding): readonly AgentRow[] | Refusal {
  const failed = agentsOf(on.rows, ({ no }) => ['failed', 'cancelled'].includes(statusOf(on, no)) && isTop(on, no))
  if (failed.length > 0) return failed
  return notNow(on, 0, 'and no agent of it has failed', 'Run a phase again with `session.retry` and `phase`.')
}

/** Also those that have completed: their results are made anew. */
function retryPhase(on: Deciding, { phase, agents: all }: PhaseTarget): readonly AgentRow[] | Refusal {
  const ended = all.filter(({ no }) => isOver(on, no) && isTop(on, no))
  if (ended.length > 0) return ended
  const message = `No agent of the phase ${JSON.stringify(phase.name)} has ended.`
  return refuse('illegal_transition', message, 'Wait until one has, or cancel the phase first.', { state: phase.state })
}

function isTop(on: Deciding, no: number): boolean {
  return (
    on.rows.get(agents, no) !== undefined && refuseBelowEnded(on, [on.rows.get(agents, no) as AgentRow]) === undefined
  )
}

/** Nothing runs below a session that has ended; the root begins anew with what is retried. */
function refuseBelowEnded(on: Deciding, rows: readonly AgentRow[]): Refusal | undefined {
  for (const { no } of rows) {
    const above = sessionAbove(on, no)
    if (above !== 0 && isOver(on, above))
      return notNow(on, above, 'and started it', 'Retry that agent: it may start others again.')
  }
  return undefined
}

function sessionAbove(on: Deciding, no: number): number {
  return on.rows.get(sessions, no)?.parent_no ?? 0
}

/** Runs them again, with those that were skipped because of them, and the phases and the root that ended with them. */
function again(on: Deciding, rows: readonly AgentRow[]): readonly number[] | Refusal {
  const all = withSkipped(on, rows)
  const refusal = refuseStopping(on, all)
  if (refusal) return refusal
  reopenRoot(on)
  for (const { no } of all) anew(on, no)
  reopenPhases(on, all)
  return all.map(({ no }) => no)
}

/** What was given up while it ran still runs until its processes have ended. */
export function refuseStopping(on: Deciding, rows: readonly AgentRow[]): Refusal | undefined {
  const running = rows.find(({ no }) => progressOf(on.rows, no).run !== null)
  if (running === undefined) return undefined
  return notNow(on, running.no, 'and its last run is still being stopped', 'Try again when it has stopped.')
}

function anew(on: Deciding, no: number): void {
  const status = statusOf(on, no)
  if (status === 'resumable') {
    beginAnew(on, no)
    wakeByPerson(on, no)
    return
  }
  if (status !== 'completed') {
    become(on, no, 'created')
    beginAnew(on, no)
    return
  }
  // What has completed can only go on: it waits for its turn as one that was interrupted.
  become(on, no, 'running')
  become(on, no, 'resumable')
  beginAnew(on, no)
  wakeByPerson(on, no)
}

function reopenRoot(on: Deciding): void {
  if (isOver(on, 0)) become(on, 0, 'running')
}

/** Those that were skipped and depend on one that is run again, near or far, and all of a phase that was skipped with it. */
function withSkipped(on: Deciding, rows: readonly AgentRow[]): AgentRow[] {
  const chosen = new Map(rows.map((row) => [row.no, row]))
  const dependants = dependantsOf(on)
  const open = [...rows]
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    for (const next of dependants.get(row.id) ?? []) {
      if (chosen.has(next.no) || statusOf(on, next.no) !== 'skipped') continue
      chosen.set(next.no, next)
      open.push(next)
    }
  }
  const first = Math.min(...[...chosen.values()].map(({ phase }) => phase ?? Number.POSITIVE_INFINITY))
  for (const row of agentsOf(on.rows, ({ phase }) => phase !== null && phase > first)) {
    if (statusOf(on, row.no) === 'skipped') chosen.set(row.no, row)
  }
  return [...chosen.values()].sort((a, b) => a.no - b.no)
}

function dependantsOf(on: Deciding): Map<string, AgentRow[]> {
  const found = new Map<string, AgentRow[]>()
  for (const row of agentsOf(on.rows)) {
    for (const id of specOf(row).depends_on ?? []) {
      const known = found.get(id)
      if (known === undefined) found.set(id, [row])
      else known.push(row)
    }
  }
  return found
}

/** A phase whose agents run again runs again; those after it that were skipped are planned. */
function reopenPhases(on: Deciding, rows: readonly AgentRow[]): void {
  const touched = new Set(rows.map(({ phase }) => phase))
  const [first] = [...touched].filter((phase) => phase !== null).sort((a, b) => a - b)
  if (first === undefined) return
  for (const phase of phasesOf(on.rows).filter((each) => each.phase >= first)) reopen(on, phase, phase.phase === first)
}

function reopen(on: Deciding, { phase, state }: PhaseRow, isFirst: boolean): void {
  if (isFirst && (state === 'completed' || state === 'failed' || state === 'skipped'))
    changePhase(on, { phase, to: 'running' })
  if (!isFirst && (state === 'skipped' || state === 'failed')) changePhase(on, { phase, to: 'planned' })
}
