import { optional, type Schema } from '../domain/log/input-schema.ts'
import { readInstant } from '../domain/log/instant.ts'
import { type Point, placeAtTime } from '../domain/log/past/place.ts'
import { type Asking, askRow } from '../domain/log/questions.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'
import { roots } from '../domain/log/tables.ts'

/** A place in the log, a time, or now: as a number, or as the text of it on a command line. */
export type Meant = number | string

const wanted = 'a sequence number, a time with its zone, or now'

/** One member that names a point, where several points are named and a flag for each kind would be too many. */
export function point(about: string): Schema<Meant> {
  const json = {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', maxLength: 64 },
    ],
    description: about,
  }
  return { kind: 'text', json, about, isTime: true, check: checkMeant }
}

function checkMeant(value: unknown, path: string): Meant | Refusal {
  const place = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(place) && (place as number) >= 0) return place as number
  if (typeof value === 'string' && (value === 'now' || !(readInstant(value) instanceof Refusal))) return value
  return refuse('invalid_input', `${path} must be ${wanted}.`, 'Write it as in 42, 2026-11-15T09:30:00Z or now.', {
    path,
  })
}

export function pointMeant(meant: Meant): Point {
  if (meant === 'now') return {}
  return typeof meant === 'number' ? { at: meant } : { at_time: meant }
}

/** The point after which something is told; every `since` that is about the log is one. */
export function since(about: string) {
  return optional(point(`${about} A sequence number, or a time.`))
}

/** The place in the log that was meant by a `since`: after a time, the last event that is not later than it. */
export function* sincePlace(root: number, meant: Meant): Asking<number> {
  if (typeof meant === 'number') return meant
  if (meant === 'now') return (yield* askRow(roots, root))?.seq ?? 0
  const place = yield* placeAtTime(root, meant)
  // The schema has read the time before.
  if (place instanceof Refusal) throw new Error(place.message)
  return place
}
