import { readDuration } from '../../domain/log/duration.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { Refusal } from '../../domain/log/refusal.ts'

const ago = /^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/
const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const dayMs = 24 * 3_600_000

/**
 * A time as people write it, as ISO 8601: `10m` is ten minutes ago, `11:30` the last time that clocks showed it here. Anything else
 * stays as it is.
 */
export function readTime(text: string, now: number): string {
  const duration = ago.test(text) ? readDuration(text) : undefined
  if (duration !== undefined && !(duration instanceof Refusal)) return isoTime(Math.max(0, now - duration))
  const [, hours, minutes, seconds = '0'] = timeOfDay.exec(text) ?? []
  if (hours === undefined) return text
  const today = new Date(now).setHours(Number(hours), Number(minutes), Number(seconds), 0)
  return isoTime(today > now ? today - dayMs : today)
}
