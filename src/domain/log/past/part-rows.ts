import type { ForkedRows, ForkPoint, Part } from '../part.ts'
import { type Asking, ask, askRows } from '../questions.ts'
import { rowsAt } from '../row-past.ts'
import { aboutLog } from '../sql/about-log.ts'
import type { AnyTable, StreamRow } from '../tables.ts'
import { versionAt } from './place.ts'

/** The rows of a part that a fork begins with. */
export function* forkedRows(part: Part, point: ForkPoint): Asking<ForkedRows> {
  return yield* part.fork?.(point) ?? forkByPast(part, point)
}

/** The rows of a part whose views keep their past, and its plain rows that go with a fork. */
function* forkByPast({ tables }: Part, { root, at, isLast, to }: ForkPoint): Asking<ForkedRows> {
  const rows: { table: AnyTable; rows: object[] }[] = []
  for (const table of tables.filter((each) => each.carried && each.ofRoot)) {
    if (table.view && !table.past && !isLast) throw new Error(`nobody knows how ${table.name} was at ${at}`)
    const found = table.past ? yield* rowsAt(table, root, at) : yield* askRows(table, root)
    rows.push({ table, rows: found.map((row) => ({ ...row, root: to.root })) })
  }
  return { rows }
}

/** The views of a part as they were after an event, with all that its next events may look at. */
export function* evolvableRows(part: Part, point: ForkPoint): Asking<ForkedRows> {
  const { rows, ...rest } = point.isLast ? yield* presentRows(part, point.root) : yield* forkedRows(part, point)
  const views = rows.filter(({ table }) => table.view)
  const more = part.ownPast === undefined ? [] : yield* part.ownPast.lookedAt(point.root, views)
  return { rows: [...views, ...more], ...rest }
}

function* presentRows({ tables }: Part, root: number): Asking<ForkedRows> {
  const rows: { table: AnyTable; rows: readonly object[] }[] = []
  for (const table of tables.filter((each) => each.carried && each.ofRoot)) {
    const found: readonly object[] = yield* askRows(table, root)
    rows.push({ table, rows: found.filter((row) => table.blank?.(row) !== true) })
  }
  return { rows }
}

/** Streams as they were after an event; what they had made by then is known by their parts. */
export function* streamsAt(all: readonly StreamRow[], at: number): Asking<StreamRow[]> {
  const then: StreamRow[] = []
  for (const stream of all) {
    const version = yield* versionAt(stream.root, stream.stream, stream.version, at)
    if (version === 0) continue
    const [event] = yield* ask(aboutLog.events_of_version, stream.root, stream.stream, version)
    then.push({ ...stream, version, updated_at: event?.at ?? 0, base: Math.min(stream.base, at) })
  }
  return then
}
