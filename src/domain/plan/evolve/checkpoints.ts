import type { Event } from '../../log/event.ts'
import type { Rows } from '../../log/rows.ts'
import { type BuildCheckpointRow, buildCheckpoints } from '../tables.ts'
import { countOne } from '../totals.ts'

export function addCheckpoint(rows: Rows, made: { checkpoint: number; text: string }): void {
  rows.put(buildCheckpoints, { root: rows.root, ...made, started_at: null, completed_at: null })
  countOne(rows, 'checkpoints')
}

export function startCheckpoint(rows: Rows, { at }: Event, checkpoint: number): void {
  rows.put(buildCheckpoints, { ...known(rows, checkpoint), started_at: at })
}

export function completeCheckpoint(rows: Rows, { at }: Event, checkpoint: number): void {
  const row = known(rows, checkpoint)
  rows.put(buildCheckpoints, { ...row, started_at: row.started_at ?? at, completed_at: at })
}

function known(rows: Rows, checkpoint: number): BuildCheckpointRow {
  const row = rows.get(buildCheckpoints, checkpoint)
  if (row === undefined) throw new Error(`there is no build checkpoint ${checkpoint}`)
  return row
}
