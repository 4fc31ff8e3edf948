import { type Json, sameJson } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import { isoTime } from '../../log/identity.ts'
import { readInstant } from '../../log/instant.ts'
import type { Point } from '../../log/past/place.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { allOf, type Ref, type RowsWithPast, rowOf } from '../../log/rows.ts'
import { sessions } from '../../sessions/tables.ts'
import { lapseOf, lapseTraits } from '../expiry.ts'
import { keyRefs, presentValue } from '../key.ts'
import { keyNotFound } from '../mutation.ts'
import { remove } from '../mutations/remove.ts'
import { set } from '../mutations/set.ts'
import { type KeyRow, stateKeys } from '../tables.ts'
import { isConvergent } from '../traits.ts'
import { KnownPast, knownPlace, pointRefs } from './known-past.ts'

export interface Restoration {
  readonly point: Point
  /** All keys unless given. */
  readonly keys: readonly string[] | undefined
}

export interface Restored {
  readonly place: number
  readonly changed: { key: string; version: number; deleted?: true }[]
}

/** The place is found first, then the keys that were changed since, then what they were. */
export function restoreRefs({ point, keys }: Restoration, rows: RowsWithPast): Ref[] {
  const first = pointRefs(point, rows)
  if (rows.missing(first).length > 0) return first
  const place = knownPlace(point, rows)
  const present: Ref[] = keys === undefined ? [allOf(stateKeys)] : keys.map((key) => rowOf(stateKeys, key))
  if (place instanceof Refusal || rows.missing(present).length > 0) return [...first, ...present]
  const past = new KnownPast(rows, place)
  const each = changedSince(rows, keys, place).flatMap(({ key }) => [
    ...set.refs({ key, value: null }, rows),
    ...keyRefs(rows, key, 'value'),
    ...past.refs(key),
  ])
  return [...first, ...present, ...each]
}

/** Makes keys what they were at a place, by setting and deleting them; a key that holds the same already is left alone. */
export function restore({ point, keys }: Restoration, on: Deciding): Restored | Refusal {
  const place = knownPlace(point, on.rows)
  if (place instanceof Refusal) return place
  const refusal = checkTime(point, on.at) ?? checkBegun(point, place, on) ?? checkKnown(on.rows, keys)
  if (refusal) return refusal
  const past = new KnownPast(on.rows, place)
  const changes: Change[] = []
  let bytes = 0
  for (const row of changedSince(on.rows, keys, place)) {
    const { key } = row
    bytes += row.bytes + (past.version(key)?.body?.length ?? 0)
    if (on.agent !== undefined && bytes > on.limits.batchBytes) return tooMuchWork(on.limits.batchBytes)
    const value = past.value(key)
    if (isSame(presentValue(on.rows, row), value) && lapseTraits(lapseOf(row.traits)) === null) continue
    if (value !== undefined && (isConvergent(row.traits) || isConvergent(past.version(key)?.traits)))
      return refuseConvergent(row)
    changes.push({ key, value })
  }
  return record(place, changes, on)
}

/** All of it is one change, which the others of the root wait for: an agent makes it in parts. */
function tooMuchWork(limit: number): Refusal {
  const message = `This would read and write more than ${limit} bytes, the limit batchBytes.`
  const hint = 'Restore fewer keys at a time with `keys`, or ask the owner of the store to do it.'
  return refuse('invalid_input', message, hint, { limit: 'batchBytes', limit_value: limit })
}

interface Change {
  readonly key: string
  /** Undefined for one that is deleted. */
  readonly value: Json | undefined
}

/** Deletions come first: they make room for the rest. */
function record(place: number, changes: readonly Change[], on: Deciding): Restored | Refusal {
  const changed: Restored['changed'] = []
  const gone = changes.filter(({ value }) => value === undefined)
  for (const { key } of gone) {
    const done = remove.decide({ key }, on)
    if (done instanceof Refusal) return done
    changed.push({ key, version: done.version, deleted: true })
  }
  for (const { key, value } of changes) {
    if (value === undefined) continue
    const done = set.decide({ key, value }, on)
    if (done instanceof Refusal) return done
    changed.push({ key, version: done.version })
  }
  return { place, changed }
}

/** Rows stand in the order in which they were met: neither the log nor a refusal should depend on what was remembered. */
function changedSince(rows: RowsWithPast, keys: readonly string[] | undefined, place: number): KeyRow[] {
  const present = keys === undefined ? rows.all(stateKeys) : keys.map((key) => rows.get(stateKeys, key))
  const changed = present.filter((row): row is KeyRow => row !== undefined && row.seq > place)
  return changed.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** A time that is still to come could mean something else once it is there. */
function checkTime({ at_time: time }: Point, now: number): Refusal | undefined {
  const at = time === undefined ? 0 : readInstant(time)
  if (at instanceof Refusal) return at
  return at <= now ? undefined : refuse('invalid_input', `${time} is in the future.`, 'Give a time in the past.')
}

/** There is nothing to restore from before the root: whoever gives such a time mistook the day or the zone. */
function checkBegun({ at_time: time }: Point, place: number, on: Deciding): Refusal | undefined {
  const root = on.rows.get(sessions, 0)
  if (time === undefined || place > 0 || root === undefined) return undefined
  const [first, now] = [isoTime(root.created_at), isoTime(on.at)]
  const message = `${time} is before this root was created, at ${first}.`
  return refuse('invalid_input', message, `Give a time from ${first} to ${now}.`, { path: 'to', first, last: now })
}

function checkKnown(rows: RowsWithPast, keys: readonly string[] | undefined): Refusal | undefined {
  const unknown = keys?.find((key) => rows.get(stateKeys, key) === undefined)
  return unknown === undefined ? undefined : keyNotFound(unknown)
}

function isSame(now: Json | undefined, then: Json | undefined): boolean {
  return now === undefined || then === undefined ? now === then : sameJson(now, then)
}

/** A conflict-free value is what all of its actors did to it: one of them cannot set it back for the others. */
function refuseConvergent({ key, version }: KeyRow): Refusal {
  return refuse(
    'wrong_type',
    `${JSON.stringify(key)} is or was of a conflict-free kind, so it cannot be restored.`,
    'Restore the other keys by their names, and change this one with its own operations.',
    { key, current_version: version },
  )
}
