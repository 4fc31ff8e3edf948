// The database goes away again and again while processes write: every call is answered once in the end.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Program, startProgram } from '../leases/program.ts'
import { type PostgresServer, startPostgres } from '../setup/postgres-server.ts'
import type { Loaded, LoadTask } from './loader.ts'
import { newHome, openAt, problemsAt, rootAt } from './trouble.ts'

const times = process.env.CAIRN_LONG === undefined ? 4 : 60
const settings = { max_connections: 60, shared_buffers: '16MB' }

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ settings })
})
afterAll(() => server?.remove())

/** Two processes with eight callers each, until `meanwhile` is over. */
async function underLoad(session: string, meanwhile: () => Promise<void>): Promise<Loaded[]> {
  const options = { home: newHome(), store: server.url }
  const both = await Promise.all([0, 1].map(() => startProgram('test/postgres/loader.ts', options)))
  const loading = both.map((each: Program, at) => {
    const task: LoadTask = { sessions: [session], callers: 8, prefix: `${session} ${at}` }
    return each.perform<Loaded>('load', task)
  })
  await meanwhile()
  for (const each of both) each.stop()
  return Promise.all(loading)
}

async function expectExact(session: string, loaded: readonly Loaded[]): Promise<void> {
  expect(loaded.flatMap(({ wrong }) => wrong)).toEqual([])
  const answered = loaded.reduce((sum, each) => sum + (each.answered[session] ?? 0), 0)
  const refused = loaded.reduce((sum, each) => sum + Object.values(each.refused).reduce((a, b) => a + b, 0), 0)
  expect(answered).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(0)
  const cairn = await openAt(server.url, { session })
  expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: answered, version: answered })
  const trail = (await cairn.state.get({ key: 'trail' })).value as string[]
  expect(new Set(trail).size).toBe(trail.length)
  expect(await problemsAt(server.url)).toEqual([])
  console.log(`${answered} answered once, refused meanwhile: ${JSON.stringify(loaded.map((each) => each.refused))}`)
}

describe('a database that goes away under load', () => {
  it('S0-5 U15 its connections are all ended, again and again', { timeout: 60_000 + times * 5000 }, async () => {
    const { session, cairn } = await rootAt(server.url)
    const loaded = await underLoad(session, async () => {
      for (let time = 0; time < times * 2; time++) {
        await sleep(300)
        const client = new pg.Client({ connectionString: server.url })
        await client.connect()
        await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`)
        await client.end()
      }
    })
    await expectExact(session, loaded)
    // Its idle connections were ended with all others, and it goes on as if nothing had been.
    expect(await cairn.state.get({ key: 'n' })).toMatchObject({ key: 'n' })
  })

  it('S0-3 S0-5 U15 it is stopped at once and started again, again and again', {
    timeout: 60_000 + times * 20_000,
  }, async () => {
    const { session, cairn } = await rootAt(server.url)
    const loaded = await underLoad(session, async () => {
      for (let time = 0; time < times; time++) {
        await sleep(700)
        await server.stop(time % 2 ? 'kill' : 'immediate')
        await sleep(200)
        server = await startPostgres({ dir: server.dir, port: server.port, settings })
      }
      await sleep(300)
    })
    await expectExact(session, loaded)
    await cairn.state.increment({ key: 'n' })
  })
})
