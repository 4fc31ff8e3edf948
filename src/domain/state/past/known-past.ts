import type { Json } from '../../../json/value.ts'
import { readInstant } from '../../log/instant.ts'
import { compacted, inTheFuture, type Point, stepAbove } from '../../log/past/place.ts'
import { Refusal } from '../../log/refusal.ts'
import { type PastRef, type Ref, type RowsWithPast, rowOf } from '../../log/rows.ts'
import { aboutLog } from '../../log/sql/about-log.ts'
import { streams } from '../../log/tables.ts'
import { stateStream } from '../facts.ts'
import { chainRef } from '../key.ts'
import { aboutState, type VersionShown } from '../questions.ts'
import { stateVersions, type VersionRow } from '../tables.ts'
import { textOf, wholeChain } from './versions.ts'

/** The past as a change sees it: through rows that are loaded, where a read would ask the store. */

export function pointRefs(point: Point, rows: RowsWithPast): Ref[] {
  const stream = rowOf(streams, stateStream)
  return point.at_time === undefined ? [stream] : [stream, timeRef(point.at_time, rows)]
}

function timeRef(time: string, rows: RowsWithPast): PastRef<{ seq: number }> {
  const at = readInstant(time)
  return { past: aboutLog.place_at_time, with: [stepAbove(rows.head()?.seq ?? 0), at instanceof Refusal ? 0 : at] }
}

/** The place in the log that is meant: the last one unless a point is given. */
export function knownPlace(point: Point, rows: RowsWithPast): number | Refusal {
  const last = rows.head()?.seq ?? 0
  const { at = last, at_time: time } = point
  const place = time === undefined ? at : (rows.past(timeRef(time, rows))[0]?.seq ?? 0)
  if (place > last) return inTheFuture('log', last, place)
  const floor = rows.get(streams, stateStream)?.floor ?? 0
  return place < floor ? compacted(floor) : place
}

/** The versions of keys at one place. */
export class KnownPast {
  readonly #rows: RowsWithPast
  readonly #place: number
  /** Versions made by the group that this change belongs to: the store does not know them yet. */
  readonly #made = new Map<string, VersionRow>()

  constructor(rows: RowsWithPast, place: number) {
    this.#rows = rows
    this.#place = place
    for (const row of rows.all(stateVersions)) {
      const isNewer = row.seq > (this.#made.get(row.key)?.seq ?? 0)
      if (row.seq <= place && isNewer) this.#made.set(row.key, row)
    }
  }

  /** What must be loaded to know the value of a key. */
  refs(key: string): Ref[] {
    const ref = this.#ref(key)
    if (this.#rows.missing([ref]).length > 0) return [ref]
    const version = this.version(key)
    const from = version === undefined || version.prior === 0 ? 0 : wholeChain(this.#rows, key, version.seq).missing
    return from === 0 ? [ref] : [ref, chainRef(key, from)]
  }

  /** Undefined where the key did not exist. */
  version(key: string): VersionRow | undefined {
    const [stored] = this.#rows.past(this.#ref(key))
    const made = this.#made.get(key)
    const newest = made !== undefined && made.seq > (stored?.seq ?? 0) ? made : stored
    return newest?.kind === 'gone' ? undefined : newest
  }

  value(key: string): Json | undefined {
    const version = this.version(key)
    if (version === undefined) return undefined
    const text = version.prior === 0 ? version.body : textOf(wholeChain(this.#rows, key, version.seq).rows)
    return JSON.parse(text ?? 'null') as Json
  }

  #ref(key: string): PastRef<VersionShown> {
    return { past: aboutState.key_at, with: [key, this.#place] }
  }
}
