// Reads of the model: what there is, what there was, and the log.
import { canonical, type Json } from '../../src/json/value.ts'
import { settle } from './lapses.ts'
import {
  byCodePoints,
  bytesOf,
  keyAnswer,
  no,
  type Obj,
  type Perform,
  type Present,
  type Root,
  type Session,
  stateAt,
  stateNow,
  stateVersion,
  timeOf,
} from './root.ts'

/** The event a read is about, or the refusal of one that is still to come. */
function pointOf(root: Root, { at, at_sequence }: Obj): number | Obj {
  const last = root.log.length
  if (typeof at === 'number') return at <= last ? at : no('invalid_input', { last })
  if (typeof at_sequence !== 'number') return last
  const places = root.log.flatMap(({ stream }, place) => (stream === 'state' ? [place + 1] : []))
  if (at_sequence === 0) return places[0] === undefined ? 1 : places[0] - 1
  return places[at_sequence - 1] ?? no('invalid_input', { last: places.length })
}

/** What is there at the point a read is about; what has expired counts only where the log alone is asked. */
function stateMeant(root: Root, input: Obj): { state: Map<string, Present>; point: number } | { refusal: Obj } {
  const point = pointOf(root, input)
  if (typeof point !== 'number') return { refusal: point }
  const isPast = input.at !== undefined || input.at_sequence !== undefined
  return { state: isPast ? stateAt(root, point) : stateNow(root, Number(input.seen_at ?? point)), point }
}

function get(root: Root, _session: Session, input: Obj): Obj {
  const key = String(input.key)
  const meant = stateMeant(root, input)
  if ('refusal' in meant) return meant.refusal
  const found = meant.state.get(key)
  return found === undefined ? no('key_not_found', { key }) : keyAnswer(root, key, found)
}

/** With `seen_at` it is what a reader saw at that place when it was the last one. */
function all(root: Root, _session: Session, input: Obj): Obj {
  if (input.at === undefined && input.at_sequence === undefined && input.seen_at === undefined) settle(root)
  const meant = stateMeant(root, input)
  if ('refusal' in meant) return meant.refusal
  const point = Number(input.seen_at ?? meant.point)
  if (root.started === 0 || root.started > point) return no('state_not_found')
  const chosen = [...meant.state].filter(([key]) => key.startsWith(String(input.prefix ?? '')))
  const keys = chosen.map(([key, found]) => {
    const { key: _key, seq: _seq, ...shown } = keyAnswer(root, key, found)
    return [key, shown]
  })
  const version = stateVersion(root, point)
  const changed = root.log.findLastIndex(({ stream }, place) => stream === 'state' && place < point) + 1
  const time = timeOf(root, changed || 1)
  const numbers = { version, global_version: version, last_sequence: version, sequence: version, seq: point }
  const state = Object.fromEntries(chosen.map(([key, { value }]) => [key, value]))
  const times = { updated_at: time, materialized_at: time }
  return { root_session_id: root.id, state, keys: Object.fromEntries(keys), ...numbers, ...times }
}

/** Greedy, newest change first, as long as the JSON of all of it stays short enough. */
function summary(root: Root, _session: Session, input: Obj): Obj {
  const [keysMax, bytesMax] = [Number(input.max_keys ?? 10), Number(input.max_bytes ?? 2000)]
  const live = [...stateNow(root)].sort(([a, one], [b, other]) => other.seq - one.seq || byCodePoints(a, b))
  const newestFirst = live.filter(([, { value }]) => bytesOf(value) <= bytesMax).slice(0, keysMax)
  const packed = (marks: Obj) => {
    const chosen: [string, Json][] = []
    for (const [key, { value }] of newestFirst) {
      const more: [string, Json][] = [...chosen, [key, value]]
      if (bytesOf({ ...Object.fromEntries(more), ...marks }) <= bytesMax) chosen.push([key, value])
    }
    return { summary: { ...Object.fromEntries(chosen), ...marks }, keys: chosen.map(([key]) => key) }
  }
  const whole = packed({})
  const isWhole = whole.keys.length === live.length
  return { root_session_id: root.id, ...(isWhole ? whole : packed({ _truncated: true, _full_key_count: live.length })) }
}

/** Nobody else writes meanwhile: what is not so at once is not so when the time is over. */
function wait(root: Root, _session: Session, input: Obj): Obj {
  const key = String(input.key)
  const found = stateNow(root).get(key)
  const { condition, equals } = input
  const holds =
    condition === 'absent'
      ? found === undefined
      : found !== undefined && (equals === undefined || canonical(found.value) === canonical(equals))
  if (holds) return found === undefined ? { key, absent: true } : keyAnswer(root, key, found)
  return no('timeout', { key, ...(found && { current_version: found.version, current_value: found.value }) })
}

/** The first events of the state after a place, of keys that begin so and of the whole document. */
function watch(root: Root, _session: Session, { since, prefix = '', take }: Obj): Obj {
  const events = root.log.flatMap(({ stream, type, key }, place) =>
    stream === 'state' && place >= Number(since) && (key ?? String(prefix)).startsWith(String(prefix))
      ? [{ seq: place + 1, type, key }]
      : [],
  )
  return { events: events.slice(0, Number(take)) }
}

/** The log as `log.list` shows it, without the ids and hashes of events. */
function list(root: Root, _session: Session, input: Obj): Obj {
  const limit = Number(input.limit ?? 100)
  const since = Number(input.since ?? Math.max(0, root.log.length - limit))
  const versions = new Map<string, number>()
  const events = root.log.map(({ session, stream, key, type, data, request, actor = 'library' }, place) => {
    versions.set(stream, (versions.get(stream) ?? 0) + 1)
    const who = { session_no: session.no, session_id: session.id, actor, request, cause: null }
    const what = { stream, version: versions.get(stream) as number, key, type, data }
    return { seq: place + 1, ...who, ...what, at: timeOf(root, place + 1) }
  })
  const page = events.slice(since, since + limit)
  const hasMore = input.since === undefined ? since > 0 : events.length > since + limit
  const next = input.since === undefined ? { next_at: since } : { next_since: since + limit }
  const rest = { has_more: hasMore, ...(hasMore ? next : {}), last_seq: events.length }
  return { root_session_id: root.id, events: page, ...rest }
}

/** The mutations of the state as `state.events` shows them, without the ids of events. */
function stateEvents(root: Root, _session: Session, input: Obj): Obj {
  const of = root.log.flatMap((logged, place) => (logged.stream === 'state' ? [{ ...logged, seq: place + 1 }] : []))
  const since = Number(input.since ?? 0)
  if (since > of.length) return no('history_lost', { since, last_seq: of.length })
  const limit = Number(input.limit ?? 100)
  const events = of.map(({ type, key, data, session, seq }, place) => {
    const who = { session_id: session.id, changed_by: session.id, timestamp: timeOf(root, seq) }
    return { type, key, ...data, ...who, seq: place + 1, sequence_number: place + 1, root_seq: seq }
  })
  return { events: events.slice(since, since + limit), has_more: events.length > since + limit }
}

export const reads: Readonly<Record<string, Perform>> = {
  'state.get': get,
  'state.all': all,
  'state.summary': summary,
  'state.wait': wait,
  'state.watch': watch,
  'state.events': stateEvents,
  'log.list': list,
}
