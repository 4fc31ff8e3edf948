import type { Part } from '../log/part.ts'
import { evolvePlan } from './evolve/index.ts'
import { planStream } from './facts.ts'
import { foreignPlan } from './foreign.ts'
import { buildCheckpoints, phases, plans, planTotals, taskFollowers, taskProgress, tasks, taskWaves } from './tables.ts'

/** What is to be done below a root, in which order, and how far it is. */
export const planPart: Part = {
  name: 'plan',
  owns: (stream) => stream === planStream,
  tables: [planTotals, phases, plans, tasks, taskFollowers, taskProgress, taskWaves, buildCheckpoints],
  evolve: evolvePlan,
  bodies: 'kept',
  secrets: 'refuse',
  foreign: foreignPlan,
}
