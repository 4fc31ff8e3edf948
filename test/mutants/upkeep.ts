// Faults in what removes the past.
import type { Mutant } from './mutant.ts'

export const ofUpkeep: readonly Mutant[] = [
  {
    name: 'removable: the bodies of sessions go',
    file: 'src/log/upkeep/removable.ts',
    find: `bodies === 'removable' && (ownPast`,
    replace: '(ownPast',
    tests: ['test/upkeep/compact.test.ts'],
  },
  {
    name: 'removable: of the past of a row nothing stays',
    file: 'src/log/upkeep/removable.ts',
    find: `seq < (newest.get(\`\${tbl} \${place}\`) ?? 0)`,
    replace: `seq <= (newest.get(\`\${tbl} \${place}\`) ?? 0)`,
    tests: ['test/parts/notes.test.ts'],
  },
  {
    name: 'touched: nobody has to look again',
    file: 'src/log/upkeep/touched.ts',
    find: 'generation: head.generation + 1',
    replace: 'generation: head.generation',
    tests: ['test/upkeep/compact.test.ts', 'test/upkeep/doctor.test.ts'],
  },
  {
    name: 'touched: a removed body leaves another digest',
    file: 'src/log/upkeep/touched.ts',
    find: `digestOf(data ?? '')`,
    replace: `digestOf('')`,
    tests: ['test/upkeep/compact.test.ts'],
  },
  {
    name: 'touched: versions are gone, and the index has them',
    file: 'src/log/upkeep/touched.ts',
    find: '(table.indexedBy ? [table, table.indexedBy] : [table])',
    replace: '[table]',
    tests: ['test/upkeep/compact.test.ts'],
  },
  {
    name: 'compact: the first event goes that is not old',
    file: 'src/log/upkeep/compact.ts',
    find: '(next ?? Number.MAX_SAFE_INTEGER) - 1',
    replace: '(next ?? Number.MAX_SAFE_INTEGER)',
    tests: ['test/upkeep/compact.test.ts'],
  },
  {
    name: 'compact: what forks share goes',
    file: 'src/log/upkeep/compact.ts',
    find: 'seq > shared && isOwn(lineage, seq)',
    replace: 'isOwn(lineage, seq)',
    tests: ['test/forks/upkeep.test.ts'],
  },
  {
    name: 'gc: what a summary stands for goes',
    file: 'src/domain/conversations/hidden.ts',
    find: `if (type !== 'context_compacted' ||`,
    replace: `if (type !== 'context_copied' ||`,
    tests: ['test/conversations/hidden.test.ts'],
  },
  {
    name: 'gc: what was shown again in between goes at once',
    file: 'src/domain/conversations/hidden.ts',
    find: 'if (event.at >= since)',
    replace: 'if (event.at > Number.MAX_SAFE_INTEGER)',
    tests: ['test/conversations/hidden.test.ts'],
  },
  {
    name: 'gc: what forks share goes',
    file: 'src/domain/conversations/hidden.ts',
    find: 'data !== null && isOwn(seq) &&',
    replace: 'data !== null &&',
    tests: ['test/conversations/hidden.test.ts'],
  },
  {
    name: 'erase: answers that name the key are kept',
    file: 'src/log/upkeep/erase.ts',
    find: 'if (value.key === key || Object.hasOwn(value, key)) return true',
    replace: 'if (Object.hasOwn(value, key)) return true',
    tests: ['test/upkeep/removal.test.ts'],
  },
  {
    name: 'erase: a replay begins where bodies are missing',
    file: 'src/log/upkeep/erase.ts',
    find: '({ ...stream, base: head.seq })',
    replace: '({ ...stream })',
    tests: ['test/upkeep/removal.test.ts'],
  },
]
