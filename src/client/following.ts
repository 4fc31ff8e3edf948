import { elapsed, sleep } from '../clock.ts'
import type { FeedEvent } from '../domain/event.ts'
import { CairnRefusal, refuse } from '../domain/refusal.ts'
import { refusalOf } from './attempt.ts'
import { messagesIn } from './server-sent.ts'

/** How long to wait before a feed that was cut off is asked for again. */
const againMs = 200

/** Asks for the feed after a sequence; throws the refusal of the server, or anything when it is not there. */
export type OpenFeed = (since: number) => Promise<ReadableStream<Uint8Array>>

/** Every event after `since`, in order, without gap or repeat, however often the connection is lost; without end. */
export async function* followRemote(
  open: OpenFeed,
  since: number,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<FeedEvent, void> {
  let seen = since
  let lostAt: number | undefined
  while (!signal?.aborted) {
    try {
      const body = await open(seen)
      lostAt = undefined
      for await (const { kind, data } of messagesIn(body)) {
        if (kind === 'end') throw new CairnRefusal(refusalOf(JSON.parse(data)))
        const { event, seq } = JSON.parse(data) as { event: FeedEvent; seq: number }
        seen = seq
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof CairnRefusal && !canComeBack(error)) throw error
    }
    lostAt ??= elapsed()
    if (elapsed() - lostAt > deadlineMs) throw new CairnRefusal(lost(seen))
    await sleep(againMs)
  }
}

/** A server that ends, or that this reader was too slow for. */
function canComeBack({ code }: CairnRefusal): boolean {
  return code === 'unavailable' || code === 'rate_limited'
}

function lost(seen: number) {
  return refuse('unavailable', 'The server cannot be reached any more.', `Follow again from ${seen}.`, { since: seen })
}
