import type { Json } from '../../../json/value.ts'
import { isoTime } from '../../log/identity.ts'
import { readInstant } from '../../log/instant.ts'
import { inTheFuture, pastPlace, stepAbove } from '../../log/past/place.ts'
import { type Asking, ask, askRow } from '../../log/questions.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { roots, streams } from '../../log/tables.ts'
import { shownExpiry } from '../expiry.ts'
import { stateStream } from '../facts.ts'
import type { KeyAnswer } from '../mutation.ts'
import type { VersionShown } from '../questions.ts'
import type { VersionRow } from '../tables.ts'
import { textOf } from './versions.ts'

/** The JSON text of a version that was written as a difference, read along its chain. */
export function* readChain(root: number, key: string, seq: number): Asking<string> {
  const rows = yield* ask('chain', root, key, seq, 0)
  return textOf([...rows].sort((a, b) => b.seq - a.seq))
}

/** The value of one version as it stands in the store. */
export function* versionText(row: VersionRow): Asking<string> {
  if (row.prior === 0) return row.body ?? 'null'
  return yield* readChain(row.root, row.key, row.seq)
}

export function* showVersion(row: VersionShown): Asking<KeyAnswer> {
  return {
    key: row.key,
    value: JSON.parse(yield* versionText(row)) as Json,
    version: row.version,
    updated_at: isoTime(row.at),
    updated_by: row.by,
    seq: row.seq,
    ...shownExpiry(row),
  }
}

/** A point of the past: a place in the log, given as such, as a version of the state or as a time. */
export interface Point {
  readonly at?: number | undefined
  readonly at_sequence?: number | undefined
  /** ISO 8601. */
  readonly at_time?: string | undefined
}

/** The place in the log that is meant, or undefined for now. */
export function* resolvePoint(root: number, point: Point): Asking<number | undefined | Refusal> {
  const given = [point.at, point.at_sequence, point.at_time].filter((each) => each !== undefined)
  if (given.length > 1) {
    return refuse('invalid_input', 'Of at, at_sequence and at_time more than one was given.', 'Give one of them.')
  }
  const seq = yield* placeOf(root, point)
  return seq instanceof Refusal ? seq : yield* pastPlace(root, seq, stateStream)
}

function* placeOf(root: number, { at, at_sequence, at_time }: Point): Asking<number | undefined | Refusal> {
  if (at_sequence !== undefined) return yield* placeOfVersion(root, at_sequence)
  return at_time === undefined ? at : yield* placeAtTime(root, at_time)
}

/**
 * The place after the last event that is not later than the time; 0 before the first. It is found by halving: some dozens of
 * looks in a log of any length. As long as the clock of the writers never went back, there is one such place. Where it went
 * back over this time, several events are not later and followed by one that is: then it is one of those places, always the
 * same for the same log, and never one before that of an earlier time.
 */
function* placeAtTime(root: number, time: string): Asking<number | Refusal> {
  const at = readInstant(time)
  if (at instanceof Refusal) return at
  const head = yield* askRow(roots, root)
  const [place] = yield* ask('place_at_time', root, stepAbove(head?.seq ?? 0), at)
  return place?.seq ?? 0
}

function* placeOfVersion(root: number, version: number): Asking<number | Refusal> {
  if (version === 0) return yield* beforeFirstMutation(root)
  const [event] = yield* ask('events_of_version', root, stateStream, version)
  if (event !== undefined) return event.seq
  const stream = yield* askRow(streams, root, stateStream)
  return inTheFuture('state', stream?.version ?? 0, version)
}

/** Version 0 of the state is the one before any mutation. */
function* beforeFirstMutation(root: number): Asking<number> {
  const [first] = yield* ask('events_of_version', root, stateStream, 1)
  return first === undefined ? 1 : first.seq - 1
}
