import { type Asking, ask, askRow } from '../log/questions.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { streams } from '../log/tables.ts'
import { contextStream, type ToolCallRecorded, type ToolResultRecorded } from './facts.ts'
import type { ContextEvent } from './questions.ts'
import type { Point } from './visible.ts'

/** Results that come later than so many versions after their message belong to no turn that must stay whole. */
const turnMax = 1024
/** Versions that are looked through at once for the end of a turn. */
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
  const [event, next] = yield* ask('context_events', root, contextStream(no), version - 1, version + 1)
  if (event === undefined) return badCut(version, [last])
  const start = next && (yield* turnOf(root, no, next))
  if (start === undefined) return { version, seq: event.seq }
  const end = yield* endOfTurn(root, no, version + 1, last)
  return badCut(version, [start - 1, end])
}

/** The first version of what must stay whole, where this event goes on with it. */
function* turnOf(root: number, no: number, event: ContextEvent): Asking<number | undefined> {
  if (event.type === 'tool_call') return bodyOf<ToolCallRecorded>(event)?.in
  if (event.type === 'tool_result') {
    const { in: start = 0, joined } = bodyOf<ToolResultRecorded>(event) ?? {}
    if (yield* isWithin(root, no, start, event.version)) return start
    return joined ? yield* turnBefore(root, no, event) : undefined
  }
  return bodyOf<{ joined?: true }>(event)?.joined ? yield* turnBefore(root, no, event) : undefined
}

/** It was one message with the one before it. */
function* turnBefore(root: number, no: number, { version }: ContextEvent): Asking<number | undefined> {
  const [before] = yield* ask('context_events', root, contextStream(no), version - 2, version - 1)
  return before && ((yield* turnOf(root, no, before)) ?? before.version)
}

/** Whether nothing but calls and results of one message stands between it and a version. */
function* isWithin(root: number, no: number, start: number, version: number): Asking<boolean> {
  if (start === 0 || version - start > turnMax) return false
  const between = yield* ask('context_events', root, contextStream(no), start, version - 1)
  return between.every(
    (each) =>
      (each.type === 'tool_call' || each.type === 'tool_result') && bodyOf<ToolCallRecorded>(each)?.in === start,
  )
}

/** The next place after a version at which a conversation may be cut. */
function* endOfTurn(root: number, no: number, from: number, last: number): Asking<number> {
  for (let after = from; after < last; after += page) {
    for (const event of yield* ask('context_events', root, contextStream(no), after, after + page)) {
      if ((yield* turnOf(root, no, event)) === undefined) return event.version - 1
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
