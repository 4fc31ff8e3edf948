import type { Parts } from '../../domain/log/part.ts'
import type { ReplayedRows } from '../../domain/log/replayed-rows.ts'
import {
  type AnyTable,
  events,
  indexing,
  roots,
  type SegmentRow,
  type StreamRow,
  streams,
} from '../../domain/log/tables.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import type { Changes, Engine } from '../../store/engine.ts'
import { diskBytesIn } from '../disk-space.ts'
import { isOwn, lineageOf } from '../forks/lineage.ts'
import { bytesOfRoot } from '../proof/disk-bytes.ts'
import { missingEnd, type RootNamed, replay } from '../proof/replay.ts'
import { asLoads } from '../write/as-loads.ts'
import { touched } from './touched.ts'

/** Writes the views of a root anew, as its log says. False when the log itself is broken: then nothing is touched. */
export async function rebuildViews(engine: Engine, parts: Parts, root: RootNamed): Promise<boolean> {
  const number = root.root
  return engine.write([number], function* (heads, time) {
    const rows = yield* asLoads(replay(parts, root))
    const [kept] = yield [{ table: streams, root: number, range: {} }]
    const replayed = 'what' in rows ? undefined : rows.head()
    // How often the rows of a lost head were changed past the log is not known; the time is more than that.
    const head = heads[0] ?? (replayed && { ...replayed, generation: time.ms })
    if (head === undefined || 'what' in rows || missingEnd(rows, heads[0])) return { changes: [], out: false }
    const views = parts.tables.filter(isRebuilt)
    const lineage = yield* asLoads(lineageOf(number))
    const changes: Changes[] = views.map((table) => ({ clear: table, root: number }))
    if (replayed === undefined) return { changes: [...changes, { clear: roots, root: number }], out: true }
    const made = rows.all(sessions).map(({ id }) => [id, number])
    changes.push({ deed: 'outdate_holder', each: made }, { deed: 'expel_session', each: made })
    const { seq, hash } = replayed
    for (const table of views) {
      changes.push({ table, rows: rebuilt(rows, table, (kept ?? []) as StreamRow[], lineage) })
      if (table.indexedBy) changes.push(...indexedAnew(table, number, seq))
    }
    const others = parts.tables.filter((table) => !isRebuilt(table))
    const bytes = diskBytesIn(changes, number) + (yield* asLoads(bytesOfRoot(others, number)))
    return { changes: [...changes, ...touched({ ...head, seq, hash, bytes })], out: true }
  })
}

function isRebuilt(table: AnyTable): boolean {
  return table.view && table.ofRoot && table !== roots && table !== events
}

function indexedAnew(table: AnyTable, root: number, upto: number): Changes[] {
  return [
    { clear: table.indexedBy as AnyTable, root },
    { index: table, root, after: 0, upto },
    { table: indexing, rows: [{ root, name: table.name, upto }] },
  ]
}

/** Where the past of a stream begins is not in the log; it is taken over. */
function rebuilt(
  rows: ReplayedRows,
  table: AnyTable,
  kept: readonly StreamRow[],
  lineage: readonly SegmentRow[],
): object[] {
  // What a fork shares is not its own to write.
  if (table.shared) return rows.all(table).filter(({ seq }) => isOwn(lineage, seq))
  if (table !== streams) return rows.all(table)
  const before = new Map(kept.map((row) => [row.stream, row]))
  return rows.all(streams).map((row) => {
    const { floor = 0, base = 0 } = before.get(row.stream) ?? {}
    return { ...row, floor, base }
  })
}
