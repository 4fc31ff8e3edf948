import { showEvent } from '../../domain/log/event.ts'
import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { historyLost } from '../../domain/log/past/history.ts'
import { fitting } from '../../domain/log/past/page.ts'
import { pastPlace, versionAt } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots, streams } from '../../domain/log/tables.ts'
import { atTime, limit } from '../inputs.ts'
import { read } from '../operation.ts'
import { type Meant, since, sincePlace } from '../point.ts'

/** A stretch of numbers without gaps: those after the first and up to the last. */
interface Stretch {
  readonly after: number
  readonly upto: number
}

/** Of numbers that are dense a page is known before it is read: the first after what was seen, else the newest, as many as fit. */
function* pageOf(
  root: number,
  stream: string | undefined,
  { after, upto }: Stretch,
  limit: number,
  isNewest: boolean,
): Asking<Stretch> {
  const count = Math.min(limit, upto - after)
  const start = isNewest ? upto - count : after
  const sizes =
    stream === undefined
      ? yield* ask(aboutLog.event_sizes, root, start, count)
      : yield* ask(aboutLog.stream_event_sizes, root, stream, start, count)
  const fit = fitting(isNewest ? sizes.toReversed() : sizes)
  return isNewest ? { after: upto - fit, upto } : { after, upto: after + fit }
}

/** The versions of a stream that its events have after one place of the log and up to another. */
function* versionsOf(root: number, stream: string, { after, upto }: Stretch): Asking<Stretch> {
  const now = (yield* askRow(streams, root, stream))?.version ?? 0
  return { after: yield* versionAt(root, stream, now, after), upto: yield* versionAt(root, stream, now, upto) }
}

/** `since` belongs to the log as it ends at `at`. */
export function sinceAfter(what: string, since: number, last: number): Refusal {
  const message = `since ${since} is after the end of the ${what} at that point, ${last}.`
  return refuse('invalid_input', message, `Give a since of ${last} or less, or a later at.`, { path: 'since', last })
}

export const logList = read({
  name: 'log.list',
  summary: 'List the events of the root in order: everything that happened, and who did it.',
  command: {
    words: ['log'],
    topic: 'Look',
    examples: [
      'cairn log',
      'cairn log -f',
      'cairn log --since 40',
      'cairn log --since 10m',
      'cairn log --stream state --at 120 --json',
    ],
  },
  input: {
    since: since('Only events after this point, oldest first; default the newest.'),
    limit,
    stream: optional(text('Only this stream: state, session/0, session/1 …', { max: 128 })),
    at: optional(integer('The log as it ended at this sequence number.')),
    at_time: atTime,
  },
  snapshot: true,
  *read(input, { root, rootId }) {
    const { limit = 100, stream } = input
    const place = yield* pastPlace(root, input, undefined)
    if (place instanceof Refusal) return place
    const since = yield* sincePlace(root, input.since ?? 0)
    const last = place ?? (yield* askRow(roots, root))?.seq ?? 0
    if (since > last) return place === undefined ? historyLost('log', last, since) : sinceAfter('log', since, last)
    const wanted = { after: since, upto: last }
    const all = stream === undefined ? wanted : yield* versionsOf(root, stream, wanted)
    const { after, upto } = yield* pageOf(root, stream, all, limit, input.since === undefined)
    const rows =
      stream === undefined
        ? yield* ask(aboutLog.events_since, root, after, upto - after)
        : yield* ask(aboutLog.events_of_stream, root, stream, after, 0, upto - after)
    // Where events are missing that must be there, nothing would ever come.
    const hasMore = rows.length > 0 && upto - after < all.upto - all.after
    const events = rows.map(showEvent)
    return { root_session_id: rootId, events, has_more: hasMore, ...next(rows, input, hasMore), last_seq: last }
  },
})

/** What to give for the page that follows: the later ones by `since`, the earlier ones by `at`. */
function next(
  rows: readonly { readonly seq: number }[],
  input: { since?: Meant },
  hasMore: boolean,
): { next_since?: number; next_at?: number } {
  if (!hasMore) return {}
  return input.since === undefined ? { next_at: (rows[0]?.seq ?? 1) - 1 } : { next_since: rows.at(-1)?.seq ?? 0 }
}
