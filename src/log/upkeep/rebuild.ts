import {
  sessionNames,
  sessions,
  stateKeys,
  stateLapses,
  stateSchemas,
  stateVersions,
  streams,
  type Table,
} from '../../domain/log/tables.ts'
import type { Changes, Engine } from '../../store/engine.ts'
import { missingEnd, replay } from '../proof/replay.ts'
import type { ReplayedRows } from '../proof/replayed-rows.ts'
import { touched } from './compact.ts'

const views = [
  streams,
  sessions,
  sessionNames,
  stateKeys,
  stateVersions,
  stateLapses,
  stateSchemas,
] as unknown as Table<object>[]

const cleared = [
  'remove_streams',
  'remove_sessions',
  'remove_names',
  'remove_keys',
  'remove_versions',
  'remove_lapses',
  'remove_schemas',
] as const

/** Writes the views of a root anew, as its log says. False when the log itself is broken: then nothing is touched. */
export async function rebuildViews(engine: Engine, root: string): Promise<boolean> {
  return engine.write([root], function* (heads, time) {
    const rows = yield* asLoads(replay(root))
    const [kept] = yield [{ ask: 'streams_of_root', with: [root] }]
    const replayed = 'what' in rows ? undefined : rows.head()
    // How often the rows of a lost head were changed past the log is not known; the time is more than that.
    const head = heads[0] ?? (replayed && { ...replayed, generation: time.ms })
    if (head === undefined || 'what' in rows || missingEnd(rows, heads[0])) return { changes: [], out: false }
    const changes: Changes[] = cleared.map((deed) => ({ deed, each: [[root]] }))
    if (replayed === undefined) return { changes: [...changes, { deed: 'remove_head', each: [[root]] }], out: true }
    const made = rows.all(sessions).map(({ id }) => [id, root])
    changes.push({ deed: 'outdate_holder', each: made }, { deed: 'expel_session', each: made })
    for (const table of views) changes.push({ table: table as never, rows: rebuilt(rows, table, kept ?? []) })
    return { changes: [...changes, ...touched({ ...head, ...counted(replayed) })], out: true }
  })
}

/** Where the past of a stream begins is not in the log; it is taken over. */
function rebuilt(rows: ReplayedRows, table: Table<object>, kept: readonly object[]): object[] {
  if (table.name !== streams.name) return rows.all(table)
  const before = new Map((kept as { stream: string; floor: number; base: number }[]).map((row) => [row.stream, row]))
  return rows.all(streams).map((row) => {
    const { floor = 0, base = 0 } = before.get(row.stream) ?? {}
    return { ...row, floor, base }
  })
}

function counted({
  seq,
  hash,
  sessions: made,
  keys,
  bytes,
}: {
  seq: number
  hash: string
  sessions: number
  keys: number
  bytes: number
}) {
  return { seq, hash, sessions: made, keys, bytes }
}

/** A reading as part of work in a transaction. */
function* asLoads<Out>(reading: ReturnType<typeof replay> & Generator<unknown, Out>) {
  let step = reading.next()
  while (!step.done) {
    const [rows] = (yield [step.value]) as object[][]
    step = reading.next(rows ?? [])
  }
  return step.value
}
