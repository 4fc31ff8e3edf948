import { firstHash } from '../../domain/log/event.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RootRow, roots } from '../../domain/log/tables.ts'
import { aboutSessions } from '../../domain/sessions/questions.ts'
import { type Before, type ForeignEvent, fits } from './foreign-event.ts'

/** What the first event of a log follows. */
export const nothingYet: Before = { seq: 0, hash: firstHash }

/** What shares the most with a history: up to which event, and the one before the first that was given. */
export interface Nearest {
  readonly root: RootRow
  readonly common: Before
  readonly before: Before
}

/** The root, or the fork of it, that shares the most with a history. */
export function* nearestTo(root: RootRow, foreign: readonly ForeignEvent[]): Asking<Nearest | undefined> {
  let nearest: Nearest | undefined
  const forks = yield* ask(aboutSessions.forks_below, root.root)
  for (const number of [root.root, ...forks.map((fork) => fork.root)]) {
    const head = yield* askRow(roots, number)
    const common = head?.hidden === 0 ? yield* lastCommon(head, foreign) : undefined
    if (head === undefined || common === undefined || common.common.seq <= (nearest?.common.seq ?? 0)) continue
    nearest = { root: head, ...common }
  }
  return nearest
}

/**
 * Two histories that share an event share all before it, so the last one is found by halving. Where they share none, the first that was
 * given may follow one that is here.
 */
function* lastCommon(
  { root, seq }: RootRow,
  foreign: readonly ForeignEvent[],
): Asking<Omit<Nearest, 'root'> | undefined> {
  const first = foreign[0] as ForeignEvent
  if (first.seq > seq + 1) return undefined
  let [low, high] = [0, Math.min(foreign.length, seq - first.seq + 1)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = foreign[middle - 1] as ForeignEvent
    const [local] = yield* ask(aboutLog.log_since, root, event.seq - 1, 1)
    if (local?.hash === event.hash) low = middle
    else high = middle - 1
  }
  const before = first.seq === 1 ? nothingYet : (yield* ask(aboutLog.log_since, root, first.seq - 2, 1))[0]
  if (before === undefined) return undefined
  if (low > 0) return { common: foreign[low - 1] as ForeignEvent, before }
  return first.seq > 1 && fits(first, before) ? { common: before, before } : undefined
}
