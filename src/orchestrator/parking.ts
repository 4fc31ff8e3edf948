import type { Agent } from './agent.ts'
import { isHeld } from './holding.ts'
import type { Turn } from './turn.ts'

/** An agent without a process goes on when what it waits for is there. What a person decides wakes it without being asked here. */
export function wakeIfThere(turn: Turn, agent: Agent): void {
  const { parked, blockers, openChildren } = agent
  if (parked === undefined || agent.status !== 'resumable') return
  const isTime = parked.wake_at !== undefined && turn.now >= parked.wake_at
  const isThere =
    isTime ||
    (parked.why === 'pause' && !isHeld(turn, agent)) ||
    (parked.why === 'children' && openChildren === 0) ||
    (parked.why === 'blocker' &&
      !blockers.includes(parked.blocker ?? -1) &&
      (parked.blocker !== undefined || blockers.length === 0))
  if (isThere) turn.wake(agent, parked.why)
}
