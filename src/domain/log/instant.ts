import { type Refusal, refuse } from './refusal.ts'

const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** The platform takes the 30th of February for the 1st or 2nd of March. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10)
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Milliseconds since 1970 of a time as ISO 8601. Without a zone it would mean another time on another machine. */
export function readInstant(text: string): number | Refusal {
  const ms = form.test(text) && isInCalendar(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  const message = `${JSON.stringify(text.slice(0, 50))} is not a valid time.`
  return refuse('invalid_input', message, 'Write it with its zone: 2026-11-15T09:30:00Z or 2026-11-15T10:30:00+01:00.')
}
