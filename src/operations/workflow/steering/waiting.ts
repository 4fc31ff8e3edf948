import { meetNeed } from '../../../domain/journal/need.ts'
import { type NeedRow, needs } from '../../../domain/journal/tables.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { agents } from '../../../domain/workflow/tables.ts'
import { agentsOf, type Target } from './target.ts'

/** The agents that a person means who names an agent, a phase or the whole: of the whole only one may wait for that. */
export function waitingAgents(
  on: Deciding,
  target: Target,
  isWaiting: (no: number) => boolean,
  what: string,
): readonly number[] | Refusal {
  if (target.of === 'session' || target.of === 'agent') return isWaiting(target.no) ? [target.no] : nobody(what)
  const among = target.of === 'phase' ? target.agents : agentsOf(on.rows)
  const waiting = among.map(({ no }) => no).filter(isWaiting)
  if (waiting.length === 0) return nobody(what)
  if (waiting.length === 1 || target.of === 'phase') return waiting
  const ids = waiting.map((no) => on.rows.get(agents, no)?.id ?? '')
  const message = `${ids.length} agents wait for ${what}: ${ids.slice(0, 10).join(', ')}.`
  return refuse('ambiguous_id', message, 'Name one with `agent`.', { candidates: ids.slice(0, 10) })
}

function nobody(what: string): Refusal {
  return refuse(
    'illegal_transition',
    `Nothing here waits for ${what}.`,
    'See what waits for a person with `session.status`.',
  )
}

/** The open need of a session that is of these kinds. */
export function needOf(on: Deciding, no: number, ...kinds: readonly string[]): NeedRow | undefined {
  return on.rows.all(needs).find((row) => row.open !== null && row.session === no && kinds.includes(row.kind))
}

export function meet(on: Deciding, { open }: NeedRow, how: string, answer?: string): void {
  meetNeed(on, open as string, how, answer)
}
