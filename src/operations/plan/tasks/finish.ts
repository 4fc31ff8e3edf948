import { extend, giveUp } from '../../../domain/leases/lease.ts'
import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { prose } from '../../../domain/log/text/entries.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { knowFollowers } from '../../../domain/plan/known.ts'
import { taskLease } from '../../../domain/plan/lease.ts'
import { describeTask } from '../../../domain/plan/shown.ts'
import { taskId } from '../../../domain/plan/task.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { taskNamed, taskToken } from '../named.ts'
import { moveToNext } from '../position.ts'
import { settlePhases } from '../settled-phases.ts'
import { heldTask } from './holding.ts'

const input = {
  task: optional({ ...taskNamed, about: 'The task; default the one this session has claimed.' }),
  token: taskToken,
}

export const taskDone = change({
  name: 'task.done',
  summary: 'Say that a claimed task is done; those who waited for it may begin.',
  command: {
    words: ['task done'],
    positional: ['task'],
    topic: 'Plan',
    examples: ["cairn task done task-003 --result 'src/parser.ts'"],
  },
  reach: 'subtree',
  input: { ...input, result: optional(prose('What came of it.')) },
  needs: () => [rowOf(streams, planStream)],
  decide({ result, ...asked }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const held = heldTask(on, asked)
    if (held instanceof Refusal) return held
    const { task, phase } = held.row
    knowFollowers(on.rows, task)
    on.record({ type: 'task_done', stream: planStream, data: { task, ...(result !== undefined && { result }) } })
    giveUp(on, taskLease(task))
    settlePhases(on, [phase])
    const next = moveToNext(on)
    return { id: taskId(task), status: 'done', next: next === undefined ? null : describeTask(next) }
  },
})

export const taskProgressed = change({
  name: 'task.progress',
  summary: 'Say that a claimed task goes on: its claim holds for another while.',
  command: {
    words: ['task progress'],
    positional: ['task', 'note'],
    examples: ["cairn task progress task-003 'Half of the tests pass.'"],
  },
  reach: 'subtree',
  input: { ...input, note: optional(prose('How it goes.')) },
  needs: () => [rowOf(streams, planStream)],
  decide({ note, ...asked }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const held = heldTask(on, asked)
    if (held instanceof Refusal) return held
    const { task } = held.row
    on.record({ type: 'task_progressed', stream: planStream, data: { task, ...(note !== undefined && { note }) } })
    const expires_at = extend(on, taskLease(task))
    return { id: taskId(task), status: 'claimed', note: note ?? held.progress.note, expires_at }
  },
})
