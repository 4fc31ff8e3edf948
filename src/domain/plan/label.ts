import { taskId } from './task.ts'

/** Enough to know it by, in one line. */
const charsMax = 200

/** How a task stands in the position of the work: its id and the beginning of its text. */
export function taskLabel(task: number, text: string): string {
  const [first = ''] = text.trim().split(/\r?\n/)
  const line = first.replaceAll('\t', ' ').trim()
  return `${taskId(task)} ${line.length > charsMax ? `${line.slice(0, charsMax).toWellFormed()}…` : line}`
}
