import type { Deciding } from '../log/deciding.ts'
import { type Refusal, refuse } from '../log/refusal.ts'

/**
 * Whoever supervises the agents of a root holds this lease below it, so there is one at a time. It is held beyond the end of the root:
 * processes that still run then are stopped, and the log is told.
 */
export const orchestratorLease = 'orchestrator'

export function checkOrchestrator({ fences }: Deciding): Refusal | undefined {
  if (fences.some(({ name, ofToken }) => name === orchestratorLease && !ofToken)) return undefined
  const message = `Only the holder of the lease ${orchestratorLease} can record what becomes of the agents of this root.`
  const hint = `Claim it with \`lease.claim\`, and give it as \`fence\`: ${orchestratorLease}:TOKEN.`
  return refuse('fenced', message, hint)
}
