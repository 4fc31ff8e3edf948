import { Refusal } from '../domain/log/refusal.ts'
import { checkJson } from '../json/check.ts'

/** What an operation is asked with. */
export type Input = Readonly<Record<string, unknown>>

/**
 * Refuses what would not arrive as it was given, since JSON drops it or makes something else of it without a word. All other
 * rules are the server's.
 */
export function checkWritable(input: Input): Refusal | undefined {
  for (const value of Object.values(input)) {
    const checked = value === undefined ? undefined : checkJson(value)
    if (checked instanceof Refusal && (checked.code !== 'too_deep' || isEndless(value))) return checked
  }
  return undefined
}

/** Whether it holds itself. */
function isEndless(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return false
  } catch {
    return true
  }
}
