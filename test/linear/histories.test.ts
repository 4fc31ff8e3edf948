import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { brokenKeys, never, type Recorded } from './checker.ts'
import { type Peer, sharedPeers, startPeer } from './peers.ts'
import { recordIn } from './playing.ts'
import { readFeed } from './reader.ts'
import { problemsOf, wholeLog } from './validators.ts'

/** Of each store; together 50, or 1 000 in the long run. One on Postgres costs three times as much. */
const HISTORIES = process.env.CAIRN_LONG ? { SQLite: 500, Postgres: 500 } : { SQLite: 38, Postgres: 12 }
/** Spread over 2 processes, or over 4 of which one is killed. */
const clients = 16
/** Together 1 000 operations and a few more. */
const operationsOfClient = 63

/** In every fifth history one process is killed, each time in another way: from outside or at a place of its own. */
const deathEvery = 5
const DEATHS = ['outside', 'commit:kill@10', 'answer:kill@10', 'append:kill@10', 'begin:kill@10'] as const

/** Printed with a failure: the same seed asks the same, though the times differ. */
const seed = seedOf(1)

for (const kind of STORES) {
  describe(`histories of ${clients} clients in several processes on ${kind.name}`, () => {
    const histories = HISTORIES[kind.name]
    const store = sharedStore(kind)
    const peers = sharedPeers(() => store().options, 3)

    /** What all clients of these processes asked and saw in a root of their own. */
    async function record(players: readonly Peer[], seed: number): Promise<{ session: string; history: Recorded[] }> {
      const session = await store().createRoot()
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
      return { session, history: files.flatMap(recordIn) }
    }

    /** A history in which one process is killed in the middle. */
    async function recordDeath(how: (typeof DEATHS)[number], seed: number) {
      const doomed = await startPeer(store().options, how === 'outside' ? {} : { CAIRN_FAILPOINT: how })
      if (how === 'outside') void doomed.halfway().then(() => doomed.kill())
      const recorded = await record([doomed, ...peers()], seed)
      expect(await doomed.ended).toBe('SIGKILL')
      expect(recorded.history.filter(({ ret }) => ret === never).length).toBeGreaterThan(0)
      return recorded
    }

    it(`S0-5 S0-110 C28 ${histories} of them: each key is one register, and the feed tells all that happened`, async () => {
      const cairn = await store().open()
      let known = 0
      for (let at = 0; at < histories; at++) {
        const death = at % deathEvery === 0 ? DEATHS[(at / deathEvery) % DEATHS.length] : undefined
        const { session, history } = await (death
          ? recordDeath(death, seed + at)
          : record(peers().slice(0, 2), seed + at))
        const where = `history ${at} of seed ${seed}`
        expect(brokenKeys(history), where).toEqual([])
        known += history.filter(({ ret }) => ret !== never).length
        const log = await wholeLog(cairn, session)
        const reader = readFeed(cairn, { session })
        await reader.until(log.length)
        expect(problemsOf(await reader.stop(), log), where).toEqual([])
      }
      // A history counts only if nearly all of it was answered.
      expect(known).toBeGreaterThan(histories * clients * operationsOfClient * 0.9)
    }, 3_600_000)

    it('finds the planted fault skip-cas', async () => {
      const faulty = await Promise.all([0, 1].map(() => startPeer(store().options, { CAIRN_FAULT: 'skip-cas' })))
      const { history } = await record(faulty, seed + histories)
      expect(brokenKeys(history)).not.toEqual([])
    })

    it('finds one stale read in a history that is right without it', async () => {
      const { history } = await record(peers().slice(0, 2), seed + histories + 1)
      const { asked, seen } = history.find(({ asked, seen }) => asked.do === 'increment' && seen) as Recorded
      const end = Math.max(...history.map(({ ret }) => ret).filter((ret) => ret !== never))
      const later: Recorded = { asked: { key: asked.key, do: 'delete' }, call: end + 1, ret: never }
      const stale: Recorded = { asked: { key: asked.key, do: 'get' }, call: end + 2, ret: end + 3, seen }
      expect(brokenKeys([...history, later])).toEqual([])
      expect(brokenKeys([...history, stale])).toEqual([asked.key])
    })
  })
}
