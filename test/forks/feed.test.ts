// The feed of a fork begins with what it shares and goes on with its own; waits and other roots hear of it as of any root.
import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { Cairn } from '../../src/open.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { wholeLog } from '../upkeep/reading.ts'
import { eraseKey, removeRoot } from './pictures.ts'

/** The first events that a feed brings; it is given up when none comes for too long. */
async function first(feed: AsyncIterable<FeedEvent>, count: number): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  if (count === 0) return events
  for await (const event of feed) if (events.push(event) === count) break
  return events
}

const patience = () => AbortSignal.timeout(20_000)

/** A fork of a fork, with events of three roots in it: 5 of the first, 3 of the second, 2 of its own. */
async function generations(cairn: Cairn, session: string): Promise<[string, string]> {
  const increment = (of: string) => cairn.state.increment({ session: of, key: 'n' })
  for (let at = 0; at < 6; at++) await increment(session)
  const { session_id: fork } = await cairn.session.fork({ session, at: 5 })
  for (let at = 0; at < 5; at++) await increment(fork)
  const { session_id: second } = await cairn.session.fork({ session: fork, at: 8 })
  for (let at = 0; at < 2; at++) await increment(second)
  return [fork, second]
}

for (const kind of STORES) {
  describe(`the feed of forks on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-13 brings from any event on what the log has, and then what happens', async () => {
      const { cairn, session } = await newRoot(store())
      const [, fork] = await generations(cairn, session)
      const log = (await wholeLog(cairn, fork)).map((event) => ({ root_session_id: fork, ...event }))
      expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      for (let since = 0; since <= 10; since++) {
        const feed = cairn.follow({ session: fork, since, signal: patience() })
        expect(await first(feed, 10 - since), `since ${since}`).toEqual(log.slice(since))
      }
    })

    it('brings what happens in a fork live, from another process too, and nothing of its origin', async () => {
      const { cairn, session } = await newRoot(store())
      const [middle, fork] = await generations(cairn, session)
      const reader = await store().open()
      const heard = first(reader.follow({ session: fork, since: 7, signal: patience() }), 5)
      for (const of of [session, fork, middle, fork, session])
        await cairn.state.set({ session: of, key: 'k', value: of })
      const events = await heard
      expect(events.map(({ seq }) => seq)).toEqual([8, 9, 10, 11, 12])
      expect(events.every((event) => event.root_session_id === fork)).toBe(true)
      expect(events.slice(3).map(({ data }) => data)).toEqual([{ value: fork }, { value: fork }])
    })

    it('all roots: whoever follows them hears of a fork as soon as it is made, from its first event on', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 2; at++) await cairn.state.increment({ key: 'n' })
      const { log, caller } = await store().openLog()
      for (const reader of [cairn, await store().open()]) {
        const since = await log.heads(caller)
        const heard = first(reader.followAll({ since, signal: patience() }), 3)
        const { session_id: fork } = await cairn.session.fork({ session })
        const events = await heard
        expect(events.map(({ root_session_id: root, seq }) => [root, seq])).toEqual([1, 2, 3].map((seq) => [fork, seq]))
        expect((await log.heads(caller))[fork]).toBe(3)
      }
    })

    it('goes on when its origins are removed', async () => {
      const { cairn, session } = await newRoot(store())
      const [middle, fork] = await generations(cairn, session)
      const stays = first(cairn.follow({ session: fork, since: 2, signal: patience() }), 9)
      await removeRoot(cairn, session)
      await removeRoot(cairn, middle)
      await cairn.state.increment({ session: fork, key: 'n' })
      expect((await stays).map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
    })

    it('is told where to go on when what it shares was erased in it, and not when it was in the origin', async () => {
      const { cairn, session } = await newRoot(store())
      const [middle, fork] = await generations(cairn, session)
      await eraseKey(cairn, session, 'n')
      await eraseKey(cairn, middle, 'n')
      expect(await first(cairn.follow({ session: fork, since: 0, signal: patience() }), 10)).toHaveLength(10)
      const told = await refused(first(cairn.follow({ session: middle, since: 0, signal: patience() }), 3))
      expect(told).toMatchObject({ code: 'compacted', details: { seq: 2 } })
    })

    it('a wait in a fork ends with what is written there, and not with what is written in its origin', async () => {
      const { cairn, session } = await newRoot(store())
      const [middle, fork] = await generations(cairn, session)
      expect(await cairn.state.wait({ session: fork, key: 'n', equals: 9 })).toMatchObject({ seq: 10 })
      const waiting = cairn.state.wait({ session: fork, key: 'done', timeout: '20s' })
      for (const of of [session, middle, fork]) await cairn.state.set({ session: of, key: 'done', value: of })
      expect(await waiting).toMatchObject({ value: fork, version: 1, seq: 11 })
    })
  })
}
