import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { reason } from '../../../domain/plan/members.ts'
import { taskId } from '../../../domain/plan/task.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { blockTasks } from '../blocking.ts'
import { taskMeant, taskNamed, taskOf } from '../named.ts'
import { heldTask, isBelow, taskHeldByOther } from './holding.ts'

export const taskBlock = change({
  name: 'task.block',
  summary: 'Say that a task cannot be worked on now; whoever had claimed it gives it up.',
  command: {
    words: ['task block'],
    positional: ['task', 'reason'],
    examples: ["cairn task block task-003 'No access to the server.'"],
  },
  input: {
    task: optional({ ...taskNamed, about: 'The task; default the one this session has claimed.' }),
    reason: optional(reason),
  },
  needs: () => [rowOf(streams, planStream)],
  decide({ task: given, reason: why }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const found = given === undefined ? heldTask(on, {}) : taskOf(on.rows, taskMeant(given))
    if (found instanceof Refusal) return found
    const { task } = found.row
    const { status, claimed_by } = found.progress
    // Others have no business with what somebody works on.
    if (status === 'claimed' && on.agent !== undefined && !isBelow(on, claimed_by))
      return taskHeldByOther(on, found.progress)
    const blocked = blockTasks(on, [task], { reason: why })
    if (blocked instanceof Refusal) return blocked
    const { phases, all } = blocked
    return { id: taskId(task), status: 'blocked', reason: why ?? null, paused_phases: [...phases], all_blocked: all }
  },
})
