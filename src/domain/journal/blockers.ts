import { type Refusal, refuse } from '../log/refusal.ts'
import type { BlockerStatus } from './facts.ts'

/** The one table of transitions; whatever is not in it is refused. What was resolved and is in the way again is another blocker. */
const transitions: Readonly<Record<BlockerStatus, readonly BlockerStatus[]>> = {
  active: ['bypassed', 'resolved'],
  bypassed: ['resolved'],
  resolved: [],
}

export function checkBlocker(from: BlockerStatus, to: BlockerStatus): Refusal | undefined {
  const legal = transitions[from]
  if (legal.includes(to)) return undefined
  const hint =
    legal.length > 0
      ? `From ${from} it can become: ${legal.join(', ')}.`
      : 'If it is in the way again, add another blocker.'
  return refuse('illegal_transition', `A blocker that is ${from} cannot become ${to}.`, hint, {
    from,
    to,
    legal: [...legal],
  })
}
