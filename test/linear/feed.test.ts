import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { type Cairn, type Json, openCairn } from '../../src/index.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, type StoreKind, sharedStore } from '../setup/stores.ts'
import { opening } from './moving.ts'
import { inParts } from './parts.ts'
import { type Peer, sharedPeers, startPeer } from './peers.ts'
import { type Followed, type Reading, readFeed } from './reader.ts'
import { gapFree, ordered, problemsOf, resumable, unique, wholeLog } from './validators.ts'

const slowReaders = 5
const slowEvents = 2000

for (const kind of STORES) {
  describe(`the feed on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const peers = sharedPeers(() => store().options, 3)

    async function rootWithAccounts() {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: opening })
      return { cairn, session }
    }

    /** Ten writes at once. */
    async function count(cairn: Cairn, session: string): Promise<void> {
      await Promise.all(Array.from({ length: 10 }, () => cairn.state.increment({ session, key: 'n' })))
    }

    it('C28 U21 tells every reader the same, whenever and wherever it starts, stops and goes on', async () => {
      const { cairn, session } = await rootWithAccounts()
      const [first, second, third] = peers() as [Peer, Peer, Peer]
      const here = async (options: Partial<Followed> = {}) => readFeed(cairn, { session, ...options })
      const there = (options: Partial<Followed> = {}) => third.follow({ session, ...options })

      const readers = [await here(), await there(), await first.follow({ session })]
      const task = { session, movers: 3, batchesOfMover: 30 }
      const moving = Promise.all([first.move({ ...task, seed: 1 }), second.move({ ...task, seed: 2 })])
      await readers[0]?.until(60)
      readers.push(await here(), await there())
      const snapshot = await cairn.state.all({})
      const fromSnapshot = [await here({ since: snapshot.seq }), await there({ since: snapshot.seq })]
      const parts = [inParts((since) => here({ since }), 30), inParts((since) => there({ since }), 40)]
      await moving
      const log = await wholeLog(cairn, session)
      readers.push(await here(), await there())

      for (const reader of readers) {
        await reader.until(log.length)
        expect(problemsOf(await reader.stop(), log)).toEqual([])
      }
      for (const each of parts) {
        const came = await each.upTo(log.length)
        expect(came.length).toBeGreaterThan(1)
        expect(resumable(came, log)).toEqual([])
      }
      for (const reader of fromSnapshot) {
        if (snapshot.seq < log.length) await reader.until(log.length - snapshot.seq)
        const events = await reader.stop()
        expect(problemsOf(events, log, snapshot.seq)).toEqual([])
        // What was read at the bookmark and what came since make what is there now.
        expect(replayed(snapshot.state, events)).toEqual((await cairn.state.all({})).state)
      }
    })

    it('C28 tells what a process wrote that was killed before it could announce it', async () => {
      const { cairn, session } = await newRoot(store())
      const [peer] = peers() as [Peer]
      const readers = [readFeed(cairn, { session }), await peer.follow({ session })]
      for (const reader of readers) await reader.until(1)
      const doomed = await startPeer(store().options, { CAIRN_FAILPOINT: 'announce:kill@1' })
      await expect(doomed.call('state.set', { session, key: 'k', value: 1 })).rejects.toThrow('SIGKILL')
      for (const reader of readers) {
        await reader.until(2)
        expect(problemsOf(await reader.stop(), await wholeLog(cairn, session))).toEqual([])
      }
    })

    it('U55 filters by session, stream and type, and together', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'a child')
      const filters = [
        { session_no: 1 },
        { stream: 'state' },
        { stream: 'session/1' },
        { type: 'increment' },
        { session_no: 1, stream: 'state', type: 'set' },
        { session_no: 7 },
      ]
      const [peer] = peers() as [Peer]
      const readers = filters.map((filter) => readFeed(cairn, { session, ...filter }))
      const remote = await Promise.all(filters.map((filter) => peer.follow({ session, ...filter })))
      for (const by of [session, child]) {
        await count(cairn, by)
        await cairn.state.set({ session: by, key: 'by', value: by })
      }
      const log = await wholeLog(cairn, session)
      for (const [at, filter] of filters.entries()) {
        const wanted = (event: object) =>
          Object.entries({ ...event, ...filter }).every(([name, value]) => {
            return (event as Record<string, unknown>)[name] === value
          })
        const expected = log.filter(wanted).length
        for (const reader of [readers[at], remote[at]] as Reading[]) {
          await reader.until(expected)
          const events = await reader.stop()
          expect([...ordered(events), ...unique(events), ...gapFree(events, log, 0, wanted)]).toEqual([])
        }
      }
      expect(log.filter(({ session_no, type }) => session_no === 1 && type === 'increment')).toHaveLength(10)
    })

    it(`U55 is held up by no reader: ${slowReaders} take nothing while ${slowEvents} events are written, then all of them`, async () => {
      const { cairn, session } = await newRoot(store())
      const slow = Array.from({ length: slowReaders }, () => cairn.follow({ session }))
      const first = await Promise.all(slow.map((feed) => feed.next()))
      const quick = readFeed(cairn, { session })
      const operations = Array.from({ length: 100 }, () => ({ op: 'increment' as const, key: 'n' }))
      for (let at = 0; at < slowEvents / 100; at++) {
        await cairn.state.batch({ operations, request_id: `${session} ${at}` })
      }
      await quick.until(1 + slowEvents)
      const log = await wholeLog(cairn, session)
      expect(problemsOf(await quick.stop(), log)).toEqual([])
      for (const [at, feed] of slow.entries()) {
        const events = [first[at]?.value as FeedEvent]
        while (events.length < log.length) events.push((await feed.next()).value as FeedEvent)
        await feed.return()
        expect(problemsOf(events, log)).toEqual([])
      }
    })

    it('U49 tells a reader that bodies were removed, and where to go on', async () => {
      const { cairn, session } = await newRoot(store())
      await count(cairn, session)
      const { floor } = await cairn.store.compact({ session, older_than: '0ms' })
      await count(cairn, session)
      const log = await wholeLog(cairn, session)
      expect(floor).toBe(11)

      const feed = cairn.follow({ session })
      // That the session was created has not been removed.
      expect((await feed.next()).value).toMatchObject({ seq: 1, type: 'session_created' })
      const told = await refused(feed.next())
      expect(told).toMatchObject({
        code: 'compacted',
        details: { root_session_id: session, seq: 2, resume_since: floor },
      })
      expect((await feed.next()).done).toBe(true)

      // The state as it was there and what came since make what is there now.
      const { state } = await cairn.state.all({ at: floor })
      const reader = readFeed(cairn, { session, since: Number(told.details.resume_since) })
      await reader.until(10)
      const events = await reader.stop()
      expect(problemsOf(events, log, floor)).toEqual([])
      expect(replayed(state, events)).toEqual((await cairn.state.all({})).state)

      // Who does not want what was removed is not bothered with it.
      const sessions = readFeed(cairn, { session, stream: 'session/0' })
      expect(await sessions.until(1)).toMatchObject([{ seq: 1 }])
      await sessions.stop()
    })

    it('ends for readers that wait when the library is closed, whatever else is still being written', async () => {
      const { session } = await newRoot(store())
      const own = await openCairn({ ...store().options, session })
      const feeds = [own.follow({}), own.follow({})]
      for (const feed of feeds) await feed.next()
      const waiting = feeds.map((feed) => feed.next())
      const writing = Array.from({ length: 10 }, () => own.state.increment({ key: 'n' }))
      // A turn later all of them are on their way.
      await new Promise((resolve) => setImmediate(resolve))
      await own.close()
      expect(await Promise.all(writing)).toHaveLength(10)
      for (const [at, feed] of feeds.entries()) {
        // What was still written may come or not; then it is over.
        let last = await waiting[at]
        for (; last !== undefined && !last.done; last = await feed.next())
          expect(last.value).toMatchObject({ key: 'n' })
        expect(last?.done).toBe(true)
      }
    })

    it('C28 tells of all roots, each in its own order', async () => {
      const { cairn, session: known } = await newRoot(store())
      await count(cairn, known)
      const heads = await store().sql('SELECT id, seq FROM roots')
      // All that happened so far is known, except of one root its last four events.
      const since = Object.fromEntries(heads.map(({ id, seq }) => [String(id), Number(seq) - (id === known ? 4 : 0)]))
      const feed = cairn.followAll({ since, stream: 'state' })
      const made = await store().createRoot()
      const writing = Promise.all(
        [known, made].flatMap((each) =>
          peers().map((peer) => peer.call('state.append', { session: each, key: 'l', items: [1] })),
        ),
      )
      const came = new Map<string, FeedEvent[]>([
        [known, []],
        [made, []],
      ])
      for (let at = 0; at < 4 + 2 * peers().length; at++) {
        const { value } = await feed.next()
        came.get((value as FeedEvent).root_session_id)?.push(value as FeedEvent)
      }
      await writing
      await feed.return()
      expect(problemsOf(came.get(known) ?? [], await wholeLog(cairn, known), 7)).toEqual([])
      expect(problemsOf(came.get(made) ?? [], await wholeLog(cairn, made), 1)).toEqual([])
    })

    it('C28 goes on with the other roots when one is removed while a slow reader is on its way there', async () => {
      const { cairn, session: first } = await newRoot(store())
      const heads = await store().sql('SELECT id, seq FROM roots')
      const since = Object.fromEntries(heads.map(({ id, seq }) => [String(id), id === first ? 0 : Number(seq)]))
      const removed = [await store().createRoot(), await store().createRoot()]
      const feed = cairn.followAll({ since })
      const came = [(await feed.next()).value as FeedEvent]
      for (const session of removed) {
        const { details } = await refused(cairn.store.remove({ session }))
        await cairn.store.remove({ session, confirm: String(details.confirm), force: true })
      }
      await count(cairn, first)
      while (came.filter((event) => event.root_session_id === first).length < 11) {
        came.push((await feed.next()).value as FeedEvent)
      }
      await feed.return()
      const ofFirst = came.filter((event) => event.root_session_id === first)
      expect(problemsOf(ofFirst, await wholeLog(cairn, first))).toEqual([])
    })

    it('finds the planted fault drop-notify: the reader gets what was there, and nothing after', async () => {
      const { cairn, session } = await newRoot(store())
      const faulty = await startPeer(store().options, { CAIRN_FAULT: 'drop-notify' })
      const [peer] = peers() as [Peer]
      const [broken, healthy] = [await faulty.follow({ session }), await peer.follow({ session })]
      await Promise.all([broken.until(1), healthy.until(1)])
      // By then the broken one has looked once more and found nothing.
      for (let at = 0; at < 5; at++) await faulty.call('session.show', { session })
      for (let at = 1; at <= 3; at++) {
        await count(cairn, session)
        await healthy.until(1 + 10 * at)
      }
      const log = await wholeLog(cairn, session)
      expect(problemsOf(await healthy.stop(), log)).toEqual([])
      expect(problemsOf(await broken.stop(), log)).toContain('bookmarkable: from 0: gap-free: 31 did not come')
    })

    it('finds the planted fault reorder-feed', async () => {
      const { cairn, session } = await newRoot(store())
      await count(cairn, session)
      const faulty = await startPeer(store().options, { CAIRN_FAULT: 'reorder-feed' })
      const reader = await faulty.follow({ session })
      const events = await reader.until(20)
      await reader.stop()
      expect(ordered(events)).toContain('ordered: 10 came after 11')
      expect(unique(events)).not.toEqual([])
      expect(problemsOf(events, await wholeLog(cairn, session))).not.toEqual([])
    })
  })
}

describe('the feed on Postgres, whose notices can get lost', () => {
  const [, kind] = STORES as [StoreKind, StoreKind]
  const store = sharedStore(kind)
  const peers = sharedPeers(() => store().options, 1)

  /** The backends that listen, once there are so many which are none of these. */
  async function listeners(size: number, known: readonly unknown[] = []): Promise<unknown[]> {
    const asked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
    for (;;) {
      const pids = (await store().sql(asked)).map(({ pid }) => pid).filter((pid) => !known.includes(pid))
      if (pids.length >= size) return pids
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it('C28 loses nothing when the connections that listen are cut while others write', async () => {
    const { cairn, session } = await newRoot(store())
    const [peer] = peers() as [Peer]
    const readers = [readFeed(cairn, { session }), await peer.follow({ session })]
    for (const reader of readers) await reader.until(1)
    const before = await listeners(2)
    const write = async () => {
      for (let at = 0; at < 20; at++) {
        await Promise.all([cairn.state.increment({ key: 'n' }), peer.call('state.increment', { session, key: 'n' })])
      }
    }
    const writing = write()
    for (const pid of before) {
      expect(await store().sql('SELECT pg_terminate_backend($1) AS cut', pid as number)).toEqual([{ cut: true }])
    }
    await writing
    // They come back, and go on from where they were.
    await listeners(2, before)
    await write()
    const log = await wholeLog(cairn, session)
    expect(log).toHaveLength(81)
    for (const reader of readers) {
      await reader.until(log.length)
      expect(problemsOf(await reader.stop(), log)).toEqual([])
    }
  })
})

/** A state after these events. */
function replayed(state: Readonly<Record<string, Json>>, events: readonly FeedEvent[]): Record<string, Json> {
  const after: Record<string, Json> = { ...state }
  for (const { type, key, data } of events) {
    if (key === null) continue
    const { value, delta, items } = data as { value: Json; delta: number; items: Json[] }
    if (type === 'set') after[key] = value
    else if (type === 'increment') after[key] = Number(after[key] ?? 0) + delta
    else if (type === 'append') after[key] = [...((after[key] ?? []) as Json[]), ...items]
    else throw new Error(`nobody here makes a ${type}`)
  }
  return after
}
