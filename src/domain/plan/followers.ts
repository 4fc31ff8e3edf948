import type { RangeRef, Rows } from '../log/rows.ts'
import { taskFollowers } from './tables.ts'

/** What must be loaded to know which tasks wait for one. */
export function followersRef(before: number): RangeRef {
  return { table: taskFollowers, range: { column: 'before', from: before, to: before + 1 } }
}

/** The tasks that wait for one. */
export function followersOf(rows: Rows, before: number): number[] {
  const found: number[] = []
  for (let no = 1; ; no++) {
    const row = rows.get(taskFollowers, before, no)
    if (row === undefined) return found
    if (row.task !== 0) found.push(row.task)
  }
}

/** From now on one task waits for another; it takes the place of one that waits no more. */
export function follow(rows: Rows, before: number, task: number): void {
  for (let no = 1; ; no++) {
    const row = rows.get(taskFollowers, before, no)
    if (row !== undefined && row.task !== 0) continue
    rows.put(taskFollowers, { root: rows.root, before, no, task })
    return
  }
}

export function unfollow(rows: Rows, before: number, task: number): void {
  for (let no = 1; ; no++) {
    const row = rows.get(taskFollowers, before, no)
    if (row === undefined) return
    if (row.task === task) rows.put(taskFollowers, { ...row, task: 0 })
  }
}
