import { readInstant } from '../instant.ts'
import { type Asking, ask, askRow, askRows } from '../questions.ts'
import { Refusal, refuse } from '../refusal.ts'
import { aboutLog } from '../sql/about-log.ts'
import { roots, streams } from '../tables.ts'

/** What an answer about the past is made from: one stream, all that a part owns, or the log alone, of which no part ever goes. */
export type Concerned = string | { owns(stream: string): boolean } | undefined

/** A point of the past: a place in the log, given as such or as a time. */
export interface Point {
  readonly at?: number | undefined
  /** ISO 8601. */
  readonly at_time?: string | undefined
}

/** The place in the log that a read is about: the one that was asked for if it can be told, or undefined for now. */
export function* pastPlace(root: number, point: Point, of: Concerned): Asking<number | undefined | Refusal> {
  const at = yield* placeMeant(root, point)
  if (at === undefined || at instanceof Refusal) return at
  const last = (yield* askRow(roots, root))?.seq ?? 0
  if (at > last) return inTheFuture('log', last, at)
  const floor = yield* floorOf(root, of)
  return at < floor ? compacted(floor) : at
}

function* placeMeant(root: number, { at, at_time: time }: Point): Asking<number | undefined | Refusal> {
  if (time === undefined) return at
  return at === undefined ? yield* placeAtTime(root, time) : givenTwice('at and at_time')
}

export function givenTwice(what: string): Refusal {
  return refuse('invalid_input', `Only one of ${what} can be given.`, 'Give one of them.')
}

/**
 * The place after the last event that is not later than the time; 0 before the first. It is found by halving: some dozens of
 * looks in a log of any length. As long as the clock of the writers never went back, there is one such place. Where it went
 * back over this time, several events are not later and followed by one that is: then it is one of those places, always the
 * same for the same log, and never one before that of an earlier time.
 */
export function* placeAtTime(root: number, time: string): Asking<number | Refusal> {
  const at = readInstant(time)
  if (at instanceof Refusal) return at
  const head = yield* askRow(roots, root)
  const [place] = yield* ask(aboutLog.place_at_time, root, stepAbove(head?.seq ?? 0), at)
  return place?.seq ?? 0
}

/** The first place whose past is still kept. */
export function* floorOf(root: number, of: Concerned): Asking<number> {
  if (of === undefined) return 0
  if (typeof of === 'string') return (yield* askRow(streams, root, of))?.floor ?? 0
  const owned = (yield* askRows(streams, root)).filter(({ stream }) => of.owns(stream))
  return Math.max(0, ...owned.map(({ floor }) => floor))
}

/** The version that a stream, which is now at `now`, had after an event; 0 before its first. Found by halving. */
export function* versionAt(root: number, stream: string, now: number, at: number): Asking<number> {
  if (at === 0) return 0
  const [found] = yield* ask(aboutLog.version_at, root, stepAbove(now), stream, at)
  return found?.seq ?? 0
}

/** The power of two above a place: with its halves, every place up to it can be reached. */
export function stepAbove(seq: number): number {
  return 2 ** Math.ceil(Math.log2(seq + 1))
}

export function compacted(floor: number): Refusal {
  const message = `History before ${floor} was compacted.`
  return refuse('compacted', message, `Ask for ${floor} or later.`, { floor })
}

export function inTheFuture(what: string, last: number, asked: number): Refusal {
  const message = `The ${what} ends at ${last}; ${asked} does not exist yet.`
  return refuse('invalid_input', message, `Ask for ${last} or less.`, { last })
}
