import type { Limits } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** Whether there may be one more of what a limit counts. */
export function checkCount(limits: Limits, name: keyof Limits, count: number, what: string): Refusal | undefined {
  const limit = limits[name]
  if (count < limit) return undefined
  const message = `There are already ${count} ${what}; the limit ${name} is ${limit}.`
  return refuse('invalid_input', message, `Raise the setting ${name}, or start a new root.`, {
    limit: name,
    limit_value: limit,
  })
}
