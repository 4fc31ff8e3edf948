import { chainHash, digestOf } from '../event.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { EventRow } from '../tables.ts'

/** The last event a reader has seen; where it only remembers the number, it cannot tell another history of the same length. */
export interface Seen {
  readonly seq: number
  readonly hash?: string
}

/** Whether this event comes right after what was seen. It does not in a store that was put back to an earlier moment since. */
export function follows(row: EventRow, seen: Seen): boolean {
  if (row.seq !== seen.seq + 1) return false
  const digest = row.data === null ? row.digest : digestOf(row.data)
  return seen.hash === undefined || (digest !== null && chainHash(seen.hash, row, digest) === row.hash)
}

/** Somebody has seen more than there is: the store was restored from a backup or replaced. */
export function historyLost(what: 'log' | 'state', last: number, since: number): Refusal {
  const message =
    since > last
      ? `The ${what} ends at ${last}, but you have read up to ${since}.`
      : `The ${what} differs from the one you have read up to ${since}.`
  const hint =
    'The store was restored to an earlier point. Read the current state from the start, then continue from there.'
  return refuse('history_lost', message, hint, { last_seq: last, since })
}
