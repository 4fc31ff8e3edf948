import type { ForkedRows, ForkPoint, Parts } from '../../domain/log/part.ts'
import { forkedRows, streamsAt } from '../../domain/log/past/part-rows.ts'
import { type Asking, ask, askRow, askRows } from '../../domain/log/questions.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { indexing, type RootRow, roots, type SegmentRow, segments, streams } from '../../domain/log/tables.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { failpoint, isPlanted } from '../../failpoint.ts'
import type { ForkMade, ForkWanted } from '../../operations/operation.ts'
import type { Changes } from '../../store/engine.ts'
import { diskBytesIn } from '../disk-space.ts'
import { numberTaken } from '../write/root-numbers.ts'
import { lineageAt, lineageOf } from './lineage.ts'

/** What is asked of a fork: after which event, and what it is called. */
export interface Asked extends Pick<ForkWanted<Answer>, 'at' | 'no'> {
  readonly to: ForkPoint['to']
}

export interface Forked {
  readonly changes: readonly Changes[]
  readonly made: ForkMade
}

/**
 * A fork shares the events of its origin up to one of them, and everything that is in the order of the log; what is present is written
 * for it as it was then. No event is made: its first own one follows the last that it shares.
 */
export function* fork(
  parts: Parts,
  head: RootRow | undefined,
  { at: asked, no = 0, to }: Asked,
): Asking<Forked | Refusal> {
  if (head === undefined) return sessionRemoved()
  if ((yield* askRow(roots, to.root)) !== undefined) return numberTaken()
  const { root } = head
  const all = yield* askRows(streams, root)
  const at = asked ?? head.seq
  const first = Math.max(1, ...all.map(({ base }) => base))
  if (at < first || at > head.seq) return badCut(at, first, head.seq)
  const [last] = yield* ask(aboutLog.log_since, root, at - 1, 1)
  if (last === undefined) return badCut(at, first, head.seq)
  const point: ForkPoint = { root, at, isLast: at === head.seq, to }
  const lineage = lineageAt(root, yield* lineageOf(root), at, to.root)
  const forked: ForkedRows[] = []
  for (const part of parts.list) forked.push(yield* forkedRows(part, point))
  const sizes = new Map(forked.flatMap((each) => [...(each.sizes ?? [])]))
  const then = point.isLast ? all : yield* streamsAt(all, at)
  const filled = yield* indexFilled(parts, root, lineage)
  const bytes = diskBytesIn(
    forked.flatMap(({ rows }) => rows),
    to.root,
  )
  failpoint('fork')
  return {
    changes: [
      ...filled,
      { table: roots, rows: [{ ...head, root: to.root, id: to.id, seq: at, hash: last.hash, generation: 0, bytes }] },
      { table: segments, rows: isPlanted('wrong-segment') ? lineage.map(shortened) : lineage },
      { table: streams, rows: then.map((row) => ({ ...row, root: to.root, ...sizes.get(row.stream) })) },
      ...parts.tables.flatMap((table): Changes[] =>
        table.indexedBy === undefined
          ? []
          : [{ table: indexing, rows: [{ root: to.root, name: table.name, upto: at }] }],
      ),
      ...forked.flatMap(({ rows }) => rows.filter((each) => each.rows.length > 0)),
    ],
    made: {
      session_id: sessionOf(forked, no)?.id ?? to.id,
      root_session_id: to.id,
      origin_session_id: head.id,
      at,
      ...(yield* statusOf(forked, point)),
    },
  }
}

/** A session as the fork has it. */
function sessionOf(forked: readonly ForkedRows[], wanted: number): SessionRow | undefined {
  const all = forked.flatMap(({ rows }) => rows).find(({ table }) => table === sessions)
  return (all?.rows as SessionRow[] | undefined)?.find(({ no }) => no === wanted)
}

/** What a fork is from its beginning on: one of a root that has ended has ended too. */
function* statusOf(
  forked: readonly ForkedRows[],
  { root, at }: ForkPoint,
): Asking<Pick<ForkMade, 'status' | 'ended_seq'>> {
  const status = sessionOf(forked, 0)?.status ?? 'running'
  const [end] = hasEnded(status) ? yield* ask(aboutLog.stream_at, root, sessionStream(0), at) : []
  return { status, ...(end && { ended_seq: end.seq }) }
}

/** The planted fault `wrong-segment`. */
function shortened(segment: SegmentRow): SegmentRow {
  return segment.source === segment.root ? segment : { ...segment, upto: segment.upto - 1 }
}

/** What is shared is found through the index of whose it is, so that has to have it all. */
function* indexFilled(parts: Parts, root: number, lineage: readonly SegmentRow[]): Asking<Changes[]> {
  const upto = Math.max(0, ...lineage.filter(({ source }) => source === root).map((segment) => segment.upto))
  const changes: Changes[] = []
  for (const table of parts.tables.filter(({ indexedBy }) => indexedBy !== undefined)) {
    const after = (yield* askRow(indexing, root, table.name))?.upto ?? 0
    if (after >= upto) continue
    changes.push({ index: table, root, after, upto }, { table: indexing, rows: [{ root, name: table.name, upto }] })
  }
  return changes
}

function badCut(at: number, first: number, last: number): Refusal {
  const range = first === last ? `only at ${last}` : `from ${first} to ${last}`
  const why = first > 1 && at < first ? `: bodies before ${first} were removed (erase, compact)` : ''
  const message = `Cannot fork at ${at}: this log can be forked ${range}${why}.`
  const hint = first === last ? `Fork at ${last}.` : `Name an event from ${first} to ${last}.`
  return refuse('bad_cut', message, hint, { at, first, last })
}
