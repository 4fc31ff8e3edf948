// Faults in the rules and in what can be asked.
import type { Mutant } from './mutant.ts'

const pages = ['test/upkeep/pages-at-the-edge.test.ts']
const millisecond = ['test/together/very-millisecond.test.ts']
const lapse = 'src/domain/state/expiry.ts'
const history = 'src/domain/state/past/history.ts'
const lease = 'src/domain/leases/lease.ts'
const events = 'src/operations/state/events.ts'

export const ofDomain: readonly Mutant[] = [
  {
    name: 'expiry: a key is there in its very millisecond',
    file: lapse,
    find: '?? Number.POSITIVE_INFINITY) <= now',
    replace: '?? Number.POSITIVE_INFINITY) < now',
    tests: millisecond,
  },
  {
    name: 'expiry: a key takes up room in its very millisecond',
    file: lapse,
    find: 'expires_at !== null && expires_at <= at',
    replace: 'expires_at !== null && expires_at < at',
    tests: millisecond,
  },
  {
    name: 'expiry: history does not say so in the very millisecond',
    file: history,
    find: 'expiresAt > now ? {}',
    replace: 'expiresAt >= now ? {}',
    tests: millisecond,
  },
  {
    name: 'lease: held in the very millisecond in which it runs out',
    file: lease,
    find: 'heldUntil(lease, now) > now.ms',
    replace: 'heldUntil(lease, now) >= now.ms',
    tests: ['test/domain/lease.test.ts'],
  },
  {
    name: 'state events: a page before an erased key is refused',
    file: events,
    find: 'const count = fitting(sizes.slice(0, limit))',
    replace: 'const count = fitting(sizes)',
    tests: pages,
  },
  {
    name: 'state events: a refused page names the first erased mutation instead of the last',
    file: events,
    find: 'rows.findLast(',
    replace: 'rows.find(',
    tests: pages,
  },
  {
    name: 'history: a page that ends just before the base of a compaction names it',
    file: history,
    find: 'base >= 0 && base < limit ?',
    replace: 'base >= 0 && base <= limit ?',
    tests: pages,
  },
  {
    name: 'history: the base of a compaction is left out',
    file: history,
    find: 'found.slice(0, base + 1)',
    replace: 'found.slice(0, base)',
    tests: pages,
  },
  {
    name: 'history: what is left below the base counts as more',
    file: history,
    find: 'hasMore: kept.length > limit',
    replace: 'hasMore: found.length > limit',
    tests: pages,
  },
  {
    name: 'history: a page before the base is answered',
    file: history,
    find: 'before > base.version) return undefined',
    replace: 'before >= base.version) return undefined',
    tests: pages,
  },
  {
    name: 'history: a compaction that removed nothing is named',
    file: history,
    find: 'end !== undefined && end > 1 ? end',
    replace: 'end !== undefined && end > 0 ? end',
    tests: pages,
  },
  {
    name: 'expiry: keys are not due in their very millisecond',
    file: 'src/domain/state/expiry.ts',
    find: 'from: 0, to: at + 1, most: dueMax',
    replace: 'from: 0, to: at, most: dueMax',
    tests: ['test/together/very-millisecond.test.ts'],
  },
  {
    name: 'lease: an agent uses what another session holds',
    file: 'src/domain/leases/lease.ts',
    find: 'if (lease instanceof Refusal || fence.ofToken || on.agent === undefined || on.agent === lease.session_no) return lease',
    replace: 'return lease',
    tests: ['test/tokens/runs.test.ts'],
  },
  {
    name: 'past of rows: what a row was given once is lost',
    file: 'src/domain/log/row-past.ts',
    find: '[column, now?.[column]]',
    replace: '[column, undefined]',
    tests: ['test/conformance/reads-at.test.ts'],
  },
  {
    name: 'state of a fork: keys that go by themselves stay',
    file: 'src/domain/state/past/fork.ts',
    find: `      { table: stateLapses, rows: live.flatMap((row) => lapseRow(row)) },
`,
    replace: '',
    tests: ['test/forks/work.test.ts'],
  },
  {
    name: 'sessions of a fork: their names are free',
    file: 'src/domain/sessions/fork.ts',
    find: `    names.push({ root: to.root, folded: foldName(given.name), no: row.no })
`,
    replace: '',
    tests: ['test/forks/forks.test.ts'],
  },
  {
    name: 'erasure: whole documents that had the key stay',
    file: 'src/domain/state/past/erasure.ts',
    find: 'row.key === key || hasMember(row.data, key)',
    replace: 'row.key === key',
    tests: ['test/upkeep/removal.test.ts'],
  },
  {
    name: 'prune: the newest version at the floor goes',
    file: 'src/domain/state/past/prune.ts',
    find: 'row.seq >= newest',
    replace: 'row.seq > newest',
    tests: ['test/upkeep/compact.test.ts'],
  },
  {
    name: 'batch: what it writes is not counted',
    file: 'src/operations/state/batch.ts',
    find: 'if (bytes <= limit) return undefined',
    replace: 'if (bytes <= limit || bytes > 0) return undefined',
    tests: ['test/hostile/batches.test.ts'],
  },
  {
    name: 'pages: all that is asked for is on one',
    file: 'src/domain/log/past/page.ts',
    find: 'return tooMany < 0 ? sizes.length : Math.max(tooMany, 1)',
    replace: 'return sizes.length',
    tests: ['test/hostile/pages.test.ts'],
  },
  {
    name: 'sets: the past keeps no dots of a difference',
    file: 'src/domain/state/crdt/set-items.ts',
    find: "dots.push({ op: order > 0 ? 'add' : 'replace', path, value })",
    replace: "dots.push({ op: order > 0 ? 'add' : 'replace', path, value: {} })",
    tests: ['test/hostile/batches.test.ts'],
  },
]
