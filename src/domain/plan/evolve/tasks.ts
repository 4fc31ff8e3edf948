import type { Event } from '../../log/event.ts'
import type { Rows } from '../../log/rows.ts'
import type { TaskAdded, TaskReopened } from '../facts.ts'
import { follow, followersOf, unfollow } from '../followers.ts'
import { laneOf, taskRank } from '../order.ts'
import { type TaskProgressRow, taskProgress, tasks } from '../tables.ts'
import { afterOf, blockersOf } from '../task.ts'
import { countOne } from '../totals.ts'
import { putProgress } from './waves.ts'

export function addTask(rows: Rows, { at, session_no }: Event, made: TaskAdded): void {
  const { task, text, phase = 0, plan = 0, wave, after } = made
  const listed = after.length === 0 ? null : JSON.stringify(after)
  rows.put(tasks, { root: rows.root, task, text, phase, plan, wave, after: listed, added_at: at, added_by: session_no })
  countOne(rows, 'tasks')
  for (const before of after) follow(rows, before, task)
  putProgress(rows, undefined, {
    ...unclaimed,
    root: rows.root,
    task,
    status: 'open',
    rank: taskRank(laneOf(phase, plan), wave, task),
    waits: unfinished(rows, after),
    done_at: null,
    result: null,
    reason: null,
    blockers: null,
  })
}

const unclaimed = {
  claimed_by: null,
  held_by: null,
  run: null,
  claimed_at: null,
  progress_at: null,
  note: null,
} as const

function unfinished(rows: Rows, after: readonly number[]): number {
  return after.filter((before) => rows.get(taskProgress, before)?.status !== 'done').length
}

/** What it waits for is another list now. */
export function rewireTask(rows: Rows, { task, after }: { task: number; after: readonly number[] }): void {
  const row = rows.get(tasks, task)
  if (row === undefined) throw new Error(`there is no task ${task}`)
  for (const before of afterOf(row)) if (!after.includes(before)) unfollow(rows, before, task)
  for (const before of after) if (!afterOf(row).includes(before)) follow(rows, before, task)
  rows.put(tasks, { ...row, after: after.length === 0 ? null : JSON.stringify(after) })
  change(rows, task, () => ({ waits: unfinished(rows, after) }))
}

export function claimTask(
  rows: Rows,
  { at }: Event,
  { task, by, run }: { task: number; by: number; run?: string },
): void {
  change(rows, task, () => ({
    status: 'claimed',
    claimed_by: by,
    held_by: by,
    run: run ?? null,
    claimed_at: at,
    progress_at: at,
    note: null,
    reason: null,
  }))
}

export function progressTask(rows: Rows, { at }: Event, { task, note }: { task: number; note?: string }): void {
  change(rows, task, (row) => ({ progress_at: at, note: note ?? row.note }))
}

/** Those who waited for it wait for one task less. */
export function finishTask(rows: Rows, event: Event, { task, result }: { task: number; result?: string }): void {
  change(rows, task, (row) => ({
    status: 'done',
    claimed_by: row.claimed_by ?? event.session_no,
    held_by: null,
    done_at: event.at,
    result: result ?? null,
    reason: null,
    blockers: null,
  }))
  for (const follower of followersOf(rows, task)) change(rows, follower, ({ waits }) => ({ waits: waits - 1 }))
}

interface Blocked {
  readonly task: number
  readonly reason?: string
  readonly blocker?: number
}

/** Whoever worked on it does no more. */
export function blockTask(rows: Rows, { task, reason, blocker = 0 }: Blocked): void {
  change(rows, task, (row) => {
    const blockers = [...blockersOf(row).filter((each) => each !== blocker), blocker]
    return { ...unclaimed, status: 'blocked', reason: reason ?? row.reason, blockers: JSON.stringify(blockers) }
  })
}

export function reopenTask(rows: Rows, { task, why, reason, blocker }: TaskReopened): void {
  const before = rows.get(taskProgress, task)
  change(rows, task, (row) => {
    const left = why === 'unblocked' && blocker !== undefined ? blockersOf(row).filter((each) => each !== blocker) : []
    if (left.length > 0) return { blockers: JSON.stringify(left) }
    return { ...unclaimed, status: 'open', done_at: null, result: null, reason: reason ?? null, blockers: null }
  })
  if (before?.status !== 'done') return
  for (const follower of followersOf(rows, task)) change(rows, follower, ({ waits }) => ({ waits: waits + 1 }))
}

function change(rows: Rows, task: number, changed: (row: TaskProgressRow) => Partial<TaskProgressRow>): void {
  const row = rows.get(taskProgress, task)
  if (row === undefined) throw new Error(`there is no task ${task}`)
  putProgress(rows, row, { ...row, ...changed(row) })
}
