import type { Deciding } from '../../../domain/log/deciding.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { hasEnded, type Status } from '../../../domain/sessions/lifecycle.ts'
import { type SessionRow, sessions } from '../../../domain/sessions/tables.ts'
import { type AgentParked, type Parking, workflowStream } from '../../../domain/workflow/facts.ts'
import { progressOf } from '../../../domain/workflow/progress.ts'
import { recordStatus } from '../../sessions/end.ts'

/** What is done to agents by whoever steers them, one fact each. */

export function sessionOf(on: Deciding, no: number): SessionRow {
  const row = on.rows.get(sessions, no)
  if (row === undefined) throw new Error(`session ${no} was not loaded`)
  return row
}

export function statusOf(on: Deciding, no: number): Status {
  return sessionOf(on, no).status as Status
}

export function isOver(on: Deciding, no: number): boolean {
  return hasEnded(statusOf(on, no))
}

export function become(on: Deciding, no: number, to: Status, reason?: string): void {
  recordStatus(on, sessionOf(on, no), to, reason)
}

/** Whether that was not so before. */
export function hold(on: Deciding, agent: number, held: boolean): boolean {
  if ((progressOf(on.rows, agent).held === 1) === held) return false
  on.record({ type: 'agent_held', stream: workflowStream, data: { agent, held } })
  return true
}

export function parkingOf(on: Deciding, agent: number): Parking | undefined {
  const { parked } = progressOf(on.rows, agent)
  return parked === null ? undefined : (JSON.parse(parked) as AgentParked).why
}

export function wakeByPerson(on: Deciding, agent: number): void {
  on.record({ type: 'agent_woken', stream: workflowStream, data: { agent, by: 'person' } })
}

/** Its attempts count anew; what it left is forgotten. */
export function beginAnew(on: Deciding, agent: number): void {
  on.record({ type: 'agent_retried', stream: workflowStream, data: { agent } })
}

export function notNow(on: Deciding, no: number, what: string, hint: string): Refusal {
  const { name, status } = sessionOf(on, no)
  return refuse('illegal_transition', `${name} is ${status} ${what}`.trimEnd().replace(/\.?$/, '.'), hint, { status })
}
