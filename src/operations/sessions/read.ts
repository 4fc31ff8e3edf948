import { isoTime } from '../../domain/log/identity.ts'
import { flag, integer, optional } from '../../domain/log/input-schema.ts'
import { givenTwice, type Point, pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { roots } from '../../domain/log/tables.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { missingSession, type RootsWanted, rootsAt, rootsAtTime, sessionsOfRoot } from '../../domain/sessions/past.ts'
import { aboutSessions, type RootFound, type SessionFound } from '../../domain/sessions/questions.ts'
import { type SessionShown, showSession } from '../../domain/sessions/session.ts'
import { atTime, cursor, isPast, limit, past, project } from '../inputs.ts'
import { type Place, read, readStore } from '../operation.ts'
import { type ForkShown, forksOf, type Origin, originOf } from './fork-tree.ts'

function aboveIn(rows: readonly SessionFound[], row: SessionFound): string | null {
  return rows.find((other) => other.no === row.parent_no)?.id ?? null
}

function* rootsMeant(wanted: RootsWanted, { at, at_time: time }: Point): Asking<readonly RootFound[] | Refusal> {
  const { before, project, all, most } = wanted
  if (at !== undefined && time !== undefined) return givenTwice('at and at_time')
  if (at !== undefined) return yield* rootsAt(wanted, at)
  if (time !== undefined) return yield* rootsAtTime(wanted, time)
  return yield* ask(aboutSessions.roots_newest_first, before, project, all ? 1 : 0, most)
}

type RootShown = SessionShown & { last_event_at: string; forked_from?: Origin }

export const sessionList = readStore({
  name: 'session.list',
  summary: 'List the roots, newest first, as they are now or as they were.',
  command: { words: ['session ls', 'ls'], topic: 'Look', examples: ['cairn ls', 'cairn ls -a --project .'] },
  input: {
    all: optional(flag('Include ended sessions.')),
    project: optional(project('Only those of this working directory.')),
    limit,
    cursor: cursor('sess_'),
    at: optional(integer('Each root as of this sequence number of its log, or at its end if that comes first.')),
    at_time: atTime,
  },
  snapshot: isPast,
  *read(input) {
    const { limit = 50, cursor: before = '~', project = null, all = false } = input
    const wanted: RootsWanted = { before, project, all, most: limit + 1 }
    const rows = yield* rootsMeant(wanted, input)
    if (rows instanceof Refusal) return rows
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null
    const sessions: RootShown[] = []
    for (const row of page) {
      const origin = yield* originOf(row.root)
      const active = isoTime(row.active_at ?? row.updated_at)
      sessions.push({ ...showSession(row, null), last_event_at: active, ...(origin && { forked_from: origin }) })
    }
    return { sessions, next_cursor: next }
  },
})

/** The sessions of a root at a point, and the one that is meant. */
interface Seen {
  readonly rows: readonly SessionFound[]
  readonly meant: SessionFound
}

function* seen({ root, no }: Place, asked: Point): Asking<Seen | Refusal> {
  const point = yield* pastPlace(root, asked, sessionStream(no))
  if (point instanceof Refusal) return point
  const rows = yield* sessionsOfRoot(root, point)
  const meant = rows.find((row) => row.no === no)
  return meant === undefined ? yield* missingSession(root, no, point) : { rows, meant }
}

export const sessionShow = read({
  name: 'session.show',
  summary: 'Show a session, as it is now or as it was.',
  command: { words: ['session show', 'show'], positional: ['session'] },
  input: past,
  snapshot: isPast,
  *read(input, place, _now, _parts, _leaseTime, limits) {
    const found = yield* seen(place, input)
    if (found instanceof Refusal) return found
    const { rows, meant } = found
    const head = isPast(input) ? undefined : yield* askRow(roots, place.root)
    const disk = head && { root_disk: { bytes: head.bytes, limit: limits.rootDiskBytes } }
    const children = rows.filter((other) => other.parent_no === meant.no).map((child) => child.id)
    const origin = meant.no === 0 ? yield* originOf(meant.root) : undefined
    return { ...showSession(meant, aboveIn(rows, meant)), ...(origin && { forked_from: origin }), children, ...disk }
  },
})

/** The children of each session, by its number. */
function childrenIn(rows: readonly SessionFound[]): Map<number | null, SessionFound[]> {
  const below = new Map<number | null, SessionFound[]>()
  for (const row of rows) {
    const children = below.get(row.parent_no)
    if (children === undefined) below.set(row.parent_no, [row])
    else children.push(row)
  }
  return below
}

type Branch = SessionShown & { children: Branch[] }
type Tree = Branch & { forked_from?: Origin; forks?: ForkShown[] }

export const sessionTree = read({
  name: 'session.tree',
  summary: 'Show a session and all below it, now or as of a point, and how its root was forked.',
  command: {
    words: ['session tree', 'tree'],
    positional: ['session'],
    topic: 'Look',
    examples: ['cairn tree', 'cairn tree --forks'],
  },
  input: {
    ...past,
    forks: optional(flag('Include the forks of the root and their forks, each with the event it follows.')),
  },
  beyondRoot: ['forks'],
  snapshot: isPast,
  *read(input, place) {
    const found = yield* seen(place, input)
    if (found instanceof Refusal) return found
    const { rows, meant } = found
    const below = childrenIn(rows)
    const branch = (row: SessionFound, above: string | null): Branch => ({
      ...showSession(row, above),
      children: (below.get(row.no) ?? []).map((child) => branch(child, row.id)),
    })
    const tree: Tree = branch(meant, aboveIn(rows, meant))
    if (!input.forks) return tree
    const origin = yield* originOf(place.root)
    return { ...tree, ...(origin && { forked_from: origin }), forks: yield* forksOf(place.root) }
  },
})
