import type { Parts } from '../../domain/log/part.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { type SegmentRow, segments } from '../../domain/log/tables.ts'
import type { Changes } from '../../store/engine.ts'
import { lineageOf } from './lineage.ts'

/**
 * What a root shares with its forks and with those it was forked from becomes rows of each: then what is done to its rows is done to
 * no other root. It costs as much as there is to copy.
 */
export function* detach(parts: Parts, root: number): Asking<Changes[]> {
  const lineage = yield* lineageOf(root)
  const given = lineage.filter(({ source }) => source !== root)
  const taken = yield* ask('sharers', root)
  return [...given, ...taken].flatMap((segment) => ownCopy(parts, segment))
}

function ownCopy(parts: Parts, { root: to, source: root, after, upto }: SegmentRow): Changes[] {
  const shared = parts.tables.filter((table) => table.shared)
  const tables = shared.flatMap((table) => (table.indexedBy ? [table, table.indexedBy] : [table]))
  const own: SegmentRow = { root: to, source: to, after, upto }
  return [...tables.map((table): Changes => ({ copy: table, root, to, after, upto })), { table: segments, rows: [own] }]
}
