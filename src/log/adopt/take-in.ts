import { eventWith } from '../../domain/log/event.ts'
import { evolve, moveHeads } from '../../domain/log/evolve.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { type AnyTable, type EventRow, events, type RootRow, streams } from '../../domain/log/tables.ts'
import { sessionOf } from '../../domain/sessions/facts.ts'
import { aboutSessions } from '../../domain/sessions/questions.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { failpoint } from '../../failpoint.ts'
import { byTable, type Changes, isNotTaken, Lost, notTaken, type RowsWritten, type Work } from '../../store/engine.ts'
import { checkRoom, diskBytesIn } from '../disk-space.ts'
import { LiveChains } from '../proof/live-chains.ts'
import { asLoads } from '../write/as-loads.ts'
import { fillUpTo } from '../write/index-behind.ts'
import type { AdoptingRows } from './adopting-rows.ts'
import { broken, type ForeignEvent, unfit } from './foreign-event.ts'
import type { Adopting, Start } from './start.ts'

/** Events that are written in one transaction: a death in between leaves a shorter history, which can be gone on with. */
export const pageEvents = 5000

type Page = readonly ForeignEvent[]

/**
 * Writes events behind what the rows stand for, page by page, and what they do to the rows. All of them are applied to a copy of the
 * rows first: one that cannot be is found before anything is written.
 */
export async function takeIn(given: Adopting, start: Start, foreign: Page): Promise<RootRow | Refusal> {
  const { engine, parts } = given
  const pages = pagesOf(foreign)
  const trial = start.rows.trial()
  const tried = attempt(given, trial, pages)
  if (tried instanceof Refusal) return tried
  const taken = await engine.read(idsTaken(trial, foreign), false)
  if (taken) return taken
  // What one page has made is at hand; of several only the last would be.
  const rows = pages.length === 1 ? trial : start.rows
  const chains = new LiveChains()
  for (const [at, page] of pages.entries()) {
    const from = at === 0 ? start : { rows, held: rows.root, head: rows.head() }
    const changes = pages.length === 1 ? tried : evolved(given, rows, chains, page)
    const refusal = changes instanceof Refusal ? changes : await written(given, from, page, changes)
    if (refusal) return at === 0 ? refusal : afterPages(refusal, at * pageEvents)
  }
  const root = rows.head() as RootRow
  for (const table of parts.tables.filter(({ indexedBy }) => indexedBy !== undefined))
    await engine.write([root.root], () => fillUpTo(root.root, table, root.seq))
  failpoint('announce')
  engine.announce([root.root])
  return root
}

function pagesOf(foreign: Page): Page[] {
  const pages: Page[] = []
  for (let from = 0; from < foreign.length; from += pageEvents) pages.push(foreign.slice(from, from + pageEvents))
  return pages
}

/** Applies all pages; answers with what the last one makes. */
function attempt(given: Adopting, rows: AdoptingRows, pages: readonly Page[]): RowsWritten[] | Refusal {
  const chains = new LiveChains()
  let last: RowsWritten[] | Refusal = []
  for (const page of pages) {
    last = evolved(given, rows, chains, page)
    if (last instanceof Refusal) break
  }
  return last
}

/** Ids of sessions come from events and from the id of the root; none may be another's in this store. */
export function* idsTaken(rows: AdoptingRows, foreign: Page): Asking<Refusal | undefined> {
  for (const { seq, type, stream } of foreign) {
    const row = type === 'session_created' ? rows.get(sessions, sessionOf(stream)) : undefined
    if (row === undefined) continue
    const [other] = yield* ask(aboutSessions.session_by_id, row.id)
    if (other === undefined || other.root === rows.root) continue
    // Another process has just taken in the same root.
    if (other.root_id === rows.id) return somebodyElse()
    return broken(seq, `makes a session ${row.id}, and another root of this store has one`)
  }
  return undefined
}

async function written(
  { engine }: Adopting,
  start: Start,
  page: Page,
  changes: readonly RowsWritten[],
): Promise<Refusal | undefined> {
  try {
    return await engine.write([start.held], ([head]) => ifUnmoved(head, start, changes))
  } catch (error) {
    if (error instanceof Lost) return somebodyElse()
    if (!isNotTaken(error)) throw error
    const [first, last] = [page[0]?.seq ?? 0, page.at(-1)?.seq ?? 0]
    const message = `One of the events ${first} to ${last} cannot be applied: the store rejects the result.`
    return refuse('invalid_input', message, 'This history was not written by Cairn. Nothing was adopted.', notTaken)
  }
}

function* ifUnmoved(
  head: RootRow | undefined,
  { head: before, making }: Start,
  changes: readonly RowsWritten[],
): Work<Refusal | undefined> {
  yield []
  failpoint('adopt')
  const isUnmoved = head?.hash === before?.hash && head?.generation === before?.generation
  if (!isUnmoved) return { changes: [], out: somebodyElse() }
  if (making === undefined) return { changes, out: undefined }
  const made = yield* asLoads(making(head))
  return made instanceof Refusal
    ? { changes: [], out: made }
    : { changes: together(made.changes, changes), out: undefined }
}

/** Each row once: what the events made of it goes before how it was when the fork began. */
function together(made: readonly Changes[], changes: readonly RowsWritten[]): Changes[] {
  const rows = new Map<AnyTable, Map<string, object>>()
  for (const change of [...made, ...changes]) {
    if (!('table' in change)) continue
    const { table } = change
    const known = rows.get(table) ?? new Map<string, object>()
    rows.set(table, known)
    for (const row of change.rows) known.set(`${(row as { root?: number }).root} ${table.place(row)}`, row)
  }
  const others = made.filter((change) => !('table' in change))
  return [...others, ...[...rows].map(([table, each]) => ({ table, rows: [...each.values()] }))]
}

/** What a page of events makes. An event that its chain vouches for and that still cannot be applied was never made by Cairn. */
export function evolved(given: Adopting, rows: AdoptingRows, chains: LiveChains, page: Page): RowsWritten[] | Refusal {
  const made: RowsWritten[] = [{ table: events, rows: page.map((event): EventRow => ({ root: rows.root, ...event })) }]
  for (const event of page) {
    const refusal = checkPlace(rows, event) ?? applied(given, rows, { root: rows.root, ...event })
    if (refusal) return refusal
    const rest = rows.takeMade()
    chains.add(rows, rest)
    made.push(...rest.map(({ table, row }) => ({ table, rows: [row] })))
  }
  return counted(given, rows, made) ?? byTable([...made, ...rows.takeChanged()])
}

/** Counts what a page adds to its root, or says that there is no room for it. */
function counted({ limits }: Adopting, rows: AdoptingRows, made: readonly RowsWritten[]): Refusal | undefined {
  const head = rows.head()
  const added = diskBytesIn(made, rows.root)
  if (head !== undefined) rows.setHead({ ...head, bytes: head.bytes + added })
  return checkRoom(head, added, limits.rootDiskBytes)
}

/** Whether an event stands where it says: in its stream, and in the name of a session that is there. */
function checkPlace(rows: AdoptingRows, { seq, type, stream, version, session_no }: ForeignEvent): Refusal | undefined {
  const expected = (rows.get(streams, stream)?.version ?? 0) + 1
  if (version !== expected) return broken(seq, `is version ${version} of ${stream}, expected ${expected}`)
  const isFirst = rows.head() === undefined
  if (isFirst && type !== 'session_created') return broken(seq, 'does not create the root, as the first event does')
  const isKnown = isFirst ? session_no === 0 : rows.get(sessions, session_no) !== undefined
  return isKnown ? undefined : broken(seq, `is of session ${session_no}, which does not exist`)
}

function applied({ parts, limits }: Adopting, rows: AdoptingRows, row: EventRow): Refusal | undefined {
  try {
    if (row.data === null) {
      moveHeads(rows, row)
      return undefined
    }
    const event = eventWith(row, JSON.parse(row.data))
    const foreign = parts.owner(row.stream)?.foreign
    const before = foreign?.check(rows, event, limits)
    if (before) return unfit(row.seq, before)
    evolve(parts.evolve, rows, event)
    const after = foreign?.checkMade?.(rows, event, limits)
    return after && unfit(row.seq, after)
  } catch (error) {
    return broken(row.seq, `cannot be applied (${String((error as Error).message).slice(0, 200)})`)
  }
}

function somebodyElse(): Refusal {
  return refuse('busy', 'Another writer changed this root in the meantime.', 'Try again.')
}

function afterPages({ code, message, details }: Refusal, taken: number): Refusal {
  const hint = `The ${taken} events before it were adopted; giving all of them again continues from there.`
  return refuse(code, message, hint, details)
}
