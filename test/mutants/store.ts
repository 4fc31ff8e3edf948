// Faults in the engines and in their SQL.
import type { Mutant } from './mutant.ts'

const combined = ['test/postgres/combined-writes.test.ts']
const millisecond = ['test/together/very-millisecond.test.ts']
const listening = ['test/postgres/listening.test.ts']
const combining = 'src/store/postgres-combining.ts'
const notices = 'src/store/postgres-notices.ts'
const statements = 'src/store/statements.ts'

export const ofStore: readonly Mutant[] = [
  {
    name: 'sqlite heads: a removed root is remembered by who removed it',
    file: 'src/store/sqlite-heads.ts',
    find: `if ('deed' in change) this.forget()`,
    replace: `if ('deed' in change) continue`,
    tests: ['test/upkeep/removed-by-its-writer.test.ts'],
  },
  {
    name: 'postgres clients: one that met an error is given back',
    file: 'src/store/postgres-clients.ts',
    find: 'client.release(failure !== undefined)',
    replace: 'client.release(false)',
    tests: ['test/postgres/held-roots.test.ts'],
  },
  {
    name: 'postgres combining: what waits is not started again',
    file: combining,
    find: 'if (this.#waiting.length > 0) this.#startSoon()',
    replace: '',
    tests: combined,
  },
  {
    name: 'postgres combining: a statement counts as on its way for ever',
    file: combining,
    find: 'this.#sent -= 1',
    replace: '',
    tests: combined,
  },
  {
    name: 'postgres combining: a statement that failed counts as on its way for ever',
    file: combining,
    find: `    } finally {
      this.#sent -= 1
      if`,
    replace: `      return
    }
    {
      this.#sent -= 1
      if`,
    tests: combined,
  },
  {
    name: 'postgres notices: no look at the store after LISTEN',
    file: notices,
    find: `      // Whatever was committed while nobody listened.
      moved(undefined)`,
    replace: '',
    tests: listening,
  },
  {
    name: 'postgres notices: the look at the store comes before LISTEN',
    file: notices,
    find: `      await next.query(\`LISTEN \${channel}\`)
      // Whatever was committed while nobody listened.
      moved(undefined)`,
    replace: `      moved(undefined)
      await next.query(\`LISTEN \${channel}\`)`,
    tests: listening,
  },
  {
    name: 'postgres notices: a lost connection is not made again',
    file: notices,
    find: `next.on('end', again)`,
    replace: '',
    tests: listening,
  },
  {
    name: 'statements: keys are not due in their very millisecond',
    file: statements,
    find: 'expires_at <= $2 ORDER BY expires_at LIMIT 500',
    replace: 'expires_at < $2 ORDER BY expires_at LIMIT 500',
    tests: millisecond,
  },
  {
    name: 'statements: a root has nothing due in the very millisecond',
    file: statements,
    find: 'SELECT DISTINCT root FROM state_lapses WHERE expires_at <= $1',
    replace: 'SELECT DISTINCT root FROM state_lapses WHERE expires_at < $1',
    tests: millisecond,
  },
  {
    name: 'statements: a difference does not show what expires in this millisecond',
    file: statements,
    find: 'l.key > $4 AND l.expires_at <= $6',
    replace: 'l.key > $4 AND l.expires_at < $6',
    tests: millisecond,
  },
  {
    name: 'statements: a summary shows what expires in this millisecond',
    file: statements,
    find: 'l.key = k.key AND l.expires_at <= $4',
    replace: 'l.key = k.key AND l.expires_at < $4',
    tests: millisecond,
  },
  {
    name: 'statements: a summary counts what expires in this millisecond',
    file: statements,
    find: `state_lapses WHERE root = $1 AND expires_at <= $2',`,
    replace: `state_lapses WHERE root = $1 AND expires_at < $2',`,
    tests: millisecond,
  },
]
