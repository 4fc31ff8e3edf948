// Faults in what comes next below a root, and in how a workflow is read.
import type { Mutant } from './mutant.ts'

const planned = ['test/orchestrator/planner.test.ts', 'test/orchestrator/random.test.ts']
const read = ['test/workflow/file.test.ts', 'test/workflow/condition.test.ts']

export const ofOrchestrator: readonly Mutant[] = [
  {
    name: 'planner: one more runs than may',
    file: 'src/orchestrator/readiness.ts',
    find: 'while (board.runs < most)',
    replace: 'while (board.runs <= most)',
    tests: planned,
  },
  {
    name: 'planner: an agent starts before its dependencies',
    file: 'src/orchestrator/readiness.ts',
    find: 'return agent.waits === 0 &&',
    replace: 'return agent.waits <= 1 &&',
    tests: planned,
  },
  {
    name: 'planner: paused time counts',
    file: 'src/orchestrator/agent.ts',
    find: '(pausedAt ?? now) - startedAt - pausedMs',
    replace: '(pausedAt ?? now) - startedAt',
    tests: planned,
  },
  {
    name: 'planner: one attempt too many',
    file: 'src/orchestrator/retry.ts',
    find: 'if (failures > spec.retries)',
    replace: 'if (failures > spec.retries + 1)',
    tests: planned,
  },
  {
    name: 'planner: what costs money is resumed without asking',
    file: 'src/domain/workflow/recovery.ts',
    find: 'return !adapters[adapter].pays',
    replace: 'return true',
    tests: planned,
  },
  {
    name: 'planner: an agent that was given up goes on running',
    file: 'src/orchestrator/next-step.ts',
    find: "if (isOver(agent)) turn.stop(agent, 'person')",
    replace: "if (isOver(agent) && agent.status !== 'cancelled') turn.stop(agent, 'person')",
    tests: planned,
  },
  {
    name: 'planner: a phase begins after one that failed',
    file: 'src/orchestrator/board.ts',
    find: "phase.state === 'failed')",
    replace: "phase.state === 'planned')",
    tests: planned,
  },
  {
    name: 'condition: a missing key is nothing instead of false',
    file: 'src/domain/workflow/condition/condition.ts',
    find: 'return found ?? false',
    replace: 'return found ?? null',
    tests: read,
  },
  {
    name: 'workflow: a cycle is not seen',
    file: 'src/domain/workflow/file/graph.ts',
    find: 'return faultOfCycles(agents, placed)',
    replace: 'return agents.length === 0 ? faultOfCycles(agents, placed) : undefined',
    tests: read,
  },
]
