import { needRefs, raiseNeed } from '../../../domain/journal/need.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import type { Ref } from '../../../domain/log/rows.ts'
import { checkTransition } from '../../../domain/sessions/lifecycle.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import type { Move, RaisedNeed } from '../../../domain/workflow/moves.ts'
import { needAbout } from '../../../domain/workflow/needs.ts'
import { agentIn, agentRefs, become, refuseEnded, refuseRunning, tooLate } from './about.ts'

type Of<M extends Move['move']> = Extract<Move, { move: M }>

export function waitingRefs({
  agent,
  raises,
}: {
  readonly agent: number
  readonly raises?: RaisedNeed | undefined
}): Ref[] {
  return [...agentRefs(agent), ...(raises === undefined ? [] : needRefs(aboutOf(agent, raises)))]
}

/** It waits without a process. */
export function park(on: Deciding, { move: _, raises, ...parked }: Of<'park'>) {
  const agent = agentIn(on.rows, parked.agent)
  if (agent instanceof Refusal) return agent
  const refusal = refuseEnded(agent) ?? refuseRunning(agent)
  if (refusal) return refusal
  const illegal = agent.status === 'resumable' ? undefined : checkTransition(agent.status, 'resumable')
  if (illegal) return illegal
  const need = raises === undefined ? parked.need : raised(on, parked.agent, raises)
  become(on, agent, 'resumable')
  on.record({ type: 'agent_parked', stream: workflowStream, data: { ...parked, ...(need !== undefined && { need }) } })
  return undefined
}

/** What it waited for is there. */
export function wake(on: Deciding, { move: _, ...woken }: Of<'wake'>) {
  const agent = agentIn(on.rows, woken.agent)
  if (agent instanceof Refusal) return agent
  const { session, status, progress } = agent
  if (status !== 'resumable' || progress.parked === null) {
    return tooLate(`${session.name} does not wait (${status}).`, { agent: session.no, status })
  }
  on.record({ type: 'agent_woken', stream: workflowStream, data: woken })
  return undefined
}

/** A person is needed, and the agent goes on or has ended. */
export function need(on: Deciding, { agent: no, raises }: Of<'need'>) {
  const agent = agentIn(on.rows, no)
  if (agent instanceof Refusal) return agent
  raised(on, no, raises)
  return undefined
}

function aboutOf(session: number, { about, kind }: RaisedNeed): string {
  return about ?? needAbout(session, kind)
}

function raised(on: Deciding, session: number, raises: RaisedNeed): number {
  const { kind, text, actions } = raises
  const about = aboutOf(session, raises)
  return raiseNeed(on, { kind, session, text, about, ...(actions !== undefined && { actions }) })
}
