import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { accounts, opening, sumOf, total } from './moving.ts'
import { sharedPeers, startPeer } from './peers.ts'
import { readFeed } from './reader.ts'
import { problemsOf, wholeLog } from './validators.ts'

const movers = 3
const batchesOfMover = process.env.CAIRN_LONG ? 300 : 15

/** Where one process is killed while it writes: before, within and after what must be all or nothing. */
const DEATHS = ['append:kill@6', 'project:kill@20', 'commit:kill@6', 'answer:kill@6']

type State = Readonly<Record<string, Json>>

for (const kind of STORES) {
  describe(`amounts moved by several processes on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const peers = sharedPeers(() => store().options, 2)

    async function open(): Promise<{ cairn: Cairn; session: string }> {
      const session = await store().createRoot()
      const cairn = await store().open({ session })
      await cairn.state.init({ initial_state: opening })
      return { cairn, session }
    }

    /** Reads the whole state over and over until told to stop; answers what it saw at each place of the log. */
    function watch(cairn: Cairn): { stop(): Promise<Map<number, State>> } {
      const seen = new Map<number, State>()
      let stopping = false
      const read = async () => {
        while (!stopping) {
          const { state, seq } = await cairn.state.all({})
          seen.set(seq, state)
          await new Promise((resolve) => setTimeout(resolve, 3))
        }
        return seen
      }
      const reading = read()
      return {
        stop() {
          stopping = true
          return reading
        },
      }
    }

    it.each(DEATHS)(
      'S0-80 U16 a process dies at %s: the total is the same in every snapshot and every past',
      async (at) => {
        const { cairn, session } = await open()
        const doomed = await startPeer(store().options, { CAIRN_FAILPOINT: at })
        const watching = watch(cairn)
        const reader = readFeed(cairn, { session })
        const task = { session, movers, batchesOfMover }
        const dying = doomed.move({ ...task, seed: 0 }).catch((error: Error) => error.message)
        const applied = await Promise.all(peers().map((peer, at) => peer.move({ ...task, seed: at + 1 })))
        expect(await dying).toBe('a peer ended with SIGKILL')
        const seen = await watching.stop()

        expect([...seen.values()].map(sumOf).filter((sum) => sum !== total)).toEqual([])
        for (const [seq, state] of seen) expect((await cairn.state.all({ at: seq })).state).toEqual(state)

        const log = await wholeLog(cairn, session)
        const requests = new Set(log.flatMap(({ request }) => request ?? []))
        const bySurvivors = [...requests].filter((request) => !request.startsWith(`${session} 0 `))
        expect(bySurvivors).toHaveLength(applied.reduce((sum, times) => sum + times, 0))
        expect(requests.size).toBeGreaterThan(bySurvivors.length)

        // Every place between two batches, of which every third is read.
        const ends = log.filter(({ request }, at) => request !== null && log[at + 1]?.request !== request)
        expect(ends).toHaveLength(requests.size)
        for (const { seq } of ends.filter((_, at) => at % 3 === 0)) {
          expect(sumOf((await cairn.state.all({ at: seq })).state), `at ${seq}`).toBe(total)
        }
        await reader.until(log.length)
        expect(problemsOf(await reader.stop(), log)).toEqual([])
      },
    )

    it('sees a total that is wrong: half of a batch, read in the past, is not the whole', async () => {
      const { cairn } = await open()
      const [from, to] = accounts
      const operations = [
        { op: 'increment' as const, key: from, delta: -7 },
        { op: 'increment' as const, key: to, delta: 7 },
      ]
      await cairn.state.batch({ operations })
      const { seq } = await cairn.state.all({})
      expect(sumOf((await cairn.state.all({ at: seq })).state)).toBe(total)
      expect(sumOf((await cairn.state.all({ at: seq - 1 })).state)).toBe(total - 7)
    })
  })
}
