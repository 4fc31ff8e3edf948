import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Cairn } from '../../src/index.ts'
import { newRoot, openStore, storePath } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'

const batchSize = 500
const pageSize = 1000
const keyCount = 1000

async function write(cairn: Cairn, session: string, events: number): Promise<void> {
  for (let made = 0; made < events; made += batchSize) {
    const operations = Array.from({ length: batchSize }, (_, at) => ({
      op: 'increment' as const,
      key: `counter-${((made + at) * 7919) % keyCount}`,
    }))
    await cairn.state.batch({ session, operations })
  }
}

async function exported(cairn: Cairn, session: string) {
  const all: Awaited<ReturnType<Cairn['log']['list']>>['events'] = []
  for (;;) {
    const { events } = await cairn.log.list({ session, since: all.length, limit: pageSize })
    all.push(...events)
    if (events.length < pageSize) return all
  }
}

/** Puts all rows of a store into another that has its tables only, in one transaction. */
function copyRows(from: string, to: string): void {
  const [source, target] = [new DatabaseSync(from, { readOnly: true }), new DatabaseSync(to)]
  const tables = source
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; sql: string }[]
  const indexes = source.prepare("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all()
  target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  for (const { sql } of [...tables, ...(indexes as { sql: string }[])]) target.exec(sql)
  target.exec('BEGIN')
  for (const { name } of tables) {
    const select = source.prepare(`SELECT * FROM ${name}`)
    const marks = select.columns().map((_, at) => `?${at + 1}`)
    const insert = target.prepare(`INSERT INTO ${name} VALUES (${marks.join(', ')})`)
    select.setReturnArrays(true)
    for (const row of select.all() as never[][]) insert.run(...row)
  }
  target.exec('COMMIT')
  source.close()
  target.close()
}

async function run(context: Context): Promise<Measured> {
  const home = context.folder()
  const { cairn, session } = await newRoot(context, { home })
  await write(cairn, session, context.quick ? 10_000 : 100_000)
  const events = await exported(cairn, session)
  return interleaved(
    3,
    async () => {
      const other = await openStore(context, { home: context.folder() })
      return msOfCalls(1, () => other.log.adopt({ root: session, events }))
    },
    () => msOfCalls(1, async () => copyRows(storePath(home), join(context.folder(), 'copy.db'))),
  )
}

export const adopting: Scenario = {
  name: 'adopt',
  about: 'adopting a history of 100 000 events, with its chain verified and its views made',
  against: 'bare inserts of the same rows',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(2),
  run,
}
