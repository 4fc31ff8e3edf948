import type { FeedEvent } from '../domain/log/event.ts'
import type { OpenFeed } from './fetch-transport.ts'
import { comingBack, type FeedTerms, lostAfter, openFeed } from './root-feed.ts'

/** What has to be known of the roots besides what happens below them. */
export interface Roots {
  /** All there are. */
  list(): AsyncIterable<string>
  /** Where the log of one ends now; undefined when it was removed. Refuses when more was seen of it than there is. */
  last(root: string, seen: number): Promise<number | undefined>
}

/**
 * Every event of all roots: each root in its order, without gap or repeat. A server tells of all roots only what is to come, so
 * that is listened to first; then what came before is read root by root, and what was heard meanwhile and read as well is left out.
 */
export function followRoots(
  { open, ...terms }: FeedTerms & { readonly open: OpenFeed },
  roots: Roots,
  since: Readonly<Record<string, number>>,
): AsyncGenerator<FeedEvent, void> {
  const seen = new Map(Object.entries(since))
  const seenOf = (root: string) => seen.get(root) ?? 0

  async function* upTo(root: string, last: number): AsyncGenerator<FeedEvent, void> {
    if (seenOf(root) >= last) return
    const feed = await openFeed(open, { root, since: seenOf(root) }, terms.signal)
    try {
      for await (const event of feed.events) {
        seen.set(root, event.seq)
        yield event
        if (event.seq >= last) return
      }
    } finally {
      await feed.close()
    }
    throw new Error('the connection was lost on the way')
  }

  async function* once(opened: () => void): AsyncGenerator<FeedEvent, void> {
    const live = await openFeed(open, {}, terms.signal)
    opened()
    try {
      for await (const root of roots.list()) yield* upTo(root, (await roots.last(root, seenOf(root))) ?? 0)
      for await (const event of live.events) {
        const root = event.root_session_id
        if (event.seq <= seenOf(root)) continue
        // Should anything have been left out on the way, the log has it.
        yield* upTo(root, event.seq - 1)
        seen.set(root, event.seq)
        yield event
      }
    } finally {
      await live.close()
    }
  }

  return comingBack(once, terms, () => lostAfter(Object.fromEntries(seen)))
}
