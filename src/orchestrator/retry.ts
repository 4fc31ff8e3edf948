import { adapters } from '../domain/workflow/adapters.ts'
import type { AgentExited } from '../domain/workflow/facts.ts'
import { mayGoOn } from '../domain/workflow/recovery.ts'
import type { Backoff } from '../domain/workflow/spec.ts'
import type { Agent } from './agent.ts'
import { whyFailed } from './outcome.ts'
import type { Turn } from './turn.ts'

/** What a failed run comes to: another attempt after a while, a person's consent before that, or the end. */
export function retry(turn: Turn, agent: Agent, exited: AgentExited): void {
  const { spec, no } = agent
  const failures = agent.failures + 1
  const why = whyFailed(exited, agent)
  if (failures > spec.retries) {
    turn.end(agent, 'fail', failures > 1 ? `${why} (attempt ${failures} of ${failures})` : why)
    return
  }
  turn.checkpoint('recovery', { agent: no })
  if (exited.cause === 'crash' && !mayGoOn(agent.spec)) askConsent(turn, agent, why, failures)
  else turn.park(agent, { why: 'backoff', wake_at: turn.now + delayOf(spec.backoff, failures), failures })
}

function askConsent(turn: Turn, agent: Agent, why: string, failures: number): void {
  const { id, adapter } = agent.spec
  const cost = adapters[adapter].pays ? ' It may cost money.' : ''
  const text = `${id} ${why}. Resume it?${cost}`
  const raises = { kind: 'approval', text, actions: ['resume', 'cancel'] } as const
  turn.park(agent, { why: 'consent', failures }, raises)
}

export function delayOf({ first, factor, max }: Backoff, failures: number): number {
  return Math.min(max, Math.round(first * factor ** (failures - 1)))
}
