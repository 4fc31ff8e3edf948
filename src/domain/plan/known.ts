import type { RangeRef, RowsWithPast } from '../log/rows.ts'
import { rowOf } from '../log/rows.ts'
import { followersOf, followersRef } from './followers.ts'
import { placeOfRank } from './order.ts'
import { type TaskProgressRow, type TaskRow, taskProgress, tasks, taskWaves } from './tables.ts'

/** A task with how far it is. */
export interface Task {
  readonly row: TaskRow
  readonly progress: TaskProgressRow
}

export function wavesOfLane(lane: number): RangeRef {
  return { table: taskWaves, range: { column: 'lane', from: lane, to: lane + 1 } }
}

/** A task, and all that a change of it looks at. */
export function knownTask(rows: RowsWithPast, task: number): Task | undefined {
  rows.mustKnow([rowOf(tasks, task), rowOf(taskProgress, task)])
  const row = rows.get(tasks, task)
  const progress = rows.get(taskProgress, task)
  if (row === undefined || progress === undefined) return undefined
  rows.mustKnow([wavesOfLane(placeOfRank(progress.rank).lane)])
  return { row, progress }
}

/** All that is looked at when a task becomes done, or is done no more. */
export function knowFollowers(rows: RowsWithPast, task: number): void {
  rows.mustKnow([followersRef(task)])
  const followers = followersOf(rows, task)
  rows.mustKnow(followers.map((follower) => rowOf(taskProgress, follower)))
  const lanes = new Set(followers.map((follower) => placeOfRank(rows.get(taskProgress, follower)?.rank ?? 0).lane))
  rows.mustKnow([...lanes].map(wavesOfLane))
}
