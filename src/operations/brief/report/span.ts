import type { Asked } from '../gather.ts'

/** How much is read and listed, of whatever there is; the rest is counted. */
export const most = {
  running: 20,
  parked: 20,
  died: 20,
  needs: 20,
  servers: 10,
  runs: 500,
}

/** The stretch of a log that a report tells. */
export interface Span extends Asked {
  /** Its first place, and the time that was asked for. */
  readonly since: number
  readonly sinceAt: number
  /** The moment that it is about. */
  readonly until: number
}
