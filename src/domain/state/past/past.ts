import type { Json } from '../../../json/value.ts'
import { isoTime } from '../../log/identity.ts'
import { givenTwice, inTheFuture, type Point, pastPlace } from '../../log/past/place.ts'
import { type Asking, ask, askRow } from '../../log/questions.ts'
import { Refusal } from '../../log/refusal.ts'
import { aboutLog } from '../../log/sql/about-log.ts'
import { streams } from '../../log/tables.ts'
import { shownLapse } from '../expiry.ts'
import { stateStream } from '../facts.ts'
import type { KeyAnswer } from '../mutation.ts'
import { aboutState, type VersionShown } from '../questions.ts'
import type { VersionRow } from '../tables.ts'
import { textOf } from './versions.ts'

/** The JSON text of a version that was written as a difference, read along its chain. */
export function* readChain(root: number, key: string, seq: number): Asking<string> {
  const rows = yield* ask(aboutState.chain, root, key, seq, 0)
  return textOf([...rows].sort((a, b) => b.seq - a.seq))
}

/** The value of one version as it stands in the store. */
export function* versionText(row: VersionRow): Asking<string> {
  if (row.prior === 0) return row.body ?? 'null'
  return yield* readChain(row.root, row.key, row.seq)
}

/** `read` makes the value of its text. */
export function* showVersion(row: VersionShown, read: (text: string) => Json = JSON.parse): Asking<KeyAnswer> {
  return {
    key: row.key,
    value: read(yield* versionText(row)),
    version: row.version,
    updated_at: isoTime(row.at),
    updated_by: row.by,
    seq: row.seq,
    ...shownLapse(row.traits),
  }
}

/** A point of the past: a place in the log, given as such, as a version of the state or as a time. */
export interface StatePoint extends Point {
  readonly at_sequence?: number | undefined
}

/** The place in the log that is meant, or undefined for now. */
export function* resolvePoint(root: number, point: StatePoint): Asking<number | undefined | Refusal> {
  const { at, at_sequence: version, at_time } = point
  if (version === undefined) return yield* pastPlace(root, point, stateStream)
  if (at !== undefined || at_time !== undefined) return givenTwice('at, at_sequence and at_time')
  const place = yield* placeOfVersion(root, version)
  return place instanceof Refusal ? place : yield* pastPlace(root, { at: place }, stateStream)
}

function* placeOfVersion(root: number, version: number): Asking<number | Refusal> {
  if (version === 0) return yield* beforeFirstMutation(root)
  const [event] = yield* ask(aboutLog.events_of_version, root, stateStream, version)
  if (event !== undefined) return event.seq
  const stream = yield* askRow(streams, root, stateStream)
  return inTheFuture('state', stream?.version ?? 0, version)
}

/** Version 0 of the state is the one before any mutation. */
function* beforeFirstMutation(root: number): Asking<number> {
  const [first] = yield* ask(aboutLog.events_of_version, root, stateStream, 1)
  return first === undefined ? 1 : first.seq - 1
}
