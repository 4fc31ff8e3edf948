import { type EventToShow, showEvent } from '../../domain/log/event.ts'
import { checkTypes, typesIn } from '../../domain/log/feed-filter.ts'
import { optional, text } from '../../domain/log/input-schema.ts'
import { historyLost } from '../../domain/log/past/history.ts'
import { pageAfter } from '../../domain/log/past/page.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots } from '../../domain/log/tables.ts'
import { limit } from '../inputs.ts'
import { type Aim, type Place, type Seen, wait } from '../operation.ts'
import { since, sincePlace } from '../point.ts'
import { readTimeout, timeout, waitUsual } from '../timeout.ts'
import type { logList } from './list.ts'

/** Events looked at in one go, by their names alone, and read at most. */
const sliceEvents = 5000
const pageEvents = 500

/** What is answered, or refused: whoever has seen more than there is would wait for ever. */
type Page = ReturnType<typeof logList.read> extends Asking<infer Out> ? Out : never
type Listed = Exclude<Page, Refusal>

interface Wanted {
  readonly since: number
  readonly stream: string | undefined
  readonly types: readonly string[] | undefined
  readonly limit: number
}

/** A name that ends with a slash stands for all streams that begin like it. */
const isSeveral = (stream: string | undefined) => stream?.endsWith('/') === true

function isMeant({ stream, type }: Pick<EventToShow, 'stream' | 'type'>, wanted: Wanted): boolean {
  const named = wanted.stream ?? stream
  const inStream = isSeveral(named) ? stream.startsWith(named) : stream === named
  return inStream && (wanted.types?.includes(type) ?? true)
}

/**
 * Looks from where it was the last time: what it has passed over does not come back. A long log is looked through in slices, one at a
 * look, so that others get their turn; who is out of time before the end is told from where to go on.
 */
function looking(wanted: Wanted) {
  let passed = wanted.since
  return function* look({ root, rootId }: Place, now: number): Asking<Seen<Page>> {
    const head = yield* askRow(roots, root)
    const last = head?.seq ?? 0
    if (wanted.since > last) return { found: historyLost('log', last, wanted.since) }
    const answer = { root_session_id: rootId, last_seq: last }
    const moves = yield* ask(aboutLog.moves_since, root, passed, sliceEvents)
    const first = moves.find((event) => isMeant(event, wanted))
    if (first === undefined) {
      const hasMore = moves.length === sliceEvents
      passed = moves.at(-1)?.seq ?? passed
      const found = { ...answer, events: [], has_more: hasMore, next_since: passed }
      return { found, until: hasMore ? now : undefined }
    }
    passed = first.seq - 1
    const page = yield* pageAfter(root, passed, pageEvents)
    const events = page.filter((event) => isMeant(event, wanted)).slice(0, wanted.limit)
    // Beyond what was looked at anything may follow: whoever asks again finds out.
    const seen = events.length < wanted.limit ? (page.at(-1)?.seq ?? passed) : (events.at(-1)?.seq ?? passed)
    return { found: { ...answer, events: events.map(showEvent), has_more: seen < last, next_since: seen } }
  }
}

export const logWait = wait({
  name: 'log.wait',
  summary: 'Wait for the next events of the log, or for those after a sequence number.',
  command: { words: ['log wait'], examples: ['cairn log wait --stream state --timeout 5m'] },
  input: {
    since: since('Events after this point; default the last one.'),
    limit,
    stream: optional(text('Only this stream: state, session/0 …; session/ for all that begin with it.', { max: 128 })),
    type: optional(text('Only events of this type, or of several, separated by commas.', { max: 512 })),
    timeout,
  },
  *begin(input, { root }) {
    return { ...input, since: yield* sincePlace(root, input.since ?? 'now') }
  },
  aim({ since: begun = 0, limit = 100, stream, type, timeout = waitUsual }, _limits, parts) {
    const ms = readTimeout(timeout)
    if (ms instanceof Refusal) return ms
    const types = type === undefined ? undefined : typesIn(type)
    const refusal = checkTypes(types ?? [], [...parts.evolve.keys()])
    if (refusal) return refusal
    // A time was read as it began.
    const since = Number(begun)
    const wanted = { since, stream, types, limit }
    const aim: Aim<Listed, Page> = {
      watched: isSeveral(stream) ? { streams: stream } : { stream },
      sight: JSON.stringify(['log', since, stream, types, limit]),
      ms,
      look: looking(wanted),
      answer: ({ found }) => (found instanceof Refusal || found.events.length > 0 ? found : undefined),
      late: ({ found }) => found,
    }
    return aim
  },
})
