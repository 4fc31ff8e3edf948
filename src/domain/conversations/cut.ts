import { type Asking, ask, askRow } from '../log/questions.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { streams } from '../log/tables.ts'
import { contextStream, type ToolResultRecorded } from './facts.ts'
import { aboutConversations, type ContextEvent } from './questions.ts'
import type { Point } from './visible/visible.ts'

/** Versions that are looked through at once for the ends of a turn; then twice as many, so that a long one takes few questions. */
const page = 64

/** The version to which a conversation has come. */
export function* lastVersion(root: number, no: number): Asking<number> {
  return (yield* askRow(streams, root, contextStream(no)))?.version ?? 0
}

/**
 * Where a conversation may be cut: anywhere but inside one message of the provider, and not between the call of a tool and its
 * result. Its end is always one such place, whatever is still open there.
 */
export function* cutAt(root: number, no: number, version: number): Asking<Point | Refusal> {
  const last = yield* lastVersion(root, no)
  if (version > last) return badCut(version, [last])
  if (version === 0) return { version, seq: 0 }
  const [event, next] = yield* ask(aboutConversations.context_events, root, contextStream(no), version - 1, version + 1)
  if (event === undefined) return badCut(version, [last])
  if (next === undefined || !mayGoOn(next)) return { version, seq: event.seq }
  const before = yield* turnBehind(root, no, version)
  const turn = withNext(before, next)
  if (turn.start === undefined) return { version, seq: event.seq }
  return badCut(version, [turn.start - 1, yield* endOfTurn(root, no, turn, last)])
}

/** What is known of a turn once a version was looked at. */
interface Turn {
  readonly version: number
  /** The first version of what must stay whole, where this one goes on with it. */
  readonly start: number | undefined
  /** The message since which there was nothing but its own calls and their results. */
  readonly message: number
}

type Going = Partial<Pick<ToolResultRecorded, 'in' | 'joined'>>

function isOfCall({ type }: ContextEvent): boolean {
  return type === 'tool_call' || type === 'tool_result'
}

function mayGoOn(event: ContextEvent): boolean {
  return isOfCall(event) || bodyOf<Going>(event)?.joined === true
}

function withNext(before: Turn, event: ContextEvent): Turn {
  const { version } = event
  const { in: message, joined } = bodyOf<Going>(event) ?? {}
  const isOwn = isOfCall(event) && message === before.message
  const turn = { version, message: isOwn ? before.message : version }
  if (event.type === 'tool_call' || (event.type === 'tool_result' && isOwn)) return { ...turn, start: message }
  // It was one message with the one before it.
  return { ...turn, start: joined ? (before.start ?? before.version) : undefined }
}

/** The turn at a version, from the last event on that begins one for certain. */
function* turnBehind(root: number, no: number, version: number): Asking<Turn> {
  for (let count = page; ; count *= 2) {
    const from = Math.max(0, version - count)
    const events = yield* ask(aboutConversations.context_events, root, contextStream(no), from, version)
    const first = events.findLastIndex((event) => !mayGoOn(event))
    if (first < 0 && from > 0) continue
    return events.slice(Math.max(0, first)).reduce(withNext, { version: 0, start: undefined, message: 0 })
  }
}

/** The next place at which a conversation may be cut. */
function* endOfTurn(root: number, no: number, begun: Turn, last: number): Asking<number> {
  let turn = begun
  for (let count = page; turn.version < last; count *= 2) {
    const events = yield* ask(
      aboutConversations.context_events,
      root,
      contextStream(no),
      turn.version,
      turn.version + count,
    )
    if (events.length === 0) break
    for (const event of events) {
      turn = withNext(turn, event)
      if (turn.start === undefined) return event.version - 1
    }
  }
  return last
}

function bodyOf<Body>({ data }: ContextEvent): Body | undefined {
  return data === null ? undefined : (JSON.parse(data) as Body)
}

function badCut(version: number, nearest: readonly number[]): Refusal {
  const legal = [...new Set(nearest.filter((each) => each >= 0))]
  const isPast = legal.length === 1 && version > (legal[0] ?? 0)
  const message = isPast
    ? `The conversation ends at ${legal[0]}; ${version} does not exist yet.`
    : `Point ${version} lies inside a message, or between a tool call and its result.`
  return refuse('bad_cut', message, `Name ${legal.join(' or ')}.`, { point: version, nearest: legal })
}
