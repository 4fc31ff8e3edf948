import type { Parts } from '../../domain/log/part.ts'
import { type Asking, askBytes } from '../../domain/log/questions.ts'
import { type AnyTable, type SegmentRow, segments } from '../../domain/log/tables.ts'
import type { Changes } from '../../store/engine.ts'

/** Tables of which a fork reads rows of others, and those that such rows are found by. */
export function sharedTables(parts: Parts): AnyTable[] {
  const shared = parts.tables.filter((table) => table.shared)
  return shared.flatMap((table) => (table.indexedBy ? [table, table.indexedBy] : [table]))
}

/**
 * What a root shares with its forks and with those it was forked from becomes rows of each: then what is done to its rows is done to
 * no other root. It costs as much as there is to copy. Answers with whose rows are whose from then on, too.
 */
export function detach(
  parts: Parts,
  root: number,
  family: readonly SegmentRow[],
): { changes: Changes[]; segments: SegmentRow[]; copied: SegmentRow[] } {
  const isShared = (row: SegmentRow) => row.source !== row.root && (row.root === root || row.source === root)
  return {
    changes: family.filter(isShared).flatMap((segment) => ownCopy(parts, segment)),
    segments: family.map((row) => (isShared(row) ? { ...row, source: row.root } : row)),
    copied: family.filter(isShared),
  }
}

/** What each root has more by that. */
export function* bytesCopied(parts: Parts, copied: readonly SegmentRow[]): Asking<Map<number, number>> {
  const found = new Map<number, number>()
  for (const { root, source, after, upto } of copied) {
    for (const table of sharedTables(parts).filter(({ counted }) => counted !== undefined)) {
      const [sum] = yield* askBytes(table, { root: source, after, upto })
      found.set(root, (found.get(root) ?? 0) + (sum?.bytes ?? 0))
    }
  }
  return found
}

function ownCopy(parts: Parts, segment: SegmentRow): Changes[] {
  const { root: to, source: root, after, upto } = segment
  const copies = sharedTables(parts).map((table): Changes => ({ copy: table, root, to, after, upto }))
  return [...copies, { table: segments, rows: [{ ...segment, source: to }] }]
}
