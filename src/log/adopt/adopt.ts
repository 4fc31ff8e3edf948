import type { Parts } from '../../domain/log/part.ts'
import { ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { isNotTaken } from '../../store/engine.ts'
import { type Before, broken, checkForeign, checkKnown, type ForeignEvent, gapIn } from './foreign-event.ts'
import { nearestTo, nothingYet } from './nearest.ts'
import { type Adopting, endOf, newFork, newRoot } from './start.ts'
import { takeIn } from './take-in.ts'

/** Writers that are in the way more often than this are somebody's traffic. */
const triesMax = 3

export interface Adopted {
  readonly root: RootRow
  readonly adopted: number
  /** Where the two histories parted, if they did. */
  readonly forkedAt: number | undefined
}

/**
 * Takes in events of another store as they are: as a new root, as the continuation of a root whose log they go on with, or, where the
 * two went different ways, as a fork at the last event that they share.
 */
export async function adopt(
  given: Adopting,
  id: string,
  foreign: readonly ForeignEvent[],
  tries = 0,
): Promise<Adopted | Refusal> {
  if (foreign.length === 0) return nothingGiven()
  const done = await adoptOnce(given, id, foreign)
  // Somebody wrote meanwhile: what is there now may be another history.
  const mayBeOther = done instanceof Refusal && (done.code === 'busy' || isNotTaken(done))
  return mayBeOther && tries < triesMax ? adopt(given, id, foreign, tries + 1) : done
}

async function adoptOnce(given: Adopting, id: string, foreign: readonly ForeignEvent[]): Promise<Adopted | Refusal> {
  const { engine, parts } = given
  const [known] = await engine.read(ask(aboutLog.root_by_id, id), false)
  if (known?.hidden === 1) return removed(id)
  const gap = gapIn(foreign)
  if (gap) return gap
  const nearest = known && (await engine.read(nearestTo(known, foreign), false))
  if (known !== undefined && nearest === undefined) return strangers(id, (foreign[0] as ForeignEvent).seq)
  const common = nearest?.common ?? nothingYet
  const refusal = checkAll(parts, foreign, nearest?.before ?? nothingYet, common.seq)
  if (refusal) return refusal
  const rest = foreign.filter(({ seq }) => seq > common.seq)
  if (nearest !== undefined && rest.length === 0) return { root: nearest.root, adopted: 0, forkedAt: undefined }
  const parted = nearest !== undefined && common.seq < nearest.root.seq
  const going = nearest && (parted ? newFork(given, nearest) : endOf(given, nearest.root))
  const start = await (going ?? newRoot(given, id))
  const root = start instanceof Refusal ? start : await takeIn(given, start, rest)
  if (root instanceof Refusal) return root
  return { root, adopted: rest.length, forkedAt: parted ? common.seq : undefined }
}

/** Events up to `known` are here already: they need only be what they say they are. */
export function checkAll(
  parts: Parts,
  foreign: readonly ForeignEvent[],
  start: Before,
  known: number,
): Refusal | undefined {
  if (foreign[0]?.seq !== start.seq + 1) return broken(foreign[0]?.seq ?? 1, `follows ${start.seq}: there is a gap`)
  let before = start
  for (const event of foreign) {
    const refusal = event.seq <= known ? checkKnown(event, before) : checkForeign(parts, event, before)
    if (refusal) return refusal
    before = event
  }
  return undefined
}

function nothingGiven(): Refusal {
  const hint = 'Give at least one event, as `log.list` shows them.'
  return refuse('invalid_input', 'No events were given.', hint, { path: 'events' })
}

function removed(id: string): Refusal {
  const hint = 'Adopt it into another store, or remove those forks first.'
  return refuse('already_exists', `The root ${id} was removed here, and forks still share its events.`, hint)
}

function strangers(id: string, first: number): Refusal {
  const message = `The root ${id} already exists here, and event ${first} does not follow any event of it or of its forks.`
  return refuse(
    'already_exists',
    message,
    'Give the history of this root from its start, or from an event that is known here.',
  )
}
