import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { allOf, type RowsWithPast, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { findCycle } from '../../../domain/plan/cycle.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { followersRef } from '../../../domain/plan/followers.ts'
import { describeTask } from '../../../domain/plan/shown.ts'
import { type TaskRow, tasks } from '../../../domain/plan/tables.ts'
import { afterOf, taskId } from '../../../domain/plan/task.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { taskMeant, taskNamed, taskOf } from '../named.ts'
import { knownBefore, tasksBefore } from './add.ts'

export function cycleIn(names: readonly string[]): Refusal {
  const cycle = names.join(' → ')
  const hint = 'Leave out one of these dependencies.'
  return refuse('cycle', `These tasks would wait for each other: ${cycle}.`, hint, { cycle: [...names] })
}

function checkCycle(rows: RowsWithPast, task: number, after: readonly number[]): Refusal | undefined {
  if (after.length === 0) return undefined
  rows.mustKnow([allOf(tasks)])
  const before = (no: number) => (no === task ? after : afterOf(rows.get(tasks, no) as TaskRow))
  const cycle = findCycle(task, before)
  return cycle && cycleIn(cycle.map(taskId))
}

export const taskAfter = change({
  name: 'task.after',
  summary: 'Set which tasks must be done before one; without any it waits for none.',
  command: {
    words: ['task after'],
    positional: ['task'],
    examples: ['cairn task after task-003 --after task-001 --after task-002'],
  },
  input: { task: taskNamed, after: optional(tasksBefore) },
  needs: () => [rowOf(streams, planStream)],
  decide({ task: named, after: given = [] }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const task = taskMeant(named)
    const found = taskOf(on.rows, task)
    if (found instanceof Refusal) return found
    const after = knownBefore(on, given)
    if (after instanceof Refusal) return after
    const cycle = checkCycle(on.rows, task, after)
    if (cycle) return cycle
    on.rows.mustKnow(afterOf(found.row).map(followersRef))
    on.record({ type: 'task_rewired', stream: planStream, data: { task, after } })
    return describeTask(on.rows.get(tasks, task) as TaskRow)
  },
})
