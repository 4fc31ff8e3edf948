import { durationText } from '../domain/log/duration.ts'
import type { AgentExited } from '../domain/workflow/facts.ts'
import type { Agent } from './agent.ts'
import { retry } from './retry.ts'
import type { Turn } from './turn.ts'

/** What follows from how a run ended: the agent is done, waits for something, is tried again, or has failed. */
export function followExit(turn: Turn, agent: Agent, exited: AgentExited): void {
  switch (exited.cause) {
    case 'exit':
      if (!waitsForOthers(turn, agent)) judge(turn, agent, exited)
      break
    case 'person':
      turn.park(agent, { why: 'pause' })
      break
    case 'rate_limit':
      turn.park(agent, { why: 'rate_limit', wake_at: exited.retry_at ?? turn.now + rateLimitMs })
      break
    case 'budget':
      turn.end(agent, 'fail', whyBudget(exited))
      break
    default:
      retry(turn, agent, exited)
  }
}

/** A provider that does not say when it takes requests again is asked after this. */
const rateLimitMs = 60_000

/** It has ended its turn with something open that others see to. */
function waitsForOthers(turn: Turn, agent: Agent): boolean {
  const { asked, blockers, openChildren } = agent
  const [blocker] = blockers
  if (asked !== undefined) turn.park(agent, { why: 'question', need: asked })
  else if (blocker !== undefined) turn.park(agent, { why: 'blocker', blocker })
  else if (openChildren > 0 && isDone(agent)) turn.park(agent, { why: 'children' })
  else if (isDone(agent) && agent.woken?.by === 'question') tell(turn, agent)
  else return false
  return true
}

/** The answer to its question came while it still ran: it goes on with that. */
function tell(turn: Turn, agent: Agent): void {
  turn.park(agent, { why: 'question' })
  turn.wake(agent, 'question')
}

function isDone({ exited }: Agent): boolean {
  return exited?.exit_code === 0
}

function judge(turn: Turn, agent: Agent, exited: AgentExited): void {
  const { spec } = agent
  if (!isDone(agent)) retry(turn, agent, exited)
  else if (spec.result === 'required' && !agent.hasResult) {
    retry(turn, agent, { ...exited, reason: 'it ended without a result' })
  } else if (spec.approval === 'after') askApproval(turn, agent)
  else turn.complete(agent)
}

function askApproval(turn: Turn, agent: Agent): void {
  const text = `Approve the result of ${agent.spec.id}.`
  const raises = { kind: 'approval', text, actions: ['approve', 'reject'] } as const
  turn.park(agent, { why: 'approval' }, raises)
}

function whyBudget({ reason }: AgentExited): string {
  return reason ?? 'its budget is used up'
}

/** Why a run failed, as people read it. What whoever watched it says goes before what can be said of any. */
export function whyFailed({ cause, reason, exit_code, signal }: AgentExited, { spec }: Agent): string {
  const said = reason?.replace(/\.$/, '')
  switch (cause) {
    case 'timeout':
      return `timed out${spec.timeout === undefined ? '' : ` after ${durationText(spec.timeout)}`}`
    case 'idle':
      return `was silent${spec.idle_timeout === undefined ? '' : ` for ${durationText(spec.idle_timeout)}`}`
    case 'network':
      return said ?? 'could not reach the network'
    case 'crash':
      return said ?? (signal === undefined ? 'crashed' : `was killed by ${signal}`)
    default:
      return said ?? `exit code ${exit_code ?? 'unknown'}`
  }
}
