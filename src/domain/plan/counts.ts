import type { RangeRef, Rows } from '../log/rows.ts'
import { laneOf, phaseOfLane } from './order.ts'
import { type TaskWaveRow, taskWaves } from './tables.ts'

/** Tasks, counted by what has become of them. */
export type TaskCounts = { tasks: number; open: number; claimed: number; blocked: number; done: number }

export function countsOf(waves: readonly TaskWaveRow[]): TaskCounts {
  const counts = { tasks: 0, open: 0, claimed: 0, blocked: 0, done: 0 }
  for (const { tasks, claimed, blocked, done } of waves) {
    counts.tasks += tasks
    counts.claimed += claimed
    counts.blocked += blocked
    counts.done += done
    counts.open += tasks - claimed - blocked - done
  }
  return counts
}

/** What must be loaded to count the tasks of a phase; 0 has those that belong to none. */
export function wavesOfPhase(phase: number): RangeRef {
  return { table: taskWaves, range: { column: 'lane', from: laneOf(phase, 0), to: laneOf(phase + 1, 0) } }
}

export function countsOfPhase(rows: Rows, phase: number): TaskCounts {
  return countsOf(rows.all(taskWaves).filter(({ lane }) => phaseOfLane(lane) === phase))
}

/** Why none of them can be claimed. */
export function describeOpen({ open, claimed, blocked }: TaskCounts): string {
  return `${open} wait for others, ${claimed} are claimed, ${blocked} are blocked`
}

export function isAllDone({ tasks, done }: TaskCounts): boolean {
  return tasks > 0 && tasks === done
}

/** Nothing of what is left can be worked on. */
export function isAllBlocked({ tasks, done, blocked }: TaskCounts): boolean {
  return blocked > 0 && blocked === tasks - done
}
