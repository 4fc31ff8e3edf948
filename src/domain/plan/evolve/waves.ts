import type { Rows } from '../../log/rows.ts'
import { placeOfRank, waveRank, wavesMax } from '../order.ts'
import { type TaskProgressRow, type TaskWaveRow, taskProgress, taskWaves } from '../tables.ts'

/** Puts how far a task is, with what follows for its wave and for those after it. */
export function putProgress(
  rows: Rows,
  before: TaskProgressRow | undefined,
  now: Omit<TaskProgressRow, 'queue'>,
): void {
  const isFree = now.status === 'open' && now.waits === 0
  const row = { ...now, queue: isFree ? now.rank : null }
  rows.put(taskProgress, row)
  countIn(rows, before, row)
}

function countIn(rows: Rows, before: TaskProgressRow | undefined, now: TaskProgressRow): void {
  const { lane, wave } = placeOfRank(now.rank)
  const counted = rows.get(taskWaves, lane, wave) ?? emptyWave(rows.root, lane, wave)
  const more = (is: (row: TaskProgressRow) => boolean) => Number(is(now)) - Number(before !== undefined && is(before))
  const row: TaskWaveRow = {
    ...counted,
    tasks: counted.tasks + (before === undefined ? 1 : 0),
    claimed: counted.claimed + more(({ status }) => status === 'claimed'),
    blocked: counted.blocked + more(({ status }) => status === 'blocked'),
    done: counted.done + more(({ status }) => status === 'done'),
    free: counted.free + more(({ queue }) => queue !== null),
  }
  if (sameCounts(counted, row)) return
  putWave(rows, row)
  if (isOver(counted) !== isOver(row)) chooseWave(rows, lane)
}

function sameCounts(a: TaskWaveRow, b: TaskWaveRow): boolean {
  return (['tasks', 'claimed', 'blocked', 'done', 'free'] as const).every((count) => a[count] === b[count])
}

/** A wave without tasks is over: it keeps nobody waiting. */
function isOver({ tasks, done }: TaskWaveRow): boolean {
  return tasks === done
}

/** Work is handed out from the lowest wave that is not over. */
function chooseWave(rows: Rows, lane: number): void {
  let found = false
  for (let wave = 1; wave <= wavesMax; wave++) {
    const row = rows.get(taskWaves, lane, wave)
    if (row === undefined) continue
    const active = !found && !isOver(row) ? 1 : 0
    if (active === 1) found = true
    if (row.active !== active) putWave(rows, { ...row, active })
  }
}

function putWave(rows: Rows, row: TaskWaveRow): void {
  const queue = row.active === 1 && row.free > 0 ? waveRank(row.lane, row.wave) : null
  rows.put(taskWaves, { ...row, queue })
}

function emptyWave(root: number, lane: number, wave: number): TaskWaveRow {
  return { root, lane, wave, tasks: 0, claimed: 0, blocked: 0, done: 0, free: 0, active: 0, queue: null }
}
