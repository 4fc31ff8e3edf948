// A reader of the feed, in this process or, through `peers.ts`, in another one.
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { FollowOptions } from '../../src/domain/log/feed-filter.ts'
import type { Cairn } from '../../src/open.ts'

export type Followed = Omit<FollowOptions, 'signal'> & { readonly session: string }

export interface Reading {
  /** What came, once there are so many events; fails if the feed ends before. */
  until(count: number): Promise<FeedEvent[]>
  /** What came so far. */
  seen(): Promise<FeedEvent[]>
  /** Ends the feed; answers what came. */
  stop(): Promise<FeedEvent[]>
}

interface Waiting {
  readonly count: number
  readonly resolve: (events: FeedEvent[]) => void
  readonly reject: (error: unknown) => void
}

export function readFeed(cairn: Pick<Cairn, 'follow'>, options: Followed): Reading {
  const events: FeedEvent[] = []
  const waiting = new Set<Waiting>()
  const abort = new AbortController()
  let ended: Error | undefined

  const hear = (event: FeedEvent) => {
    events.push(event)
    for (const each of waiting) {
      if (events.length < each.count) continue
      waiting.delete(each)
      each.resolve([...events])
    }
  }
  const end = (why: Error) => {
    ended = why
    for (const { reject } of waiting) reject(why)
  }
  const read = async () => {
    for await (const event of cairn.follow({ ...options, signal: abort.signal })) hear(event)
  }
  const reading = read().then(() => end(new Error(`the feed ended after ${events.length} events`)), end)

  return {
    until: (count) =>
      new Promise((resolve, reject) => {
        if (events.length >= count) resolve([...events])
        else if (ended) reject(ended)
        else waiting.add({ count, resolve, reject })
      }),
    seen: async () => [...events],
    async stop() {
      abort.abort()
      await reading
      return events
    },
  }
}
