// Faults in plans: what is handed out, to whom, and how it is counted.
import type { Mutant } from './mutant.ts'

export const ofPlan: readonly Mutant[] = [
  {
    name: 'plan: a task that waits for others is free',
    file: 'src/domain/plan/evolve/waves.ts',
    find: `now.status === 'open' && now.waits === 0`,
    replace: `now.status === 'open'`,
    tests: ['test/plan/waves.test.ts'],
  },
  {
    name: 'plan: a wave that is reopened does not hold back the next one',
    file: 'src/domain/plan/evolve/waves.ts',
    find: 'if (isOver(counted) !== isOver(row))',
    replace: 'if (!isOver(counted) && isOver(row))',
    tests: ['test/plan/waves.test.ts'],
  },
  {
    name: 'plan: those who wait are not told that a task is reopened',
    file: 'src/domain/plan/evolve/tasks.ts',
    find: `({ waits: waits + 1 })`,
    replace: `({ waits })`,
    tests: ['test/plan/waves.test.ts'],
  },
  {
    name: 'plan: one of several blockers frees a task',
    file: 'src/domain/plan/evolve/tasks.ts',
    find: `  if (left.length > 0) return { blockers: JSON.stringify(left) }
`,
    replace: '',
    tests: ['test/plan/waves.test.ts'],
  },
  {
    name: 'plan: rows that a group has changed are not among the first',
    file: 'src/log/write/firsts.ts',
    find: '[...page.places.map(at), ...changed]',
    replace: 'page.places.map(at)',
    tests: ['test/plan/tasks.test.ts'],
  },
  {
    name: 'plan: too few rows are loaded for a group that claims many',
    file: 'src/log/write/firsts.ts',
    find: 'return 2 * changed + pageSpare',
    replace: 'return pageSpare + 0 * changed',
    tests: ['test/plan/tasks.test.ts'],
  },
  {
    name: 'plan: any session may say that a task is done',
    file: 'src/operations/plan/tasks/holding.ts',
    find: 'progress.claimed_by === on.no ? undefined : taskHeldByOther(on, progress)',
    replace: 'undefined',
    tests: ['test/plan/model.test.ts'],
  },
  {
    name: 'plan: the lease of a task outlives its claim',
    file: 'src/operations/plan/tasks/reset.ts',
    find: `    if (status === 'claimed') revoke(on, taskLease(task))
`,
    replace: '',
    tests: ['test/plan/stale.test.ts', 'test/plan/model.test.ts'],
  },
  {
    name: 'plan: paused time makes a claim stale',
    file: 'src/domain/plan/stale.ts',
    find: `status === 'paused' || `,
    replace: '',
    tests: ['test/plan/stale.test.ts'],
  },
  {
    name: 'plan: a phase is passed over',
    file: 'src/domain/plan/moves.ts',
    find: 'const next = fixed[at]',
    replace: 'const next = fixed[at + 1] ?? fixed[at]',
    tests: ['test/plan/phases.test.ts'],
  },
]
