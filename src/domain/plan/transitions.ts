import { type Refusal, refuse } from '../log/refusal.ts'
import type { PhaseState } from './facts.ts'

/** What may become of a phase. Back to planned: the work went back to one before it. */
const legal: Readonly<Record<PhaseState, readonly PhaseState[]>> = {
  planned: ['running', 'completed', 'skipped', 'failed'],
  running: ['paused', 'completed', 'failed', 'skipped', 'planned'],
  paused: ['running', 'completed', 'failed', 'skipped', 'planned'],
  completed: ['running'],
  failed: ['running', 'planned'],
  skipped: ['running', 'planned'],
}

export function checkPhaseChange(name: string, from: PhaseState, to: PhaseState): Refusal | undefined {
  if (legal[from].includes(to)) return undefined
  return refuse(
    'illegal_transition',
    `The phase ${JSON.stringify(name)} is ${from} and cannot become ${to}.`,
    `From ${from} it can become: ${legal[from].join(', ')}.`,
    { from, to, legal: [...legal[from]] },
  )
}
