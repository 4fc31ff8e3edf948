import { absenceOf, type EventToShow } from '../../domain/log/event.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import { historyLost } from '../../domain/log/past/history.ts'
import { fitting } from '../../domain/log/past/page.ts'
import { givenTwice, pastPlace, versionAt } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots, streams } from '../../domain/log/tables.ts'
import { stateStream } from '../../domain/state/facts.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import { isPast, limit, past } from '../inputs.ts'
import { sinceAfter } from '../log/list.ts'
import { read } from '../operation.ts'
import { type Meant, sincePlace, since as sincePoint } from '../point.ts'

/** Whoever would be given mutations without their values is told where they begin again. */
function compactedUntil(row: EventToShow): Refusal {
  const message = `Mutations up to version ${row.version} were compacted.`
  return refuse('compacted', message, `Ask for those since ${row.version}.`, { resume_since: row.version })
}

/** What a mutation was given; which of these depends on its type. */
type Given = {
  value?: Json
  delta?: number
  items?: Json[]
  patch?: JsonObject
  payload?: JsonObject
  operations?: Json[]
  owner?: number
  expires_at?: string
  reason?: 'expired' | 'session_ended'
  kind?: string
  actor?: string
  plus?: number
  minus?: number
  first?: number
  replaced?: Json
  removed?: Json
  clock?: Json
  /** Said of one whose values never came here. */
  body?: 'elsewhere'
}

const absent: Given = { body: 'elsewhere' }

function* versionThen(root: number, at: number): Asking<number> {
  const now = (yield* askRow(streams, root, stateStream))?.version ?? 0
  return yield* versionAt(root, stateStream, now, at)
}

/** The version of the state after which is listed. */
function* versionSince(root: number, asked: { since?: number; since_seq?: Meant }): Asking<number | Refusal> {
  const { since, since_seq: meant } = asked
  if (meant === undefined) return since ?? 0
  if (since !== undefined) return givenTwice('since and since_seq')
  const seq = yield* sincePlace(root, meant)
  const last = (yield* askRow(roots, root))?.seq ?? 0
  return seq > last ? historyLost('log', last, seq) : yield* versionThen(root, seq)
}

export const stateEvents = read({
  name: 'state.events',
  summary: 'List the mutations of the state in order, each with its version.',
  // Elsewhere `--since` is a place in the log.
  command: { words: ['state events'], flags: { since: 'since-version', since_seq: 'since' } },
  input: {
    since: optional(integer('Only those after this version of the state.')),
    since_seq: sincePoint('Only those after this point of the log.'),
    limit,
    ...past,
  },
  snapshot: isPast,
  *read(input, { root }) {
    const { limit = 100 } = input
    const since = yield* versionSince(root, input)
    if (since instanceof Refusal) return since
    const place = yield* pastPlace(root, input, stateStream)
    if (place instanceof Refusal) return place
    const upto = place === undefined ? Number.MAX_SAFE_INTEGER : yield* versionThen(root, place)
    if (since > upto) return sinceAfter('state', since, upto)
    const sizes = yield* ask(aboutLog.stream_event_sizes, root, stateStream, since, Math.min(limit + 1, upto - since))
    const count = fitting(sizes.slice(0, limit))
    const rows = yield* ask(aboutLog.events_of_stream, root, stateStream, since, 0, count)
    if (rows.length === 0 && since > 0) {
      const stream = yield* askRow(streams, root, stateStream)
      if (since > (stream?.version ?? 0)) return historyLost('state', stream?.version ?? 0, since)
    }
    const removed = rows.findLast((row) => row.data === null && absenceOf(row) === 'removed')
    if (removed !== undefined) return compactedUntil(removed)
    const shown = rows.map((row) => ({
      event_id: row.id,
      type: row.type,
      key: row.key,
      ...(row.data === null ? absent : (JSON.parse(row.data) as Given)),
      session_id: row.by,
      changed_by: row.by,
      timestamp: isoTime(row.at),
      seq: row.version,
      sequence_number: row.version,
      root_seq: row.seq,
    }))
    return { events: shown, has_more: sizes.length > count }
  },
})
