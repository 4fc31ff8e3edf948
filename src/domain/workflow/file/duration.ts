import { readDuration } from '../../log/duration.ts'
import type { Schema } from '../../log/input-schema.ts'
import { Refusal, refuse } from '../../log/refusal.ts'

/** Timers run for 24 days at most, and nobody waits for years; what is longer is a slip of the finger. */
const longestMs = 366 * 86_400_000

/** A length of time as people write it, in milliseconds. */
export function duration(about: string, { least = 1 }: { least?: number } = {}): Schema<number> {
  const described = `${about} As 500ms, 30s, 10m, 2h or 7d; a bare number is seconds.`
  return {
    kind: 'json',
    json: {
      type: ['string', 'number'],
      pattern: '^\\d{1,15}(\\.\\d{1,3})?(ms|s|m|h|d)?$',
      minimum: 0,
      description: described,
    },
    about: described,
    check(value, path) {
      const wrong = (what: string) => refuse('invalid_input', `${path} ${what}.`, `${path}: ${described}`, { path })
      if (typeof value !== 'string' && typeof value !== 'number') return wrong('must be a duration')
      const ms = readDuration(String(value))
      if (ms instanceof Refusal) return wrong(`must be a duration, not ${JSON.stringify(value).slice(0, 60)}`)
      if (ms < least) return wrong(ms === 0 ? 'must be longer than nothing' : `must be at least ${least} ms`)
      return ms > longestMs ? wrong('must be at most 366d') : ms
    },
  }
}
