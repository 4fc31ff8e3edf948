import type { FeedEvent } from '../domain/log/event.ts'
import { CairnRefusal, type Refusal, refuse } from '../domain/log/refusal.ts'
import { elapsed, sleep } from '../web-clock.ts'
import { limitOf } from './abort-limit.ts'
import { refusalOf } from './attempt.ts'
import type { FeedQuery, OpenFeed } from './fetch-transport.ts'
import { pauseMs, retryMsIn } from './repeated-call.ts'
import { messagesIn } from './server-sent-events.ts'

/** A server says every 15 seconds that it is there; after four times that it is not. */
const silentMsMax = 60_000

/** A server that takes longer to begin a feed will not begin it. */
const openMsMax = 10_000

/** How long somebody follows, whatever becomes of the connection. */
export interface FeedTerms {
  /** How long a feed is tried to be opened again before it is said to be lost. */
  readonly deadlineMs: number
  /** Ends it. */
  readonly signal: AbortSignal
  /** Whether to open it again after this; `canComeBack` unless given. */
  readonly comesBack?: (error: unknown) => boolean
}

/** Every event of one root after `since`, in order, without gap or repeat, however often the connection is lost; without end. */
export function followRoot(
  open: (since: number) => Promise<Feed>,
  terms: FeedTerms,
  since: number,
): AsyncGenerator<FeedEvent, void> {
  let seen = since
  async function* once(opened: () => void): AsyncGenerator<FeedEvent, void> {
    const feed = await open(seen)
    opened()
    try {
      for await (const event of feed.events) {
        if (event.seq <= seen) continue
        seen = event.seq
        yield event
      }
    } finally {
      await feed.close()
    }
  }
  return comingBack(once, terms, () => lostAfter(seen))
}

/** Gives what a connection brings, and that of the next one when it is lost, until none could be opened for too long. */
export async function* comingBack(
  once: (opened: () => void) => AsyncGenerator<FeedEvent, void>,
  { deadlineMs, signal, comesBack = canComeBack }: FeedTerms,
  lost: () => Refusal,
): AsyncGenerator<FeedEvent, void> {
  let lostAt: number | undefined
  const opened = () => {
    lostAt = undefined
  }
  for (let tries = 0; !signal.aborted; tries++) {
    let leftAloneMs = 0
    try {
      for await (const event of once(opened)) {
        tries = 0
        yield event
      }
    } catch (error) {
      if (signal.aborted) return
      if (!comesBack(error)) throw error
      leftAloneMs = error instanceof CairnRefusal ? (retryMsIn(error.refusal) ?? 0) : 0
    }
    lostAt ??= elapsed()
    if (elapsed() - lostAt > deadlineMs) throw new CairnRefusal(lost())
    await sleep(Math.max(leftAloneMs, pauseMs(tries)), signal)
  }
}

/** One connection. */
export interface Feed {
  /** What it brings, until it ends; what the server says last is thrown. */
  readonly events: AsyncGenerator<FeedEvent, void>
  close(): Promise<unknown>
}

export async function openFeed(open: OpenFeed, query: FeedQuery, signal: AbortSignal): Promise<Feed> {
  const limit = limitOf([signal], openMsMax)
  const body = await open(query, limit.signal).catch((error: unknown) => {
    limit.release()
    throw error
  })
  limit.lift()
  const close = async () => {
    limit.release()
    // Whoever has begun to read it has cancelled it.
    await body.cancel().catch(() => undefined)
  }
  return { events: eventsIn(body), close }
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<FeedEvent, void> {
  for await (const { kind, data } of messagesIn(body, silentMsMax)) {
    if (kind === 'end') throw new CairnRefusal(refusalOf(JSON.parse(data)))
    yield (JSON.parse(data) as { event: FeedEvent }).event
  }
}

/** Whatever ends a connection; of refusals, those of a server that ends or is overloaded, or that this reader was too slow for. */
export function canComeBack(error: unknown): boolean {
  return !(error instanceof CairnRefusal) || ['unavailable', 'rate_limited', 'busy'].includes(error.code)
}

/** What is said when a server does not come back; `since` is where to go on, for each root where there are several. */
export function lostAfter(since: number | Record<string, number>): Refusal {
  const hint = 'Follow again from the last event received.'
  return refuse('unavailable', 'The connection to the server was lost.', hint, { since })
}
