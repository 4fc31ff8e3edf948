// Faults in what the journal tells: the brief, and what differs between two points.
import type { Mutant } from './mutant.ts'

export const ofJournal: readonly Mutant[] = [
  {
    name: 'journal: results of all agents are told to each of them',
    file: 'src/domain/workflow/questions.ts',
    find: 's.parent_no = $3 OR $3 = 0',
    replace: 's.parent_no = $3 OR $3 >= 0',
    tests: ['test/journal/results.test.ts'],
  },
  {
    name: 'journal: the oldest results come first',
    file: 'src/domain/workflow/questions.ts',
    find: 'ORDER BY p.result_seq DESC ',
    replace: 'ORDER BY p.result_seq ',
    tests: ['test/journal/results.test.ts'],
  },
  {
    name: 'journal: results of later stand in a brief of the past',
    file: 'src/domain/workflow/seen/results.ts',
    find: 'if (at === undefined) return',
    replace: 'if (at !== 0) return',
    tests: ['test/journal/results.test.ts'],
  },
  {
    name: 'journal: what was written ends its quotes',
    file: 'src/domain/journal/brief/data.ts',
    find: 'return safeJson(JSON.stringify(text.toWellFormed()))',
    replace: `return \`"\${text}"\``,
    tests: ['test/journal/brief.test.ts'],
  },
  {
    name: 'journal: a difference shows what was only counted anew',
    file: 'src/domain/journal/changes.ts',
    find: 'if (JSON.stringify(before) === JSON.stringify(after)) continue',
    replace: '',
    tests: ['test/journal/diff.test.ts'],
  },
  {
    name: 'journal: what a difference leaves out is not counted',
    file: 'src/domain/journal/changes.ts',
    find: ' - places.length }',
    replace: ' - (places[0]?.total ?? 0) }',
    tests: ['test/journal/diff.test.ts'],
  },
]
