import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import type { Ref, Rows } from '../../../domain/log/rows.ts'
import { checkTransition, type Status } from '../../../domain/sessions/lifecycle.ts'
import { type SessionRow, sessions } from '../../../domain/sessions/tables.ts'
import type { Move } from '../../../domain/workflow/moves.ts'
import { endingRefs, endSession, type Family } from '../../sessions/end.ts'
import { agentIn, agentRefs, refuseRunning } from './about.ts'

type Ending = Extract<Move, { move: 'complete' | 'fail' | 'skip' | 'cancel' }>

const statusOf: { readonly [M in Ending['move']]: Status } = {
  complete: 'completed',
  fail: 'failed',
  skip: 'skipped',
  cancel: 'cancelled',
}

export function agentEndRefs(rows: Rows, agent: number, family: Family): Ref[] {
  return [...agentRefs(agent), ...endingRefs(rows, agent, family)]
}

/** One that still runs is not done; but it may be given up, and its run is ended after that. */
export function endAgent(on: Deciding, ending: Ending, family: Family) {
  const agent = agentIn(on.rows, ending.agent)
  if (agent instanceof Refusal) return agent
  const to = statusOf[ending.move]
  const mayRun = ending.move === 'cancel' || ending.move === 'fail'
  const refusal = (mayRun ? undefined : refuseRunning(agent)) ?? checkTransition(agent.status, to)
  if (refusal) return refusal
  endSession(on, agent.session, to, 'reason' in ending ? ending.reason : undefined, family)
  return undefined
}

export function endRoot(on: Deciding, { to, reason }: Extract<Move, { move: 'root' }>, family: Family) {
  const root = on.rows.get(sessions, 0) as SessionRow
  const refusal = checkTransition(root.status as Status, to)
  if (refusal) return refusal
  endSession(on, root, to, reason, family)
  return undefined
}
