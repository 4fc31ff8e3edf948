import type { WorkflowExtended } from './facts.ts'
import type { WorkflowSpec } from './spec.ts'

/** A workflow with what it got while it ran: what is said anew replaces what was said before, and phases come last. */
export function extended(
  spec: WorkflowSpec,
  { max_parallel, budget, profiles, phases }: WorkflowExtended,
): WorkflowSpec {
  return {
    ...spec,
    ...(max_parallel !== undefined && { max_parallel }),
    ...(budget !== undefined && { budget: { ...spec.budget, ...budget } }),
    ...(profiles !== undefined && { profiles: { ...spec.profiles, ...profiles } }),
    ...(phases !== undefined && { phases: [...(spec.phases ?? []), ...phases] }),
  }
}
