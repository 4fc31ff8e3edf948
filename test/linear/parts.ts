// A reader of the feed that stops again and again while it grows, and goes on from the last sequence it had.
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { Reading } from './reader.ts'

interface Parts {
  /** Ends once it has this event, the last one; answers what it took between each start and stop. */
  upTo(last: number): Promise<FeedEvent[][]>
}

/** Stops each time it has taken `size` events; what came after them is for the next start. */
export function inParts(start: (since: number) => Promise<Reading>, size: number): Parts {
  const parts: FeedEvent[][] = []
  let last = Number.POSITIVE_INFINITY
  let tell = (_last: number): void => undefined
  const told = new Promise<number>((resolve) => {
    tell = resolve
  })
  const read = async () => {
    for (let since = 0; since < last; since = parts.at(-1)?.at(-1)?.seq ?? since) {
      const reader = await start(since)
      const came = await Promise.race([reader.until(size), told.then((end) => reader.until(end - since))])
      parts.push(came.slice(0, size))
      await reader.stop()
    }
    return parts
  }
  const reading = read()
  // Whoever asks for the parts is told why there are none.
  reading.catch(() => undefined)
  return {
    upTo(end) {
      last = end
      tell(end)
      return reading
    },
  }
}
