import { isoTime } from '../../log/identity.ts'

/** A moment of a hybrid logical clock: wall time, a count within the millisecond, and the actor that decides ties. */
export type Moment = readonly [ms: number, count: number, actor: string]

/** How an event says it: whoever reads one is shown a time, not milliseconds. */
export type SaidMoment = readonly [time: string, count: number, actor: string]

export function saidMoment([ms, count, actor]: Moment): SaidMoment {
  return [isoTime(ms), count, actor]
}

export function momentSaid([time, count, actor]: SaidMoment): Moment {
  return [Date.parse(time), count, actor]
}

/** The next moment after one that was seen. It never goes back, whatever the wall clock does. */
export function momentAfter(seen: Moment | undefined, wall: number, actor: string): Moment {
  if (seen === undefined || wall > seen[0]) return [wall, 0, actor]
  return [seen[0], seen[1] + 1, actor]
}

export function isLater(a: Moment, b: Moment): boolean {
  if (a[0] !== b[0]) return a[0] > b[0]
  if (a[1] !== b[1]) return a[1] > b[1]
  return a[2] > b[2]
}
