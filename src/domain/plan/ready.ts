import type { RowsWithPast } from '../log/rows.ts'
import { ranksOfWave } from './order.ts'
import { taskProgress, taskWaves } from './tables.ts'

/** The task that comes next: the first that is ready in the order of work. */
export function firstReady(rows: RowsWithPast): number | undefined {
  const wave = rows.first({ table: taskWaves, first: { column: 'queue', from: 0 } })
  if (wave === undefined || wave.queue === null) return undefined
  const task = rows.first({ table: taskProgress, first: { column: 'queue', ...ranksOfWave(wave.queue) } })
  if (task === undefined) throw new Error(`wave ${wave.wave} of ${wave.lane} has no task that is ready`)
  return task.task
}

/** The task that a session has claimed; of several the first. */
export function firstHeld(rows: RowsWithPast, no: number): number | undefined {
  return rows.first({ table: taskProgress, first: { column: 'held_by', from: no, to: no + 1 } })?.task
}
