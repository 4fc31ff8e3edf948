import { type Refusal, refuse } from '../log/refusal.ts'

export const statuses = [
  'created',
  'running',
  'paused',
  'resumable',
  'completed',
  'failed',
  'cancelled',
  'skipped',
] as const
export type Status = (typeof statuses)[number]

/** The one table of transitions; whatever is not in it is refused. */
const transitions: Readonly<Record<Status, readonly Status[]>> = {
  created: ['running', 'resumable', 'completed', 'failed', 'cancelled', 'skipped'],
  running: ['paused', 'resumable', 'completed', 'failed', 'cancelled'],
  paused: ['running', 'resumable', 'completed', 'failed', 'cancelled'],
  resumable: ['running', 'completed', 'failed', 'cancelled'],
  failed: ['created', 'running'],
  cancelled: ['created', 'running'],
  skipped: ['created'],
  completed: ['running'],
}

const ended: ReadonlySet<string> = new Set<Status>(['completed', 'failed', 'cancelled', 'skipped'])

export function hasEnded(status: string): boolean {
  return ended.has(status)
}

export function checkTransition(from: Status, to: Status): Refusal | undefined {
  const legal = transitions[from]
  if (legal.includes(to)) return undefined
  return refuse(
    'illegal_transition',
    `A session that is ${from} cannot become ${to}.`,
    `From ${from} it can become: ${legal.join(', ')}.`,
    { from, to, legal: [...legal] },
  )
}
