import type { TaskProgressRow, TaskRow } from './tables.ts'

/** How tasks are named: `task-001`. They count within their root. */
export function taskId(task: number): string {
  return `task-${String(task).padStart(3, '0')}`
}

/** The number of a task that is given as its id, or as its number alone; undefined for what is neither. */
export function taskNumber(given: string): number | undefined {
  const [, digits] = /^(?:task-)?(\d{1,15})$/i.exec(given) ?? []
  const number = Number(digits)
  return number > 0 ? number : undefined
}

/** The tasks that must be done before it. */
export function afterOf({ after }: Pick<TaskRow, 'after'>): number[] {
  return after === null ? [] : (JSON.parse(after) as number[])
}

/** What blocks it: numbers of blockers, 0 for a reason of its own. */
export function blockersOf({ blockers }: TaskProgressRow): number[] {
  return blockers === null ? [] : (JSON.parse(blockers) as number[])
}
