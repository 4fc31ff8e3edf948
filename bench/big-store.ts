// A store with a long past, made once for each machine and kept: every run works on a copy of it.
import { createHash } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Cairn, openCairn } from '../src/index.ts'
import { migrations } from '../src/store/migrations.ts'
import { storePath } from './library.ts'
import type { Context } from './scenario.ts'

/** Moves when what is built below changes. */
const edition = 2

/** Among the keys one is an array, which the rest of the events lengthen; the others are counters. */
export const keyCount = 10_000
export const arrayKey = 'array'
const counterCount = keyCount - 1
const arrayBytes = 1_000_000
const itemBytes = 100

const batchSize = 500
const batchesAtOnce = 4
/** Prime to the number of counters, so that neighbours in the log are no neighbours among the keys. */
const stride = 7919

export interface BigStore {
  readonly home: string
  readonly session: string
  readonly events: number
}

export function eventCount(context: Context): number {
  return context.quick ? 100_000 : 1_000_000
}

export function counterName(n: number): string {
  return `counter-${String(n % counterCount).padStart(5, '0')}`
}

/** A copy for this scenario alone. */
export async function bigStore(context: Context): Promise<BigStore> {
  const events = eventCount(context)
  const kept = join(tmpdir(), `cairn-bench-${schemaHash()}-${edition}-${events}`)
  if (!existsSync(kept)) await build(context, kept, events)
  const { session } = JSON.parse(readFileSync(join(kept, 'made.json'), 'utf8')) as { session: string }
  const home = context.folder()
  copyFileSync(storePath(kept), storePath(home), constants.COPYFILE_FICLONE)
  return { home, session, events }
}

function schemaHash(): string {
  return createHash('sha256')
    .update(migrations.map(({ sql }) => sql).join(';'))
    .digest('hex')
    .slice(0, 12)
}

async function build(context: Context, kept: string, events: number): Promise<void> {
  const home = `${kept}.${process.pid}`
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const start = performance.now()
  try {
    const cairn = await openCairn({ home })
    const { session_id: session } = await cairn.session.create({ topic: 'benchmark' })
    await fill(cairn, session, events)
    await cairn.close()
    seal(storePath(home))
    const seconds = Math.round((performance.now() - start) / 1000)
    writeFileSync(join(home, 'made.json'), JSON.stringify({ session, events, seconds }))
    const megabytes = Math.round(statSync(storePath(home)).size / 1e6)
    context.say(`built a store of ${events} events (${megabytes} MB) in ${seconds} s`)
    renameSync(home, kept)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The driver lets go of a store some time after it was closed; until then some of it is beside the file. */
function seal(path: string): void {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

type Batch = Parameters<Cairn['state']['batch']>[0]['operations']

/** The array grows evenly over the whole log, item by item, to its full size. */
async function fill(cairn: Cairn, session: string, events: number): Promise<void> {
  const items = arrayBytes / itemBytes
  const { state } = cairn
  let made = 1 // the root's own event
  let appended = 0
  const step = () => {
    const asked: Promise<unknown>[] = []
    const operations: Batch = []
    for (let taken = 0; taken < batchSize && made < events; taken++, made++) {
      const isDue = appended < items && appended <= (made / events) * items
      if (isDue) asked.push(state.append({ session, key: arrayKey, items: [itemOf(appended++)] }))
      else operations.push({ op: 'increment', key: counterName(made * stride) })
    }
    if (operations.length > 0) asked.push(state.batch({ session, operations }))
    return Promise.all(asked)
  }
  const loop = async () => {
    while (made < events) await step()
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, loop))
}

/** With its quotes and comma as long as `itemBytes`. */
function itemOf(n: number): string {
  return String(n).padEnd(itemBytes - 3, '.')
}
