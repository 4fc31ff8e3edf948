import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { type Ref, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { runStream } from '../../../domain/runs/facts.ts'
import { runs } from '../../../domain/runs/tables.ts'
import { checkTransition } from '../../../domain/sessions/lifecycle.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import type { Move } from '../../../domain/workflow/moves.ts'
import { agentIn, agentRefs, become, refuseEnded, refuseRunning, refuseStanding, tooLate } from './about.ts'

type Of<M extends Move['move']> = Extract<Move, { move: M }>

export function runRefs(agent: number, run: string): Ref[] {
  return [...agentRefs(agent), rowOf(streams, runStream(agent)), rowOf(runs, agent, run)]
}

/** The log says that it runs before there is a process. */
export function start(on: Deciding, { agent: no, run, rung, attempt, adapter, model, prompt, tools }: Of<'start'>) {
  const agent = agentIn(on.rows, no)
  if (agent instanceof Refusal) return agent
  const { session, status, progress } = agent
  const refusal = refuseStanding(on) ?? refuseEnded(agent) ?? refuseRunning(agent)
  if (refusal) return refusal
  if (attempt !== progress.attempts + 1) {
    return tooLate(`The next attempt of ${session.name} is ${progress.attempts + 1}.`, { agent: no, attempt })
  }
  if (on.rows.get(runs, no, run) !== undefined) return tooLate(`The run ${run} was started before.`, { agent: no, run })
  const illegal = status === 'running' ? undefined : checkTransition(status, 'running')
  if (illegal) return illegal
  become(on, agent, 'running')
  const made = { ...(model && { model }), ...(prompt && { prompt }), ...(tools && { tools }) }
  on.record({ type: 'run_started', stream: runStream(no), data: { run, mode: 'cli', adapter, ...made } })
  on.record({ type: 'agent_started', stream: workflowStream, data: { agent: no, run, rung, attempt } })
  return undefined
}

/** The run is over; whatever its agent is by now, that is a fact. */
export function exit(on: Deciding, { move: _, how, ...exited }: Of<'exit'>) {
  const agent = agentIn(on.rows, exited.agent)
  if (agent instanceof Refusal) return agent
  const { agent: no, run, reason } = exited
  if (agent.progress.run !== run) return tooLate(`The run ${run} of ${agent.session.name} is over.`, { agent: no, run })
  on.record({ type: 'run_ended', stream: runStream(no), data: { run, how, ...(reason !== undefined && { reason }) } })
  on.record({ type: 'agent_exited', stream: workflowStream, data: exited })
  return undefined
}

/** Its processes stand still now, or go on. */
export function stand(on: Deciding, { move, agent: no }: Of<'paused' | 'thawed'>) {
  const agent = agentIn(on.rows, no)
  if (agent instanceof Refusal) return agent
  const { session, status, progress } = agent
  if (progress.run === null) return tooLate(`${session.name} has no open run.`, { agent: no })
  const paused = move === 'paused'
  const illegal = checkTransition(status, paused ? 'paused' : 'running')
  if (illegal) return illegal
  on.record({ type: 'agent_paused', stream: workflowStream, data: { agent: no, paused } })
  become(on, agent, paused ? 'paused' : 'running')
  return undefined
}
