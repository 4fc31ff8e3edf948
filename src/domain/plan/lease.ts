/** The claim of a task is a lease with this name before its number. */
export const taskLeasePrefix = 'task/'

export function taskLease(task: number): string {
  return taskLeasePrefix + task
}
