import { digestOf } from '../../domain/log/event.ts'
import type { Parts, RowsOfPast } from '../../domain/log/part.ts'
import type { Parameter } from '../../domain/log/questions.ts'
import { type EventRow, type RootRow, roots, type StreamRow, streams } from '../../domain/log/tables.ts'
import type { Changes } from '../../store/engine.ts'

/** A head and streams after upkeep: everybody who remembers rows of this root has to look again. */
export function touched(head: RootRow, moved: readonly StreamRow[] = []): Changes[] {
  const outdated: Changes = { table: roots, rows: [{ ...head, generation: head.generation + 1 }] }
  return moved.length === 0 ? [outdated] : [outdated, { table: streams, rows: moved }]
}

/** Takes the bodies of events away; that they were there stays in the chain of hashes. */
export function withoutBodies(root: number, events: readonly Pick<EventRow, 'seq' | 'data'>[]): Changes {
  const each = events.map(({ seq, data }): Parameter[] => [root, seq, Buffer.from(digestOf(data ?? ''), 'hex')])
  return { deed: 'remove_body', each }
}

/** Takes rows of the past away, and what finds them. */
export function withoutRows(parts: Parts, root: number, removed: readonly RowsOfPast[]): Changes[] {
  const tables = removed.flatMap(({ table, rows }) =>
    (table.indexedBy ? [table, table.indexedBy] : [table]).map((each) => ({ table: each, rows })),
  )
  return tables
    .filter(({ table, rows }) => rows.length > 0 && parts.tables.includes(table))
    .map(({ table, rows }) => ({ remove: table, keys: rows.map((row) => [root, ...keyIn(table.key, row)]) }))
}

function keyIn(columns: readonly string[], row: object): Parameter[] {
  return columns.map((column) => (row as Record<string, Parameter>)[column] as Parameter)
}
