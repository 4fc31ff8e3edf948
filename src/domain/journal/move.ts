import type { Deciding } from '../log/deciding.ts'
import { journalStream, type PositionChanged } from './facts.ts'
import { journalOf } from './journal.ts'

/** Moves the position of the work; what already stands there is no event. Needs `journalRefs`. */
export function movePosition(on: Deciding, to: PositionChanged): void {
  const now = journalOf(on.rows)
  const moved = Object.entries(to).filter(([member, value]) => now[member as keyof PositionChanged] !== value)
  if (moved.length === 0) return
  on.record({ type: 'position_changed', stream: journalStream, data: Object.fromEntries(moved) })
}
