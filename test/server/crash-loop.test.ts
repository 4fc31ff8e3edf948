// The server is killed again and again while clients count: every call is answered in the end, and counts once.
import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { STORES, type TestStore } from '../setup/stores.ts'
import { type RunningServer, startServer } from './servers.ts'

const rounds = process.env.CAIRN_LONG === undefined ? 3 : 50
const clients = 6
/** Deaths in turn: at any moment after so many answers, or when so many groups were committed and before anybody was told. */
const deaths = [{ commits: 20 }, { answers: 70 }, { commits: 1 }, { answers: 1 }, { commits: 45 }] as const

/** Counts until it is told to stop; how often it was answered. */
async function counting(client: ReturnType<typeof connect>, key: string, told: { stop: boolean; answers: number }) {
  let answered = 0
  while (!told.stop) {
    await client.state.increment({ key })
    answered += 1
    told.answers += 1
  }
  return answered
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1))
}

describe.each(STORES)('a server that is killed, on $name', (kind) => {
  const sandbox = new Sandbox()
  let store: TestStore
  afterAll(async () => {
    sandbox.remove()
    await store?.remove()
  })

  it('S0-3 S0-79 U15 clients that retry count exactly', { timeout: 60_000 + rounds * 20_000 }, async () => {
    store = await kind.makeReady()
    const place = store.options.store ?? `sqlite:${store.home}/cairn.db`
    let server: RunningServer = await startServer(sandbox, ['--store', place])
    const { port } = new URL(server.url)
    const session = await store.createRoot()
    const client = connect({ url: server.url, token: server.token, session })
    const told = { stop: false, answers: 0 }
    const all = Array.from({ length: clients }, (_, at) => counting(client, `n/${at}`, told))
    const counted = Promise.all(all)
    const start = (env = {}) => startServer(sandbox, ['--store', place, '--port', port], env)
    for (let round = 0; round < rounds; round++) {
      const death = deaths[round % deaths.length] as { answers?: number; commits?: number }
      const enough = told.answers + (death.answers ?? 0)
      await Promise.race([until(() => told.answers >= enough), counted])
      await server.stop('SIGKILL')
      if (death.commits !== undefined) {
        const doomed = await start({ CAIRN_FAILPOINT: `answer:kill@${death.commits}` })
        expect((await doomed.ended).signal).toBe('SIGKILL')
      }
      server = await start()
    }
    await Promise.race([until(() => told.answers >= 500), counted])
    told.stop = true
    const answers = await counted
    const cairn = await store.open({ session })
    for (const [at, answered] of answers.entries()) {
      expect(await cairn.state.get({ key: `n/${at}` })).toMatchObject({ value: answered, version: answered })
    }
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    await store.verify()
  })
})
