import { placeAtTime } from '../log/past/place.ts'
import { type Asking, ask } from '../log/questions.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { rowsAt, rowThen } from '../log/row-past.ts'
import { aboutLog } from '../log/sql/about-log.ts'
import { sessionStream } from './facts.ts'
import { hasEnded } from './lifecycle.ts'
import { aboutSessions, type RootFound, type SessionFound } from './questions.ts'
import { sessionRemoved } from './session.ts'
import { sessions } from './tables.ts'

/** The sessions of a root as they are, or as they were after an event. Which directory they belong to has no past. */
export function* sessionsOfRoot(root: number, at: number | undefined): Asking<readonly SessionFound[]> {
  const present = yield* ask(aboutSessions.sessions_of_root, root)
  if (at === undefined) return present
  const then = new Map((yield* rowsAt(sessions, root, at)).map((row) => [row.no, row]))
  return present.flatMap((row) => {
    const past = then.get(row.no)
    return past === undefined ? [] : [{ ...row, ...past }]
  })
}

/** Why a session that was found is not among those of its root: it was removed since, or did not exist yet. */
export function* missingSession(root: number, no: number, at: number | undefined): Asking<Refusal> {
  const [created] = yield* ask(aboutLog.events_of_version, root, sessionStream(no), 1)
  if (at === undefined || created === undefined || created.seq <= at) return sessionRemoved()
  const message = `This session did not exist yet at ${at}.`
  return refuse('session_not_found', message, `It was created at ${created.seq}: ask for that or later.`, {
    created_seq: created.seq,
  })
}

export interface RootsWanted {
  /** Ids before this one. */
  readonly before: string
  readonly project: string | null
  /** Also those that had ended. */
  readonly all: boolean
  readonly most: number
}

type RootPast = RootFound & { past_row: string | null }

/** Roots, newest first, each as it was after its own event of this number, or as it is where its log is shorter. */
export function* rootsAt(wanted: RootsWanted, at: number): Asking<RootFound[]> {
  const page = (before: string) => ask(aboutSessions.roots_at, before, wanted.project, wanted.most, at)
  const found = yield* pagesOf(wanted, page)
  // No page refuses.
  return found as RootFound[]
}

/** Roots, newest first, each as it was at a time; those that were made later are not there. */
export function* rootsAtTime(wanted: RootsWanted, time: string): Asking<RootFound[] | Refusal> {
  return yield* pagesOf(wanted, function* (before) {
    const rows: RootPast[] = []
    for (const row of yield* ask(aboutSessions.roots_newest_first, before, wanted.project, 1, wanted.most)) {
      const place = yield* placeAtTime(row.root, time)
      if (place instanceof Refusal) return place
      const [then] = place === 0 ? [] : yield* ask(aboutSessions.root_at, row.root, place)
      rows.push(then ?? { ...row, past_row: null })
    }
    return rows
  })
}

/** As many as are wanted, a page of the store at a time: which of them count is only known of each as it was. */
function* pagesOf(
  { before: first, all, most }: RootsWanted,
  pageBefore: (before: string) => Asking<readonly RootPast[] | Refusal>,
): Asking<RootFound[] | Refusal> {
  const found: RootFound[] = []
  for (let before = first; ; ) {
    const page = yield* pageBefore(before)
    if (page instanceof Refusal) return page
    for (const { past_row: kept, ...row } of page) {
      const then = kept === null ? undefined : { ...row, ...rowThen(sessions, row, kept) }
      if (then !== undefined && (all || !hasEnded(then.status))) found.push(then)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < most || found.length >= most) return found.slice(0, most)
    before = last.id
  }
}
