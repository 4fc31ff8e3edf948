import { withUnit } from '../../../domain/log/duration.ts'
import type { Asking } from '../../../domain/log/questions.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { rowsThen } from '../../../domain/log/row-past.ts'
import { countsOf, describeOpen, isAllDone, type TaskCounts } from '../../../domain/plan/counts.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { taskWaves } from '../../../domain/plan/tables.ts'
import { taskId } from '../../../domain/plan/task.ts'
import { type Aim, type Seen, wait } from '../../operation.ts'
import { readTimeout, timeout, waitUsual } from '../../timeout.ts'
import { readyNow } from './list.ts'

interface Ready {
  readonly task: number | undefined
  readonly counts: TaskCounts
}

function* look(root: number): Asking<Seen<Ready>> {
  const [first] = yield* readyNow(root, 1)
  return { found: { task: first?.row.task, counts: countsOf(yield* rowsThen(taskWaves, root, undefined)) } }
}

function answer({ task, counts }: Ready): ({ id: string | null } & TaskCounts) | undefined {
  if (task !== undefined) return { id: taskId(task), ...counts }
  return isAllDone(counts) ? { id: null, ...counts } : undefined
}

function late(timeout: string, { counts }: Ready): Refusal {
  const message = `Timed out after ${withUnit(timeout)}, no task is ready: ${describeOpen(counts)}.`
  return refuse('timeout', message, 'Wait again, or see who works on what with `task.list`.', counts)
}

export const taskWait = wait({
  name: 'task.wait',
  summary: 'Wait until a task is ready to be claimed, or until all tasks are done.',
  command: { words: ['task wait'], topic: 'Plan', examples: ['cairn task wait --timeout 10m'] },
  input: { timeout },
  aim({ timeout = waitUsual }) {
    const ms = readTimeout(timeout)
    if (ms instanceof Refusal) return ms
    const aim: Aim<NonNullable<ReturnType<typeof answer>>, Ready> = {
      watched: { stream: planStream },
      sight: 'task ready',
      ms,
      look: ({ root }) => look(root),
      answer: ({ found }) => answer(found),
      late: ({ found }) => late(timeout, found),
    }
    return aim
  },
})
