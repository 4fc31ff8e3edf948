// Clients of servers that are killed among it see each key as one register: what is sent again counts once.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { brokenKeys, never, type Recorded } from '../linear/checker.ts'
import { play, recordIn } from '../linear/playing.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type RunningServer, startServer } from './servers.ts'

const histories = process.env.CAIRN_LONG === undefined ? 4 : 50
const clients = 16
const operationsOfClient = 30
/** How the first server ends: after a commit before anybody was told, or from outside when half was asked, or not. */
const DEATHS = ['answer:kill@40', 'outside', undefined, undefined] as const

const seed = seedOf(1)
const timeout = 60_000 + histories * 15_000

describe.each(STORES)('histories of clients of a server on $name', (kind) => {
  const cairn = sandbox()
  const store = sharedStore(kind)

  function start(port = '0', env = {}): Promise<RunningServer> {
    const place = store().options.store ?? `sqlite:${store().home}/cairn.db`
    return startServer(cairn, ['--store', place, '--port', port], env)
  }

  /** What the clients asked and saw, half of them through the first address and half through the last. */
  async function record(servers: readonly RunningServer[], seed: number, halfway = () => {}): Promise<Recorded[]> {
    const session = await store().createRoot()
    const folder = join(store().home, '..', `record ${seed}`)
    mkdirSync(folder)
    const played = [servers[0], servers.at(-1)].map(async (server, at) => {
      const { url, token } = server as RunningServer
      const task = { session, clients: clients / 2, operationsOfClient, seed: seed * 2 + at }
      const file = join(folder, `${at}.jsonl`)
      const half = (task.clients * operationsOfClient) / 2
      const asking = (count: number) => at === 0 && count === half && halfway()
      await play(connect({ url, token }), { do: 'play', file, ...task }, asking)
      return recordIn(file)
    })
    return (await Promise.all(played)).flat()
  }

  it(`S0-5 S0-110 U15 U16 ${histories} of them: each key is one register, and every call is answered`, {
    timeout,
  }, async () => {
    // A Postgres may have two servers; the first one dies and comes back at its address.
    const others = kind.name === 'Postgres' ? [await start()] : []
    let first = await start()
    for (let at = 0; at < histories; at++) {
      const death = DEATHS[at % DEATHS.length]
      const { port } = new URL(first.url)
      if (death === DEATHS[0]) {
        await first.stop()
        first = await start(port, { CAIRN_FAILPOINT: death })
      }
      const played = first
      const again = death && played.ended.then(() => start(port))
      const history = await record([played, ...others], seed + at, () => death === 'outside' && played.stop('SIGKILL'))
      if (death) expect((await played.ended).signal).toBe('SIGKILL')
      first = (await again) ?? played
      const where = `history ${at} of seed ${seed}`
      expect(brokenKeys(history), where).toEqual([])
      expect(history.filter(({ ret }) => ret === never).length, where).toBe(0)
      expect(history, where).toHaveLength(clients * operationsOfClient)
    }
    for (const server of [first, ...others]) await server.stop()
  })

  it('finds the planted fault skip-cas', async () => {
    const faulty = await start('0', { CAIRN_FAULT: 'skip-cas' })
    expect(brokenKeys(await record([faulty], seed + histories))).not.toEqual([])
    await faulty.stop()
  })
})
