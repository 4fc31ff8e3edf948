import { type EventToShow, showEvent } from '../../domain/log/event.ts'
import { checkTypes, typesIn } from '../../domain/log/feed-filter.ts'
import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { historyLost } from '../../domain/log/past/history.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { roots } from '../../domain/log/tables.ts'
import { limit } from '../inputs.ts'
import { type Aim, type Place, type Seen, wait } from '../operation.ts'
import { readTimeout, timeout, waitUsual } from '../timeout.ts'
import type { logList } from './list.ts'

/** Events looked at in one go. */
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

function isMeant({ stream, type }: EventToShow, wanted: Wanted): boolean {
  const named = wanted.stream ?? stream
  const inStream = isSeveral(named) ? stream.startsWith(named) : stream === named
  return inStream && (wanted.types?.includes(type) ?? true)
}

/** Looks from where it was the last time: what it has passed over does not come back. */
function looking(wanted: Wanted) {
  let passed = wanted.since
  return function* look({ root, rootId }: Place): Asking<Seen<Page>> {
    const head = yield* askRow(roots, root)
    const last = head?.seq ?? 0
    if (wanted.since > last) return { found: historyLost('log', last, wanted.since) }
    let page: readonly EventToShow[]
    let found: EventToShow[]
    do {
      page = yield* ask('events_since', root, passed, pageEvents)
      found = page.filter((event) => isMeant(event, wanted))
      if (found.length === 0) passed = page.at(-1)?.seq ?? passed
    } while (found.length === 0 && page.length === pageEvents)
    // Beyond a page that was full nobody has looked: whoever asks again finds out.
    const hasMore = found.length > wanted.limit || (found.length > 0 && page.length === pageEvents)
    const events = found.slice(0, wanted.limit).map(showEvent)
    return { found: { root_session_id: rootId, events, has_more: hasMore, last_seq: last } }
  }
}

export const logWait = wait({
  name: 'log.wait',
  summary: 'Wait for the next events of the log, or for those after a sequence number.',
  command: { words: ['log wait'] },
  input: {
    since: optional(integer('What comes after this sequence number; after the last one unless given.')),
    limit,
    stream: optional(text('Only this stream: state, session/0 …; session/ for all that begin so.', { max: 128 })),
    type: optional(text('Only events of this type, or of several with commas between them.', { max: 512 })),
    timeout,
  },
  *begin(input, { root }) {
    return { ...input, since: input.since ?? (yield* askRow(roots, root))?.seq ?? 0 }
  },
  aim({ since = 0, limit = 100, stream, type, timeout = waitUsual }, _limits, parts) {
    const ms = readTimeout(timeout)
    if (ms instanceof Refusal) return ms
    const types = type === undefined ? undefined : typesIn(type)
    const refusal = checkTypes(types ?? [], [...parts.evolve.keys()])
    if (refusal) return refusal
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
