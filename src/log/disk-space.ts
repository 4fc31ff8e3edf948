import { type Refusal, refuse } from '../domain/log/refusal.ts'
import { type AnyTable, type RootRow, rowOverhead } from '../domain/log/tables.ts'
import type { Changes } from '../store/engine.ts'

/** What a row counts against the disk space of its root. The store says the same of rows that it has (`bytesText`). */
export function diskBytesOf({ counted }: AnyTable, row: object): number {
  if (counted === undefined) return 0
  let bytes = rowOverhead
  for (const column of counted as readonly string[]) {
    const value = (row as Record<string, unknown>)[column]
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (typeof value === 'number') bytes += value
  }
  return bytes
}

/** The same of all rows of a root that are about to be written. */
export function diskBytesIn(changes: readonly Changes[], root: number): number {
  let bytes = 0
  for (const change of changes) {
    if (!('table' in change) || change.table.counted === undefined) continue
    for (const row of change.rows as readonly { root: number }[])
      if (row.root === root) bytes += diskBytesOf(change.table, row)
  }
  return bytes
}

/** So much of the space is left for what makes room: nobody would get out of a root that cannot even be ended. */
function reserveOf(limit: number): number {
  return Math.min(16 * 1024 * 1024, Math.floor(limit / 16))
}

/** Whether a root has room for so many bytes more. */
export function checkRoom(
  head: RootRow | undefined,
  added: number,
  limit: number,
  on?: 'frees' | 'due',
): Refusal | undefined {
  const used = head?.bytes ?? 0
  const most = on === 'frees' ? limit : limit - reserveOf(limit)
  if (added <= 0 || used + added <= most || on === 'due') return undefined
  return rootFull(used, added, limit)
}

function rootFull(used: number, added: number, limit: number): Refusal {
  const message = `The root is full: it uses ${used} of ${limit} bytes on disk (limit rootDiskBytes), and this adds ${added}.`
  const hint =
    'Remove old history with `store.compact` and old request ids with `store.gc`, raise the setting rootDiskBytes, or start a new root.'
  return refuse('root_full', message, hint, { limit: 'rootDiskBytes', limit_value: limit, used_bytes: used })
}
