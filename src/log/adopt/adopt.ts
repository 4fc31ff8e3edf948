import { eventWith, firstHash } from '../../domain/log/event.ts'
import { evolve, moveHeads } from '../../domain/log/evolve.ts'
import type { Parts } from '../../domain/log/part.ts'
import { type Asking, ask, askRow, askRows } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { type EventRow, events, type RootRow, roots, streams } from '../../domain/log/tables.ts'
import { failpoint } from '../../failpoint.ts'
import { byTable, type Engine, type RowsWritten, type Work } from '../../store/engine.ts'
import { fork } from '../forks/fork.ts'
import { LiveChains } from '../proof/live-chains.ts'
import { replay } from '../proof/replay.ts'
import { asLoads } from '../write/as-loads.ts'
import { fillUpTo } from '../write/index-behind.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
import { AdoptingRows } from './adopting-rows.ts'
import { type Before, broken, checkForeign, checkKnown, type ForeignEvent, fits, gapIn } from './foreign-event.ts'

/** Events that are written in one transaction: a death in between leaves a shorter history, which can be gone on with. */
const pageEvents = 5000

/** Writers that are in the way more often than this are somebody's traffic. */
const triesMax = 3

/** What the first event of a log follows. */
const nothingYet: Before = { seq: 0, hash: firstHash }

export interface Adopting {
  readonly engine: Engine
  readonly parts: Parts
  readonly numbers: RootNumbers
  readonly newId: () => string
}

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
  const { engine, parts, numbers } = given
  if (foreign.length === 0) return nothingGiven()
  const [known] = await engine.read(ask('root_by_id', id), false)
  if (known?.hidden === 1) return removed(id)
  const gap = gapIn(foreign)
  if (gap) return gap
  if (known === undefined) {
    const refusal = checkAll(parts, foreign, nothingYet, 0)
    if (refusal) return refusal
    return takeIn(given, new AdoptingRows(await numbers.next(), id), foreign)
  }
  const nearest = await engine.read(nearestTo(known, foreign), false)
  if (nearest === undefined) return strangers(id, (foreign[0] as ForeignEvent).seq)
  const refusal = checkAll(parts, foreign, nearest.before, nearest.common.seq)
  if (refusal) return refusal
  const rest = foreign.filter(({ seq }) => seq > nearest.common.seq)
  if (rest.length === 0) return { root: nearest.root, adopted: 0, forkedAt: undefined }
  if (nearest.common.seq < nearest.root.seq) return takeInFork(given, nearest, rest)
  const rows = await rowsOf(given, nearest.root)
  if (rows instanceof Refusal) return rows
  const done = await takeIn(given, rows, rest)
  // Somebody wrote meanwhile: what is there now may be another history.
  return done instanceof Refusal && done.code === 'busy' && tries < triesMax
    ? adopt(given, id, foreign, tries + 1)
    : done
}

/** Events up to `known` are here already: they need only be what they say they are. */
function checkAll(parts: Parts, foreign: readonly ForeignEvent[], start: Before, known: number): Refusal | undefined {
  if (foreign[0]?.seq !== start.seq + 1) return broken(foreign[0]?.seq ?? 1, `follows ${start.seq}: there is a gap`)
  let before = start
  for (const event of foreign) {
    const refusal = event.seq <= known ? checkKnown(event, before) : checkForeign(parts, event, before)
    if (refusal) return refusal
    before = event
  }
  return undefined
}

/** What shares the most with a history: up to which event, and the one before the first that was given. */
interface Nearest {
  readonly root: RootRow
  readonly common: Before
  readonly before: Before
}

/** The root, or the fork of it, that shares the most with a history. */
function* nearestTo(root: RootRow, foreign: readonly ForeignEvent[]): Asking<Nearest | undefined> {
  let nearest: Nearest | undefined
  const forks = yield* ask('forks_below', root.root)
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
    const [local] = yield* ask('log_since', root, event.seq - 1, 1)
    if (local?.hash === event.hash) low = middle
    else high = middle - 1
  }
  const before = first.seq === 1 ? nothingYet : (yield* ask('log_since', root, first.seq - 2, 1))[0]
  if (before === undefined) return undefined
  if (low > 0) return { common: foreign[low - 1] as ForeignEvent, before }
  return first.seq > 1 && fits(first, before) ? { common: before, before } : undefined
}

/** The rows of a root as its log makes them, to go on from. */
async function rowsOf({ engine, parts }: Adopting, { root, id }: RootRow): Promise<AdoptingRows | Refusal> {
  const rows = new AdoptingRows(root, id)
  const chains = new LiveChains()
  const replayed = await engine.read(
    standing(
      rows,
      replay(parts, { root, id }, (made, rest) => chains.add(made, rest), rows),
    ),
    true,
  )
  rows.takeChanged()
  return 'what' in replayed ? broken(replayed.seq, replayed.what) : rows
}

/** Where the past of a stream begins, and how often rows were changed past the log, is not in the log: it stays as it is. */
function* standing<Out>(rows: AdoptingRows, replaying: Asking<Out>): Asking<Out> {
  const replayed = yield* replaying
  for (const stored of yield* askRows(streams, rows.root)) {
    const { floor, base } = stored
    rows.put(streams, { ...(rows.get(streams, stored.stream) ?? stored), floor, base })
  }
  const [head, stored] = [rows.head(), yield* askRow(roots, rows.root)]
  if (head !== undefined && stored !== undefined) rows.setHead({ ...head, generation: stored.generation })
  return replayed
}

async function takeInFork(given: Adopting, { root, common }: Nearest, rest: readonly ForeignEvent[]) {
  const { engine, parts, numbers, newId } = given
  const to = { root: -(await numbers.next()), id: `sess_${newId()}` }
  const made = await engine.write([root.root], ([head]) => forkWork(parts, head, common.seq, to))
  if (made instanceof Refusal) return made
  const rows = await rowsOf(given, { ...root, ...to })
  const done = rows instanceof Refusal ? rows : await takeIn(given, rows, rest)
  return done instanceof Refusal ? done : { ...done, forkedAt: common.seq }
}

function* forkWork(
  parts: Parts,
  head: RootRow | undefined,
  at: number,
  to: { root: number; id: string },
): Work<Refusal | undefined> {
  const forked = yield* asLoads(fork(parts, head, { at, to }))
  return forked instanceof Refusal ? { changes: [], out: forked } : { changes: forked.changes, out: undefined }
}

/** Writes events behind what the rows stand for, page by page, and what they do to the rows. */
async function takeIn(
  { engine, parts }: Adopting,
  rows: AdoptingRows,
  foreign: readonly ForeignEvent[],
): Promise<Adopted | Refusal> {
  const chains = new LiveChains()
  for (let from = 0; from < foreign.length; from += pageEvents) {
    const before = rows.head()
    const changes = evolved(parts, rows, chains, foreign.slice(from, from + pageEvents))
    if (changes instanceof Refusal) return changes
    const isIn = await engine.write([rows.root], ([head]) => ifUnmoved(head, before, changes))
    if (!isIn) return refuse('busy', 'Somebody else wrote below this root meanwhile.', 'Try again.')
  }
  const root = rows.head() as RootRow
  for (const table of parts.tables.filter(({ indexedBy }) => indexedBy !== undefined))
    await engine.write([root.root], () => fillUpTo(root.root, table, root.seq))
  failpoint('announce')
  engine.announce([root.root])
  return { root, adopted: foreign.length, forkedAt: undefined }
}

function* ifUnmoved(head: RootRow | undefined, before: RootRow | undefined, changes: RowsWritten[]): Work<boolean> {
  yield []
  failpoint('adopt')
  const isUnmoved = head?.hash === before?.hash && head?.generation === before?.generation
  return isUnmoved ? { changes, out: true } : { changes: [], out: false }
}

/** What a page of events makes. An event that its chain vouches for and that still cannot be applied was never made by Cairn. */
function evolved(
  parts: Parts,
  rows: AdoptingRows,
  chains: LiveChains,
  page: readonly ForeignEvent[],
): RowsWritten[] | Refusal {
  const made: RowsWritten[] = [{ table: events, rows: page.map((event): EventRow => ({ root: rows.root, ...event })) }]
  for (const event of page) {
    try {
      const row: EventRow = { root: rows.root, ...event }
      if (row.data === null) moveHeads(rows, row)
      else evolve(parts.evolve, rows, eventWith(row, JSON.parse(row.data)))
    } catch (error) {
      return broken(event.seq, `cannot be applied (${String((error as Error).message).slice(0, 200)})`)
    }
    const rest = rows.takeMade()
    chains.add(rows, rest)
    made.push(...rest.map(({ table, row }) => ({ table, rows: [row] })))
  }
  return byTable([...made, ...rows.takeChanged()])
}

function nothingGiven(): Refusal {
  const hint = 'Give at least one event, as `cairn log --json` shows them.'
  return refuse('invalid_input', 'There is no event in what was given.', hint, { path: 'events' })
}

function removed(id: string): Refusal {
  const hint = 'Adopt it into another store, or remove those forks first.'
  return refuse('already_exists', `The root ${id} was removed here, and forks still share its events.`, hint)
}

function strangers(id: string, first: number): Refusal {
  const message = `The root ${id} is here already, and event ${first} of what was given follows nothing in it or in its forks.`
  return refuse(
    'already_exists',
    message,
    'Give the history of this root from its start, or from an event that is known here.',
  )
}
