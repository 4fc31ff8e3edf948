import { type AnyTable, type ColumnKind, roots } from '../../domain/log/tables.ts'
import type { RowsWritten } from '../engine.ts'
import { writeRows } from '../statements.ts'

/** One row goes as it is; several go column by column, as arrays. */
export function valuesOf({ table, rows }: RowsWritten): unknown[] {
  const [only] = rows as readonly Record<string, unknown>[]
  if (only === undefined || rows.length > 1) return arraysOf({ table, rows })
  return Object.entries(table.columns).map(([column, kind]) => sent(kind, only[column]))
}

export function arraysOf({ table, rows }: RowsWritten): unknown[] {
  // Groups of different roots that write the same rows in different orders would wait for each other for ever.
  const ordered = table.ofRoot ? rows : [...rows].sort(byPlace(table))
  return Object.entries(table.columns).map(([column, kind]) =>
    ordered.map((row) => sent(kind, (row as Record<string, unknown>)[column])),
  )
}

function sent(kind: ColumnKind, value: unknown): unknown {
  return kind === 'hex' && value !== null ? Buffer.from(value as string, 'hex') : value
}

const types: Readonly<Record<ColumnKind, string>> = { text: 'text', integer: 'bigint', hex: 'bytea', bytes: 'bytea' }

/** All tables in one statement, whose head is held already. */
export function flushText(changes: readonly RowsWritten[]): string {
  let used = 0
  const parts = changes.map(({ table, rows }) => {
    const one = rows.length === 1
    const marks = marksOf(table, used, one ? '' : '[]')
    used += marks.length
    const source = one ? `SELECT ${marks.join(', ')}` : `SELECT given.* FROM unnest(${marks.join(', ')}) AS given`
    return `wrote_${table.name} AS (${writeRows(table, source)} RETURNING 1)`
  })
  return `WITH ${parts.join(', ')} SELECT 1`
}

/**
 * The same for several roots at once, none of which is held. It begins by locking the heads that are where they were left
 * ($1 root, $2 hash, $3 generation), and everything else is written below those only. Answers with the roots that moved.
 */
export function guardedText(tables: readonly AnyTable[]): string {
  let used = 3
  const parts = tables.map((table) => {
    const marks = marksOf(table, used, '[]')
    used += marks.length
    const names = Object.keys(table.columns)
    const given = `unnest(${marks.join(', ')}) AS given(${names.join(', ')})`
    const where = 'given.root IN (SELECT root FROM held)'
    if (table.name !== roots.name) {
      return `wrote_${table.name} AS (${writeRows(table, `SELECT given.* FROM ${given} WHERE ${where}`)} RETURNING 1)`
    }
    // An update and no upsert: a root that was removed meanwhile must not come back.
    const set = names.map((name) => `${name} = given.${name}`).join(', ')
    return `moved AS (UPDATE roots SET ${set} FROM ${given} WHERE roots.root = given.root AND ${where} RETURNING roots.root)`
  })
  return `WITH held AS (SELECT r.root FROM roots r JOIN unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS left_at(root, hash, generation)
      ON r.root = left_at.root AND r.hash = left_at.hash AND r.generation = left_at.generation
      ORDER BY r.root FOR UPDATE OF r),
    ${parts.join(', ')} SELECT root FROM moved`
}

function marksOf(table: AnyTable, used: number, list: '' | '[]'): string[] {
  const kinds = Object.values(table.columns) as ColumnKind[]
  return kinds.map((kind, at) => `$${used + at + 1}::${types[kind]}${list}`)
}

/** Heads first, then always in the same order, for the same reason. */
export function inOrder(changes: readonly RowsWritten[]): RowsWritten[] {
  const rank = ({ table }: RowsWritten) => (table.name === roots.name ? '' : table.name)
  return [...changes].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

function byPlace(table: AnyTable): (a: object, b: object) => number {
  return (a, b) => (table.place(a) < table.place(b) ? -1 : 1)
}
