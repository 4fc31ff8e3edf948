// What readers of the feed are promised, as checks: each answers with what is wrong, in words, and with nothing if all
// is well. `log` is the whole log of the root, read at the end.
import { isDeepStrictEqual } from 'node:util'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { Cairn } from '../../src/open.ts'

type LogEvent = Omit<FeedEvent, 'root_session_id'>

export async function wholeLog(cairn: Cairn, session: string): Promise<LogEvent[]> {
  const log: LogEvent[] = []
  for (;;) {
    const page = await cairn.log.list({ session, since: log.at(-1)?.seq ?? 0, limit: 1000 })
    log.push(...page.events)
    if (!page.has_more) return log
  }
}

/** Each event comes after all that came before it. */
export function ordered(events: readonly LogEvent[]): string[] {
  return events.flatMap(({ seq }, at) => {
    const before = events[at - 1]?.seq ?? 0
    return seq < before ? [`ordered: ${seq} came after ${before}`] : []
  })
}

/** No event comes twice, and no two have one number. */
export function unique(events: readonly LogEvent[]): string[] {
  const twice = (names: readonly (string | number)[]) => names.filter((name, at) => names.indexOf(name, at + 1) !== -1)
  const seqs = new Set(events.map(({ seq }) => seq))
  const ids = new Set(events.map(({ id }) => id))
  if (seqs.size === events.length && ids.size === events.length) return []
  return [...twice(events.map(({ seq }) => seq)), ...twice(events.map(({ id }) => id))].map(
    (name) => `unique: ${name} came twice`,
  )
}

/** What one request made comes whole and with nothing in between. Requests of the suite have ids of their own. */
export function atomic(events: readonly LogEvent[], log: readonly LogEvent[], since = 0): string[] {
  const wrong: string[] = []
  const made = groups(log.filter(({ seq }) => seq > since))
  const came = groups(events)
  for (const [request, of] of came) {
    const [first] = of as [number]
    const whole = made.get(request)?.length
    if (of.some((place, at) => place !== first + at)) wrong.push(`atomic: ${request} was split`)
    else if (of.length !== whole) wrong.push(`atomic: ${of.length} of ${whole} events of ${request} came`)
  }
  return wrong
}

/** The places of the events of each request. */
function groups(events: readonly LogEvent[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, { request }] of events.entries()) {
    if (request === null) continue
    const of = places.get(request)
    if (of) of.push(place)
    else places.set(request, [place])
  }
  return places
}

/** Everything that is in the log after `since`, and wanted, comes, as it is in the log; and nothing else does. */
export function gapFree(
  events: readonly FeedEvent[],
  log: readonly LogEvent[],
  since = 0,
  wanted: (event: LogEvent) => boolean = () => true,
): string[] {
  const expected = new Map(log.filter((event) => event.seq > since && wanted(event)).map((event) => [event.seq, event]))
  const wrong: string[] = []
  for (const { root_session_id: _root, ...event } of events) {
    const logged = expected.get(event.seq)
    if (logged === undefined) wrong.push(`gap-free: ${event.seq} was not to come`)
    else if (!isDeepStrictEqual(event, logged)) wrong.push(`gap-free: ${event.seq} is not as it is in the log`)
  }
  const came = new Set(events.map(({ seq }) => seq))
  for (const seq of expected.keys()) if (!came.has(seq)) wrong.push(`gap-free: ${seq} did not come`)
  return wrong
}

/** A reader that stopped and went on, each time from the last sequence it had, gets what one gets that never stopped. */
export function resumable(parts: readonly (readonly FeedEvent[])[], log: readonly LogEvent[]): string[] {
  const joined = parts.flat()
  const wrong = [...ordered(joined), ...unique(joined), ...gapFree(joined, log), ...atomic(joined, log)]
  return wrong.map((each) => `resumable: ${each}`)
}

/** A sequence that was seen is a bookmark: whoever starts there gets nothing up to it and everything after it. */
export function bookmarkable(bookmark: number, events: readonly FeedEvent[], log: readonly LogEvent[]): string[] {
  const early = events.filter(({ seq }) => seq <= bookmark).map(({ seq }) => `bookmarkable: ${seq} was seen before`)
  return [...early, ...gapFree(events, log, bookmark).map((each) => `bookmarkable: from ${bookmark}: ${each}`)]
}

/** All that holds for one reader of everything after `since`, which is no place within a batch. */
export function problemsOf(events: readonly FeedEvent[], log: readonly LogEvent[], since = 0): string[] {
  return [...ordered(events), ...unique(events), ...atomic(events, log, since), ...bookmarkable(since, events, log)]
}
