import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { Cairn } from '../../src/open.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { brokenKeys, never, type Recorded } from './checker.ts'
import { inParts } from './parts.ts'
import { type Peer, sharedPeers, startPeer } from './peers.ts'
import { recordIn } from './playing.ts'
import { type Reading, readFeed } from './reader.ts'
import { problemsOf, resumable, wholeLog } from './validators.ts'

/** Of each store; together 50, or 1 000 in the long run. One on Postgres costs three times as much. */
const HISTORIES = process.env.CAIRN_LONG ? { SQLite: 500, Postgres: 500 } : { SQLite: 38, Postgres: 12 }
/** Spread over 2 processes, or over 4 of which one is killed. */
const clients = 16
/** Together 1 000 operations and a few more. */
const operationsOfClient = 63

/** In every fifth history one process is killed, each time in another way: from outside or at a place of its own. */
const deathEvery = 5
/** A reader that stops and goes on does so after so many events. */
const partEvents = 150

const DEATHS = ['outside', 'commit:kill@10', 'answer:kill@10', 'append:kill@10', 'begin:kill@10'] as const

/** Printed with a failure: the same seed asks the same, though the times differ. */
const seed = seedOf(1)

for (const kind of STORES) {
  describe(`histories of ${clients} clients in several processes on ${kind.name}`, () => {
    const histories = HISTORIES[kind.name]
    const store = sharedStore(kind)
    const peers = sharedPeers(() => store().options, 3)

    /** What all clients of these processes asked and saw in a root of their own, which somebody follows all the while. */
    async function record<Follower>(
      players: readonly Peer[],
      seed: number,
      follow: (session: string) => Promise<Follower>,
    ): Promise<{ session: string; history: Recorded[]; follower: Follower }> {
      const session = await store().createRoot()
      const follower = await follow(session)
      const folder = join(store().home, '..', `record ${seed}`)
      mkdirSync(folder)
      const files = players.map((_, at) => join(folder, `${at}.jsonl`))
      const task = { session, clients: clients / players.length, operationsOfClient }
      const playing = players.map((peer, at) => {
        return peer
          .play({ ...task, file: files[at] as string, seed: seed * players.length + at })
          .catch(async (error) => {
            // One that was killed has left a record all the same.
            if ((await Promise.race([peer.ended, null])) !== 'SIGKILL') throw error
          })
      })
      await Promise.all(playing)
      return { session, history: files.flatMap(recordIn), follower }
    }

    /** A history in which one process is killed in the middle. */
    async function recordDeath<Follower>(
      how: (typeof DEATHS)[number],
      seed: number,
      follow: (session: string) => Promise<Follower>,
    ) {
      const doomed = await startPeer(store().options, how === 'outside' ? {} : { CAIRN_FAILPOINT: how })
      if (how === 'outside') void doomed.halfway().then(() => doomed.kill())
      const recorded = await record([doomed, ...peers()], seed, follow)
      expect(await doomed.ended).toBe('SIGKILL')
      expect(recorded.history.filter(({ ret }) => ret === never).length).toBeGreaterThan(0)
      return recorded
    }

    /** Readers of a root while it is written: here, in a process that writes only where one is killed, and one that stops and goes on. */
    async function follow(cairn: Cairn, session: string) {
      const there = peers()[2] as Peer
      const start = (since = 0) => there.follow({ session, since })
      const live: Reading[] = [readFeed(cairn, { session }), await start()]
      const parts = inParts(start, partEvents)
      return {
        /** What is wrong with what they were told, and with what one is told that begins only now. */
        async problems(): Promise<string[]> {
          const log = await wholeLog(cairn, session)
          const readers = [...live, readFeed(cairn, { session })]
          for (const reader of readers) await reader.until(log.length)
          const told = await Promise.all(readers.map((reader) => reader.stop()))
          const joined = await parts.upTo(log.length)
          expect(joined.length).toBeGreaterThan(1)
          expect(pairsIn(log)).toBeGreaterThan(0)
          return [...told.flatMap((events) => problemsOf(events, log)), ...resumable(joined, log)]
        },
      }
    }

    it(`S0-5 S0-110 C28 U21 ${histories} of them: each key is one register, and the feed tells all that happens while it does and afterwards`, async () => {
      const cairn = await store().open()
      let known = 0
      for (let at = 0; at < histories; at++) {
        const death = at % deathEvery === 0 ? DEATHS[(at / deathEvery) % DEATHS.length] : undefined
        const following = (session: string) => follow(cairn, session)
        const { history, follower } = await (death
          ? recordDeath(death, seed + at, following)
          : record(peers().slice(0, 2), seed + at, following))
        const where = `history ${at} of seed ${seed}`
        expect(brokenKeys(history), where).toEqual([])
        expect(await follower.problems(), where).toEqual([])
        known += history.filter(({ ret }) => ret !== never).length
      }
      // A history counts only if nearly all of it was answered.
      expect(known).toBeGreaterThan(histories * clients * operationsOfClient * 0.9)
    }, 3_600_000)

    it('finds the planted fault reorder-feed in a reader that follows, and a dropped event in what one was told', async () => {
      const cairn = await store().open()
      const faulty = await startPeer(store().options, { CAIRN_FAULT: 'reorder-feed' })
      const { session, follower } = await record(peers().slice(0, 2), seed + histories + 2, async (session) => {
        const reader = await faulty.follow({ session })
        // It goes over the same events again and again, and would take long to come to its end.
        const broken = reader.until(partEvents).finally(() => faulty.kill())
        return { broken, live: readFeed(cairn, { session }) }
      })
      const log = await wholeLog(cairn, session)
      expect(problemsOf(await follower.broken, log).join('; ')).toMatch(/ordered: /)
      await follower.live.until(log.length)
      const told = await follower.live.stop()
      expect(problemsOf(told, log)).toEqual([])
      const dropped = told.findIndex(({ key }) => key === 'beside')
      const { request, seq } = told[dropped] as FeedEvent
      const without = told.filter((_, at) => at !== dropped)
      expect(problemsOf(without, log)).toEqual([
        `atomic: 1 of 2 events of ${request} came`,
        `bookmarkable: from 0: gap-free: ${seq} did not come`,
      ])
      expect(resumable([without.slice(0, 100), without.slice(100)], log)).toHaveLength(2)
    })

    it('finds the planted fault skip-cas', async () => {
      const faulty = await Promise.all([0, 1].map(() => startPeer(store().options, { CAIRN_FAULT: 'skip-cas' })))
      const { history } = await record(faulty, seed + histories, nobody)
      expect(brokenKeys(history)).not.toEqual([])
    })

    it('finds one stale read in a history that is right without it', async () => {
      const { history } = await record(peers().slice(0, 2), seed + histories + 1, nobody)
      const { asked, seen } = history.find(({ asked, seen }) => asked.do === 'increment' && seen) as Recorded
      const end = Math.max(...history.map(({ ret }) => ret).filter((ret) => ret !== never))
      const later: Recorded = { asked: { key: asked.key, do: 'delete' }, call: end + 1, ret: never }
      const stale: Recorded = { asked: { key: asked.key, do: 'get' }, call: end + 2, ret: end + 3, seen }
      expect(brokenKeys([...history, later])).toEqual([])
      expect(brokenKeys([...history, stale])).toEqual([asked.key])
    })
  })
}

/** Where nobody follows. */
async function nobody(): Promise<void> {}

/** How many requests have made two events. */
function pairsIn(log: readonly { request: string | null }[]): number {
  return log.filter(({ request }, at) => request !== null && request === log[at - 1]?.request).length
}
