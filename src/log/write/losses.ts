import { type Refusal, refuse } from '../../domain/log/refusal.ts'

/** Losing a race for a request id means the answer is there at the next look; losing more often is somebody else's traffic. */
export const lossesMax = 3

export function lostTooOften(): Refusal {
  return refuse('busy', 'Too many conflicts with other writers.', 'Try again.')
}
