// Whatever becomes of the tasks of a plan, what is kept of it says the same as a look through all of them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Draft } from '../../src/domain/log/event.ts'
import { laneOf, placeOfRank } from '../../src/domain/plan/order.ts'
import { taskProgress, tasks, taskWaves } from '../../src/domain/plan/tables.ts'
import { afterOf } from '../../src/domain/plan/task.ts'
import { seedOf } from '../setup/seed.ts'
import { ReplayedRoot } from './replayed.ts'

const count = 8
const task = fc.integer({ min: 1, max: count })
const blocker = fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined })

const fact = fc.oneof(
  { weight: 4, arbitrary: task.map((no) => ({ type: 'task_claimed', data: { task: no, by: 0 } })) },
  { weight: 4, arbitrary: task.map((no) => ({ type: 'task_done', data: { task: no } })) },
  fc
    .record({ no: task, blocker })
    .map(({ no, blocker }) => ({ type: 'task_blocked', data: { task: no, ...of(blocker) } })),
  fc
    .record({ no: task, blocker })
    .map(({ no, blocker }) => ({ type: 'task_reopened', data: { task: no, why: 'unblocked', ...of(blocker) } })),
  task.map((no) => ({ type: 'task_reopened', data: { task: no, why: 'reset' } })),
  fc
    .record({ no: task, after: fc.uniqueArray(task, { maxLength: 3 }) })
    .map(({ no, after }) => ({ type: 'task_rewired', data: { task: no, after } })),
)

function of(blocker: number | undefined) {
  return blocker === undefined ? {} : { blocker }
}

const added = fc.array(
  fc.record({
    phase: fc.constantFrom(1, 3),
    wave: fc.integer({ min: 1, max: 3 }),
    before: fc.uniqueArray(task, { maxLength: 3 }),
  }),
  { minLength: count, maxLength: count },
)

function planned(list: { phase: number; wave: number; before: number[] }[]): ReplayedRoot {
  const root = new ReplayedRoot()
  list.forEach(({ phase, wave, before }, at) => {
    const data = { task: at + 1, text: `task ${at + 1}`, phase, wave, after: before.filter((no) => no <= at) }
    root.must({ type: 'task_added', stream: 'plan', data })
  })
  return root
}

/** What can be begun, by a look through everything. */
function readyByHand({ rows }: ReplayedRoot): number[] {
  const all = rows.all(tasks)
  const status = (no: number) => rows.get(taskProgress, no)?.status
  const isReady = (row: (typeof all)[number]) =>
    status(row.task) === 'open' &&
    afterOf(row).every((before) => status(before) === 'done') &&
    all.every(
      (other) =>
        other.phase !== row.phase || other.plan !== row.plan || other.wave >= row.wave || status(other.task) === 'done',
    )
  return all.filter(isReady).map((row) => row.task)
}

function readyAsKept({ rows }: ReplayedRoot): number[] {
  const waves = new Set(
    rows.all(taskWaves).flatMap(({ lane, wave, queue }) => (queue === null ? [] : [`${lane}/${wave}`])),
  )
  const isIn = (rank: number) => waves.has(`${placeOfRank(rank).lane}/${placeOfRank(rank).wave}`)
  return rows.all(taskProgress).flatMap(({ task, queue }) => (queue !== null && isIn(queue) ? [task] : []))
}

function counted({ rows }: ReplayedRoot, lane: number, wave: number) {
  const inIt = rows.all(tasks).filter((row) => laneOf(row.phase, row.plan) === lane && row.wave === wave)
  const statuses = inIt.map(({ task }) => rows.get(taskProgress, task)?.status)
  const of = (status: string) => statuses.filter((each) => each === status).length
  return { tasks: inIt.length, claimed: of('claimed'), blocked: of('blocked'), done: of('done') }
}

/** What blocks each task, as the facts say one after the other. */
function blockByHand(
  blocked: Map<number, Set<number>>,
  { type, data }: { type: string; data: Record<string, unknown> },
): void {
  const { task: no, blocker = 0, why } = data as { task: number; blocker?: number; why?: string }
  const set = blocked.get(no) ?? new Set()
  blocked.set(no, set)
  if (type === 'task_blocked') set.add(blocker)
  else if (type === 'task_done' || why === 'reset' || (why === 'unblocked' && data.blocker === undefined)) set.clear()
  else if (why === 'unblocked') set.delete(blocker)
}

it('S2-25 S2-53 C32 what is ready and how far a plan is are what a count by hand says, whatever happens to its tasks', () => {
  let taken = 0
  fc.assert(
    fc.property(added, fc.array(fact, { minLength: 20, maxLength: 60, size: 'max' }), (list, facts) => {
      const root = planned(list)
      const blocked = new Map<number, Set<number>>()
      for (const each of facts) {
        if (root.take({ stream: 'plan', ...each } as Draft) === undefined) {
          taken += 1
          blockByHand(blocked, each)
        }
        expect(readyAsKept(root)).toEqual(readyByHand(root))
        for (const { task: no, status } of root.rows.all(taskProgress))
          expect(status === 'blocked').toBe((blocked.get(no)?.size ?? 0) > 0)
      }
      for (const { lane, wave, ...kept } of root.rows.all(taskWaves))
        expect(kept).toMatchObject(counted(root, lane, wave))
    }),
    { numRuns: 150, seed: seedOf(20_261_118) },
  )
  expect(taken).toBeGreaterThan(300)
})
