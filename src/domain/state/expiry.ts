import type { Deciding } from '../log/deciding.ts'
import { isoTime } from '../log/identity.ts'
import type { RangeRef, Ref, Rows } from '../log/rows.ts'
import { stateStream } from './facts.ts'
import { liveKey } from './key.ts'
import { type KeyRow, stateKeys, stateLapses } from './tables.ts'
import { isConvergent } from './traits.ts'

/**
 * What makes a key go by itself: the end of the session that set it, or a time. The time is that of the clocks of whoever writes
 * and reads: one that is ahead finds a key gone early, one that is behind finds it late, and once the lapse is in the log it is
 * gone for all.
 */
export interface Lapse {
  /** The number of the session it goes with. */
  readonly owner?: number
  /** Milliseconds since 1970. */
  readonly expires_at?: number
}

/** How an event says it: whoever reads one is not to guess what the numbers mean. */
export interface LapseSaid {
  readonly owner?: number
  /** ISO 8601. */
  readonly expires_at?: string
}

export function saidLapse({ owner, expires_at: at }: Lapse): LapseSaid {
  return { ...(owner === undefined ? {} : { owner }), ...(at === undefined ? {} : { expires_at: isoTime(at) }) }
}

export function lapseSaid({ owner, expires_at: at }: LapseSaid): Lapse {
  return { ...(owner === undefined ? {} : { owner }), ...(at === undefined ? {} : { expires_at: Date.parse(at) }) }
}

/** How a lapse stands among the traits of a key; null for a key that stays. */
export function lapseTraits({ owner, expires_at }: Lapse): string | null {
  if (owner === undefined && expires_at === undefined) return null
  return JSON.stringify({ owner, expires_at })
}

export function lapseOf(traits: string | null): Lapse {
  return traits === null || isConvergent(traits) ? {} : (JSON.parse(traits) as Lapse)
}

/** What is shown of a key that goes by itself: when, and whether it goes with the session that set it. */
export type LapseShown = { expires_at?: string; ephemeral?: true }

export function shownLapse(traits: string | null): LapseShown {
  const { owner, expires_at: at } = lapseOf(traits)
  return {
    ...(at === undefined ? {} : { expires_at: isoTime(at) }),
    ...(owner === undefined ? {} : { ephemeral: true }),
  }
}

/** Such a key reads as gone everywhere, also before the log says so. */
export function hasExpired({ traits }: Pick<KeyRow, 'traits'>, now: number): boolean {
  return (lapseOf(traits).expires_at ?? Number.POSITIVE_INFINITY) <= now
}

/** Keeps the view that finds lapsing keys without a look at all of them. A key that stays has no row, or an empty one. */
export function keepLapse(rows: Rows, key: string, before: string | null, after: string | null): void {
  const now = lapseOf(after)
  const isLapsing = lapseTraits(now) !== null
  if (!isLapsing && lapseTraits(lapseOf(before)) === null) return
  rows.put(stateLapses, { root: rows.root, key, owner: now.owner ?? null, expires_at: now.expires_at ?? null })
}

/** Keys of a session that go when it ends. */
export function ownedBy(no: number): RangeRef {
  return { table: stateLapses, range: { column: 'owner', from: no, to: no + 1 } }
}

/** How many keys that have expired are recorded at once. */
const dueMax = 500

/** Keys whose time is over at this moment, the first to go first; not more than a batch of them. */
export function dueBy(at: number): RangeRef {
  return { table: stateLapses, range: { column: 'expires_at', from: 0, to: at + 1, most: dueMax } }
}

/** Whatever is decided on keys finds those that have expired gone: the log says so first. `refs` name the keys. */
export function recordExpired(on: Deciding, refs: readonly Ref[]): boolean {
  const due: KeyRow[] = []
  for (const ref of refs) {
    if (!('table' in ref) || 'first' in ref || ref.table !== stateKeys) continue
    if ('key' in ref) {
      const row = on.rows.get(stateKeys, ...ref.key)
      if (row !== undefined && isDue(row, on.at)) due.push(row)
    } else {
      const { from = '', to } = ref.range
      const isMeant = ({ key }: KeyRow) => key >= from && (to === undefined || key < to)
      due.push(...on.rows.all(stateKeys).filter((row) => isDue(row, on.at) && isMeant(row)))
    }
  }
  // Rows stand in the order in which they were met: the log should not depend on what was remembered.
  for (const { key, traits } of new Set(due.sort((a, b) => (a.key < b.key ? -1 : 1)))) {
    const { expires_at = 0 } = lapseOf(traits)
    on.record({
      type: 'lapsed',
      stream: stateStream,
      key,
      data: { reason: 'expired', expires_at: isoTime(expires_at) },
    })
  }
  return due.length > 0
}

function isDue(row: KeyRow, at: number): boolean {
  return row.traits !== null && hasExpired(row, at)
}

/** The keys that go when a session ends, of those that are loaded, in an order that does not depend on the loading. */
export function keysOwnedBy(rows: Rows, no: number): string[] {
  return namesOf(rows, ({ owner }) => owner === no)
}

/** The keys that go with any session, of those that are loaded. */
export function keysOwned(rows: Rows): string[] {
  return namesOf(rows, ({ owner }) => owner !== null)
}

/** The keys whose time is over, of those that are loaded. */
export function keysDueBy(rows: Rows, at: number): string[] {
  return namesOf(rows, ({ expires_at }) => expires_at !== null && expires_at <= at)
}

function namesOf(
  rows: Rows,
  isWanted: (row: { owner: number | null; expires_at: number | null }) => boolean,
): string[] {
  const found = rows.all(stateLapses).filter(isWanted)
  return found.map(({ key }) => key).sort()
}

/** Ends the keys of a session that ends. */
export function recordOrphaned(on: Deciding, no: number): void {
  for (const key of keysOwnedBy(on.rows, no)) {
    if (liveKey(on.rows, key) === undefined) continue
    on.record({ type: 'lapsed', stream: stateStream, key, data: { reason: 'session_ended' } })
  }
}
