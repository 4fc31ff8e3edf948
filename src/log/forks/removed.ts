import type { Parts } from '../../domain/log/part.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RootRow, roots, type SegmentRow, segments } from '../../domain/log/tables.ts'
import type { Changes } from '../../store/engine.ts'
import { sharedTables } from './detach.ts'
import type { Family } from './family.ts'

/** Everything of a root. */
export function cleared(parts: Parts, root: number): Changes[] {
  return parts.tables.filter(({ columns }) => 'root' in columns).map((table) => ({ clear: table, root }))
}

/** What others need of a removed root: rows up to an event, or nothing but to know that it was there. Undefined when there are none. */
function needOf(root: number, family: readonly SegmentRow[]): number | undefined {
  const others = family.filter((row) => row.root !== root && (row.source === root || row.origin === root))
  if (others.length === 0) return undefined
  return Math.max(0, ...others.filter(({ source }) => source === root).map(({ upto }) => upto))
}

/**
 * A root goes. What its forks share of it stays under a head that nobody finds, and under another number: whoever remembers the old one
 * finds nothing there. Answers with whose rows are whose from then on, too; with nothing where a number is needed and none was given.
 */
export function* removed(
  parts: Parts,
  head: RootRow,
  family: readonly SegmentRow[],
  number: number | undefined,
): Asking<{ changes: Changes[]; segments: SegmentRow[] } | undefined> {
  const { root } = head
  const left = family.filter((row) => row.root !== root)
  const upto = needOf(root, left)
  if (upto === undefined) return { changes: cleared(parts, root), segments: left }
  if (number === undefined) return undefined
  const renamed = (row: SegmentRow): SegmentRow => ({
    ...row,
    source: row.source === root ? number : row.source,
    origin: row.origin === root ? number : row.origin,
  })
  const own = family.filter((row) => row.root === root && row.origin !== null)
  const mine = own.map((row): SegmentRow => ({ ...row, root: number, source: number }))
  const theirs = left.filter((row) => row.source === root || row.origin === root).map(renamed)
  const hidden: RootRow = { ...head, root: number, id: `removed_${number}`, ...(yield* endAt(root, upto)), hidden: 1 }
  const changes: Changes[] = [
    ...sharedTables(parts).map((table): Changes => ({ copy: table, root, to: number, after: 0, upto })),
    ...cleared(parts, root),
    { table: roots, rows: [hidden] },
    { table: segments, rows: [...mine, ...theirs] },
  ]
  return { changes, segments: [...left.map(renamed), ...mine] }
}

/** What was kept of removed roots and nobody needs any more goes too. */
export function* released(parts: Parts, { heads, segments: family }: Family): Asking<Changes[]> {
  const changes: Changes[] = []
  let left = family
  const hidden = new Map(heads.filter((head) => head.hidden === 1).map((head) => [head.root, head]))
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size
    for (const root of [...hidden.keys()].filter((each) => needOf(each, left) === undefined)) {
      changes.push(...cleared(parts, root))
      hidden.delete(root)
      // It was itself forked from one that may be needed by nobody else.
      left = left.filter((row) => row.root !== root)
    }
  }
  for (const head of hidden.values()) {
    const upto = needOf(head.root, left) ?? 0
    if (upto >= head.seq) continue
    changes.push(...sharedTables(parts).map((table): Changes => ({ cut: table, root: head.root, after: upto })))
    changes.push({ table: roots, rows: [{ ...head, ...(yield* endAt(head.root, upto)) }] })
  }
  return changes
}

/** The end of a log that is cut after an event. */
function* endAt(root: number, upto: number): Asking<Pick<RootRow, 'seq' | 'hash'>> {
  const [event] = upto === 0 ? [] : yield* ask(aboutLog.log_since, root, upto - 1, 1)
  return { seq: upto, hash: event?.hash ?? '' }
}
