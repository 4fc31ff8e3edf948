import type { Schema } from '../domain/log/input-schema.ts'
import { readInstant } from '../domain/log/instant.ts'
import type { Point } from '../domain/log/past/place.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'

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
