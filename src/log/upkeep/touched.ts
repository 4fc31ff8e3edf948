import { digestOf } from '../../domain/log/event.ts'
import type { Parts, RowsOfPast } from '../../domain/log/part.ts'
import type { Parameter } from '../../domain/log/questions.ts'
import { type AnyTable, type EventRow, type RootRow, roots, type StreamRow, streams } from '../../domain/log/tables.ts'
import type { Changes } from '../../store/engine.ts'
import { diskBytesOf } from '../disk-space.ts'

/**
 * A head and streams after upkeep, with what was added to the disk space of the root: everybody who remembers rows of this root has to look
 * again.
 */
export function touched(head: RootRow, moved: readonly StreamRow[] = [], added = 0): Changes[] {
  const left = { ...head, generation: head.generation + 1, bytes: head.bytes + added }
  const outdated: Changes = { table: roots, rows: [left] }
  return moved.length === 0 ? [outdated] : [outdated, { table: streams, rows: moved }]
}

/** Takes the bodies of events away; that they were there stays in the chain of hashes. */
export function withoutBodies(root: number, events: readonly Pick<EventRow, 'seq' | 'data'>[]): Changes {
  const each = events.map(({ seq, data }): Parameter[] => [root, seq, Buffer.from(digestOf(data ?? ''), 'hex')])
  return { deed: 'remove_body', each }
}

/** What the bodies of events take up. */
export function bytesOfBodies(events: readonly Pick<EventRow, 'data'>[]): number {
  return events.reduce((sum, { data }) => sum + Buffer.byteLength(data ?? ''), 0)
}

/** What rows of the past take up: a part that does not show them whole says it of each. */
export function bytesOfPast(removed: readonly RowsOfPast[]): number {
  const bytesOf = (table: AnyTable, row: { bytes?: number }) => row.bytes ?? diskBytesOf(table, row)
  return removed.reduce((sum, { table, rows }) => rows.reduce((all, row) => all + bytesOf(table, row), sum), 0)
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
