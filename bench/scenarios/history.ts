import { DatabaseSync } from '@photostructure/sqlite'
import { newRoot, type Opened, storePath } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'

const batchSize = 500
const keyCount = 10_000
const differing = 10

/** A key that was changed so often, by one kind of change. */
async function changedOften(context: Context, op: 'increment' | 'append'): Promise<Opened> {
  const opened = await newRoot(context)
  const { cairn, session } = opened
  const versions = context.quick ? 10_000 : 100_000
  for (let made = 0; made < versions; made += batchSize) {
    const operations = Array.from({ length: batchSize }, (_, at) =>
      op === 'append' ? { op, key: 'k', items: [made + at] } : { op, key: 'k' },
    )
    await cairn.state.batch({ session, operations })
  }
  return opened
}

async function firstPage(context: Context, op: 'increment' | 'append'): Promise<Measured> {
  const { cairn, session } = await changedOften(context, op)
  const calls = op === 'append' ? 20 : 500
  return interleaved(
    context.rounds,
    () => msOfCalls(calls, () => cairn.state.history({ session, key: 'k' })),
    () => msOfCalls(calls, () => cairn.state.get({ session, key: 'k' })),
  )
}

/** The versions that all keys had at two places: what anybody who compares two points has to know at least. */
function indexReader(context: Context, path: string, root: string) {
  const db = new DatabaseSync(path, { readOnly: true })
  context.atEnd(() => db.close())
  const read = db.prepare(`SELECT v.key, max(v.seq) AS seq FROM state_versions v
    WHERE v.root = (SELECT root FROM roots WHERE id = ?1) AND v.seq <= ?2 GROUP BY v.key`)
  return (from: number, to: number) => [read.all(root, from), read.all(root, to)]
}

async function diff(context: Context): Promise<Measured> {
  const home = context.folder()
  const { cairn, session } = await newRoot(context, { home })
  const keys = Array.from({ length: keyCount }, (_, at) => `key-${String(at).padStart(5, '0')}`)
  await cairn.state.init({ session, initial_state: Object.fromEntries(keys.map((key) => [key, 'x'.repeat(1000)])) })
  const operations = Array.from({ length: differing }, (_, at) => ({
    op: 'set' as const,
    key: keys[at * 997] as string,
    value: at,
  }))
  await cairn.state.batch({ session, operations })
  const [from, to] = [2, 2 + differing]
  const readIndex = indexReader(context, storePath(home), session)
  return interleaved(
    context.rounds,
    () => msOfCalls(20, () => cairn.state.diff({ session, from, to })),
    () => msOfCalls(20, async () => readIndex(from, to)),
  )
}

const page = { against: 'a read of the key', store: 'sqlite', unit: 'ms', target: atMost(5) } as const

export const history: readonly Scenario[] = [
  {
    ...page,
    name: 'history-counter',
    about: 'the first page of the history of a counter of 100 000 versions',
    run: (context) => firstPage(context, 'increment'),
  },
  {
    ...page,
    name: 'history-array',
    about: 'the first page of the history of an array of 100 000 appends',
    run: (context) => firstPage(context, 'append'),
  },
  {
    name: 'diff',
    about: `two points of a state of ${keyCount} keys that differ in ${differing}`,
    against: 'the versions of all keys at both points',
    store: 'sqlite',
    unit: 'ms',
    target: atMost(5),
    run: diff,
  },
]
