import { roots, type Table } from '../domain/tables.ts'
import type { RowsWritten } from './engine.ts'
import { writeRows } from './statements.ts'

/** One row goes as it is; several go column by column, as arrays. */
export function valuesOf({ table, rows }: RowsWritten): unknown[] {
  const columns = Object.keys(table.columns)
  const [only] = rows as readonly Record<string, unknown>[]
  if (only !== undefined && rows.length === 1) return columns.map((column) => only[column])
  // Groups of different roots that write the same rows in different orders would wait for each other for ever.
  const ordered = table.ofRoot ? rows : [...rows].sort(byPlace(table))
  return columns.map((column) => ordered.map((row) => (row as Record<string, unknown>)[column]))
}

/**
 * All tables in one statement. Guarded, it begins by moving the head, and everything else is written for each head that moved:
 * so the head is locked before anything else is touched, and nothing is written when it was not where it was left.
 */
export function flushText(changes: readonly RowsWritten[], guarded: boolean): string {
  let used = guarded ? 2 : 0
  const moved = `wrote_${roots.name}`
  const parts = changes.map(({ table, rows }) => {
    const columns = Object.entries(table.columns) as [string, 'text' | 'integer'][]
    const one = rows.length === 1
    const marks = columns.map(([, kind]) => `$${++used}::${kind === 'text' ? 'text' : 'bigint'}${one ? '' : '[]'}`)
    if (guarded && table.name === roots.name) return `${moved} AS (${moveHead(columns, marks)} RETURNING 1)`
    const source = one ? `SELECT ${marks.join(', ')}` : `SELECT given.* FROM unnest(${marks.join(', ')}) AS given`
    const where = guarded ? ` WHERE EXISTS (SELECT 1 FROM ${moved})` : ''
    return `wrote_${table.name} AS (${writeRows(table, source + where)} RETURNING 1)`
  })
  return `WITH ${parts.join(', ')} SELECT ${guarded ? `count(*) AS moved FROM ${moved}` : '1'}`
}

/** An update and no upsert: a root that was removed meanwhile must not come back. */
function moveHead(columns: readonly [string, string][], marks: readonly string[]): string {
  const set = columns.map(([column], at) => `${column} = ${marks[at]}`)
  return `UPDATE roots SET ${set.join(', ')} WHERE root = ${marks[0]} AND hash = $1 AND generation = $2`
}

/** Heads first, then always in the same order, for the same reason. */
export function inOrder(changes: readonly RowsWritten[]): RowsWritten[] {
  const rank = ({ table }: RowsWritten) => (table.name === roots.name ? '' : table.name)
  return [...changes].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

function byPlace(table: Table<never>): (a: object, b: object) => number {
  return (a, b) => (table.place(a as never) < table.place(b as never) ? -1 : 1)
}
