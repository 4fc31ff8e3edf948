import type { Deciding } from '../../../domain/log/deciding.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Ref, type Rows, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { sessionStream } from '../../../domain/sessions/facts.ts'
import { hasEnded, type Status } from '../../../domain/sessions/lifecycle.ts'
import { type SessionRow, sessions } from '../../../domain/sessions/tables.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import { progressOf } from '../../../domain/workflow/progress.ts'
import { type AgentProgressRow, agentProgress, agents } from '../../../domain/workflow/tables.ts'
import { recordStatus } from '../../sessions/end.ts'

/** What every decision about an agent needs. */
export function agentRefs(no: number): Ref[] {
  return [
    rowOf(agents, no),
    rowOf(agentProgress, no),
    rowOf(sessions, no),
    rowOf(streams, sessionStream(no)),
    rowOf(streams, workflowStream),
  ]
}

/** An agent as it is now. */
export interface Agent {
  readonly session: SessionRow
  readonly status: Status
  readonly progress: AgentProgressRow
}

export function agentIn(rows: Rows, no: number): Agent | Refusal {
  const session = rows.get(sessions, no)
  if (session === undefined || rows.get(agents, no) === undefined) {
    return refuse('not_found', `There is no agent ${no} below this root.`, 'List its agents with `session.status`.', {
      agent: no,
    })
  }
  return { session, status: session.status as Status, progress: progressOf(rows, no) }
}

/** Somebody was faster: the agent is no longer as whoever asks took it to be. */
export function tooLate(what: string, details: { readonly [name: string]: string | number | null }): Refusal {
  return refuse('illegal_transition', what, 'Look at it again: it has changed since.', details)
}

export function refuseEnded({ session, status }: Agent): Refusal | undefined {
  return hasEnded(status) ? tooLate(`${session.name} has ended (${status}).`, { agent: session.no, status }) : undefined
}

export function refuseRunning({ session, progress }: Agent): Refusal | undefined {
  if (progress.run === null) return undefined
  return tooLate(`${session.name} has an open run.`, { agent: session.no, run: progress.run })
}

/** Nothing begins below a root that stands still or has ended. */
export function refuseStanding(on: Deciding): Refusal | undefined {
  const root = on.rows.get(sessions, 0)
  if (root === undefined || root.status === 'running') return undefined
  return tooLate(`The root is ${root.status}.`, { status: root.status })
}

/** Its status, unless that is what it is. */
export function become(on: Deciding, { session, status }: Agent, to: Status, reason?: string): void {
  if (status !== to) recordStatus(on, session, to, reason)
}
