import { readDuration } from '../domain/log/duration.ts'
import { optional, text } from '../domain/log/input-schema.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'

/** Longer than this nobody is there any more who wants the answer; whoever is waits again. */
const waitMsMax = 3_600_000
export const waitUsual = '30s'

export const timeout = optional(text(`Maximum time to wait, up to 1h; default ${waitUsual}.`, { max: 32 }))

export function readTimeout(asked: string): number | Refusal {
  const ms = readDuration(asked)
  if (ms instanceof Refusal || ms <= waitMsMax) return ms
  const message = `A wait can last at most 1h, not ${asked}.`
  return refuse('invalid_input', message, 'Wait for up to 1h, then wait again if needed.', { path: 'timeout' })
}
