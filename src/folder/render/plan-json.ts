import { afterOf, taskId } from '../../domain/plan/task.ts'
import type { RowsToRender } from './rows.ts'

export const planSchema = 'Session plan v1'

/** What stands in `plan.json`: what is planned, and how far it is; agents may edit it. */
export function planJson({ phases, plans, tasks, checkpoints }: RowsToRender) {
  const nameOf = new Map(phases.map(({ phase, name }) => [phase, name]))
  return {
    $schema: planSchema,
    phases: phases.map(({ phase, name, state }) => ({
      name,
      state,
      plans: plans.filter((row) => row.phase === phase).map(({ name }) => name),
    })),
    checkpoints: [...checkpoints]
      .sort((a, b) => a.checkpoint - b.checkpoint)
      .map(({ checkpoint, text, started_at, completed_at }) => ({
        id: checkpoint,
        text,
        status: completed_at !== null ? 'completed' : started_at !== null ? 'started' : 'open',
      })),
    tasks: tasks.map(({ row, progress }) => ({
      id: taskId(row.task),
      text: row.text,
      phase: row.phase === 0 ? null : (nameOf.get(row.phase) ?? null),
      plan: row.plan === 0 ? null : row.plan,
      wave: row.wave,
      after: afterOf(row).map(taskId),
      status: progress.status,
    })),
  }
}
