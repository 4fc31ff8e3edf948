import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { type ForeignEvent, fits } from '../../log/adopt/foreign-event.ts'
import type { MirrorHead } from '../mirror-line.ts'
import type { ReadMirror } from './mirrors.ts'

type History = readonly ForeignEvent[]

/** What the mirrors of a folder say together. */
export interface Histories {
  readonly root: string
  /** Those that begin with the first event, the longest first. */
  readonly whole: readonly History[]
  /** Those whose beginning is in no mirror here: only a store that has it can go on with them. */
  readonly loose: readonly History[]
  /** Of a fork, where its beginning is. */
  readonly origin: MirrorHead['origin']
}

/**
 * Puts the files of several replicas together: each goes on where the one that it was made from stood then. Where two went on from the
 * same event, there are two histories.
 */
export function historiesOf(mirrors: readonly ReadMirror[]): Histories | Refusal {
  const [first] = mirrors
  if (first === undefined) return refuse('not_found', 'It has no mirror.', 'Nothing was taken in.')
  const { root } = first.head
  const strange = mirrors.find(({ head }) => head.root !== root)
  if (strange)
    return refuse(
      'invalid_input',
      `Its mirrors are of two roots, ${root} and ${strange.head.root}.`,
      'Keep those of one.',
    )
  const whole: History[] = []
  const loose: History[] = []
  for (const { events } of [...mirrors].sort((a, b) => a.head.after - b.head.after)) {
    const [next] = events
    if (next === undefined) continue
    if (next.seq === 1) whole.push(events)
    else if (!follow(whole, next, events) && !follow(loose, next, events)) loose.push(events)
  }
  // Once it has its beginning itself, nothing is asked of the root that it was forked from.
  const origin = whole.length > 0 ? undefined : mirrors.find(({ head }) => head.origin !== undefined)?.head.origin
  return { root, whole: leaves(whole), loose: leaves(loose), origin }
}

/** Goes on with the history that has the event before; one that ends there becomes longer, any other has a second end. */
function follow(histories: History[], next: ForeignEvent, events: History): boolean {
  for (const [at, history] of histories.entries()) {
    const before = history[next.seq - 1 - (history[0]?.seq ?? 1)]
    if (before === undefined || !fits(next, before)) continue
    const upto = history.slice(0, before.seq - (history[0]?.seq ?? 1) + 1)
    const longer = [...upto, ...events]
    if (upto.length === history.length) histories[at] = longer
    else histories.push(longer)
    return true
  }
  return false
}

/** Without those that another one goes on with. */
function leaves(histories: readonly History[]): History[] {
  const sorted = [...histories].sort((a, b) => b.length - a.length)
  return sorted.filter((history, at) => {
    const last = history.at(-1)
    const goesOn = (other: History) => other.some(({ seq, hash }) => seq === last?.seq && hash === last.hash)
    return !sorted.slice(0, at).some(goesOn)
  })
}
