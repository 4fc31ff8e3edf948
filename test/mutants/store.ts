// Faults in the engines and in their SQL.
import type { Mutant } from './mutant.ts'

const longTexts = ['test/store/long-texts.test.ts']
const combined = ['test/postgres/combined-writes.test.ts']
const millisecond = ['test/together/very-millisecond.test.ts']
const listening = ['test/postgres/listening.test.ts']
const combining = 'src/store/postgres/combining.ts'
const notices = 'src/store/postgres/notices.ts'
const questions = 'src/domain/state/questions.ts'

export const ofStore: readonly Mutant[] = [
  {
    name: 'sqlite heads: a removed root is remembered by who removed it',
    file: 'src/store/sqlite/heads.ts',
    find: `if (!('table' in change)) this.forget()`,
    replace: `if (!('table' in change)) continue`,
    tests: ['test/upkeep/removed-by-its-writer.test.ts'],
  },
  {
    name: 'postgres clients: one that met an error is given back',
    file: 'src/store/postgres/clients.ts',
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
    name: 'questions: a root has nothing due in the very millisecond',
    file: questions,
    find: 'l.root = r.root AND l.expires_at <= $1',
    replace: 'l.root = r.root AND l.expires_at < $1',
    tests: millisecond,
  },
  {
    name: 'questions: a difference does not show what expires in this millisecond',
    file: questions,
    find: 'l.key > $4 AND l.expires_at <= $6',
    replace: 'l.key > $4 AND l.expires_at < $6',
    tests: millisecond,
  },
  {
    name: 'questions: a summary shows what expires in this millisecond',
    file: questions,
    find: 'l.key = k.key AND l.expires_at <= $4',
    replace: 'l.key = k.key AND l.expires_at < $4',
    tests: millisecond,
  },
  {
    name: 'questions: a summary counts what expires in this millisecond',
    file: questions,
    find: `state_lapses WHERE root = $1 AND expires_at <= $2',`,
    replace: `state_lapses WHERE root = $1 AND expires_at < $2',`,
    tests: millisecond,
  },
  {
    name: 'statements: a range begins after its first value',
    file: 'src/store/statements.ts',
    find: `v.\${column} >= \${start}`,
    replace: `v.\${column} > \${start}`,
    tests: ['test/together/lapse.test.ts'],
  },
  {
    name: 'statements: a copy takes along what comes after its stretch',
    file: 'src/store/statements.ts',
    find: 'seq > $3 AND seq <= $4',
    replace: 'seq > $3 AND $4 = $4',
    tests: ['test/forks/upkeep.test.ts'],
  },
  {
    name: 'statements: content goes that a blob still names',
    file: 'src/store/statements.ts',
    find: 'content = $1 AND NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.content = $1)',
    replace: 'content = $1',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'questions: a fork reads on where its origin went on',
    file: 'src/domain/log/sql/text.ts',
    find: `AND v.seq > \${start} AND v.seq <= \${end}`,
    replace: `AND v.seq > \${start}`,
    tests: ['test/forks/forks.test.ts'],
  },
  {
    name: 'questions: rows at an event are those before it',
    file: 'src/domain/log/sql/about-log.ts',
    find: 'o.place = v.place AND o.seq <= $3',
    replace: 'o.place = v.place AND o.seq < $3',
    tests: ['test/conformance/reads-at.test.ts'],
  },
  {
    name: 'questions: a fork names an origin that was removed',
    file: 'src/domain/log/sql/about-log.ts',
    find: 'r.root = g.origin AND r.hidden = 0',
    replace: 'r.root = g.origin',
    tests: ['test/forks/forks.test.ts'],
  },
  {
    name: 'questions: a page of tokens begins with the last of the page before',
    file: 'src/domain/access/questions.ts',
    find: 'WHERE v.id < $1 ORDER',
    replace: 'WHERE v.id <= $1 ORDER',
    tests: ['test/tokens/tokens.test.ts'],
  },
  {
    name: 'questions: a page of roots begins with the last of the page before',
    file: 'src/domain/sessions/questions.ts',
    find: 's.id < $1 AND (CAST($2 AS TEXT) IS NULL OR p.dir = $2) AND ($3',
    replace: 's.id <= $1 AND (CAST($2 AS TEXT) IS NULL OR p.dir = $2) AND ($3',
    tests: ['test/conformance/sessions.test.ts'],
  },
  {
    name: 'questions: content that has just been begun counts as given up',
    file: 'src/domain/blobs/questions.ts',
    find: 'c.content < $1 AND',
    replace: 'c.content <> $1 AND',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'sqlite long texts: those of a removed root stay',
    file: 'src/store/sqlite/long-texts.ts',
    find: 'return split === undefined ? [whole] : [split.rows, split.texts]',
    replace: 'return split === undefined ? [whole] : [split.rows]',
    tests: longTexts,
  },
  {
    name: 'sqlite long texts: those of an erased value stay',
    file: 'src/store/sqlite/long-texts.ts',
    find: `INSTEAD OF UPDATE ON \${name} BEGIN \${take(texts.name)} `,
    replace: `INSTEAD OF UPDATE ON \${name} BEGIN `,
    tests: longTexts,
  },
  {
    name: 'sqlite long texts: one of two in a row is shown for the other',
    file: 'src/store/sqlite/long-texts.ts',
    find: ` AND t.name = '\${column}')`,
    replace: ')',
    tests: [...longTexts, 'test/domain/crdt.test.ts', 'test/store/migrations.test.ts'],
  },
  {
    name: 'forks: a page goes beyond what is shared',
    file: 'src/domain/log/sql/text.ts',
    find: `CASE WHEN g.upto < \${upto} THEN g.upto ELSE \${upto} END`,
    replace: `\${upto}`,
    tests: ['test/forks'],
  },
  {
    name: 'sessions: a name is looked for beyond the root that is named',
    file: 'src/log/read/directory.ts',
    find: 'if (caller.root !== undefined) return findBelow(wanted, caller.root)',
    replace: '',
    tests: ['test/cli/session-meant.test.ts'],
  },
]
