// A fault of the program itself while a server answers: planted by a failpoint that throws.
import { describe, expect, it } from 'vitest'
import { type Document, sandbox } from '../cli/sandbox.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { type RunningServer, startServer } from './servers.ts'

/** A machine that is busy writes what was logged late. */

const linesOf = ({ err }: RunningServer): Document[] =>
  err
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

describe.each(STORES)('a fault within a server on $name', (kind) => {
  const store = sharedStore(kind)
  const cairn = sandbox()

  /** A server whose first group throws there, if it is told where, and a root with one key. */
  async function served({ options, home }: TestStore, point?: string): Promise<RunningServer> {
    const env = point === undefined ? {} : { CAIRN_FAILPOINT: `${point}:throw` }
    return startServer(cairn, ['--store', options.store ?? `sqlite:${home}/cairn.db`], env)
  }

  async function rooted(): Promise<{ session: string; log: string; key: string }> {
    const session = await store().createRoot()
    return { session, log: `/sessions/${session}/events`, key: `/sessions/${session}/state/keys/k` }
  }

  async function bodyOf(answering: Promise<Response>): Promise<Document> {
    return (await answering).json()
  }

  it.each(['begin', 'append', 'project', 'commit'])(
    'FAULTS 67 at %s fails one request, which is told an id that is in the log, and nothing is written',
    async (point) => {
      const { session, log } = await rooted()
      const server = await served(store(), point)
      const set = (value: number) => server.send('POST', '/operations/state.set', { session, key: 'k', value })
      const failed = await set(1)
      const text = await failed.text()
      const id = failed.headers.get('x-request-id')
      expect([failed.status, JSON.parse(text)]).toMatchObject([500, { error: 'internal', request: id }])
      expect(text).not.toMatch(/failpoint|\bat \W|\.[jt]s\b/)
      await expect
        .poll(() => linesOf(server).find(({ request }) => request === id)?.error)
        .toMatch(`Error: failpoint ${point}\n`)
      expect((await bodyOf(server.send('GET', log))).last_seq).toBe(1)
      // The same process goes on, from where the store was.
      expect(await bodyOf(set(2))).toMatchObject({ value: 2, version: 1, seq: 2 })
      expect(await bodyOf(server.send('GET', '/health'))).toEqual({ ok: true, status: 'ok' })
      expect(await server.stop()).toEqual({ code: 0, signal: null })
    },
  )

  it('FAULTS 67 after the commit is told as one too, and the request is done once when it is sent again', async () => {
    const { session, log } = await rooted()
    const server = await served(store(), 'answer')
    const add = () => server.send('POST', '/operations/state.increment', { session, key: 'k', request_id: session })
    const failed = await add()
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: 'internal' }])
    expect(await bodyOf(add())).toMatchObject({ value: 1, version: 1 })
    expect((await bodyOf(server.send('GET', log))).last_seq).toBe(2)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })

  it('FAULTS 67 outside of any request is logged as one line and ends the process, and the next one has all', async () => {
    const { session, key, log } = await rooted()
    const doomed = await served(store(), 'announce')
    const add = (server: RunningServer) =>
      server.send('POST', '/operations/state.increment', { session, key: 'k', request_id: session })
    // It is done; whether it is still answered is a matter of luck.
    await add(doomed).catch(() => undefined)
    expect(await doomed.ended).toEqual({ code: 1, signal: null })
    await expect.poll(() => doomed.err).toContain('\n')
    expect(doomed.err.trimEnd().split('\n')).toHaveLength(1)
    const fault = { level: 'error', event: 'fault', message: expect.stringMatching(/^Error: failpoint announce\n/) }
    expect(linesOf(doomed)).toMatchObject([fault])
    const next = await served(store())
    expect(await bodyOf(next.send('GET', key))).toMatchObject({ value: 1, version: 1 })
    expect(await bodyOf(add(next))).toMatchObject({ value: 1, version: 1 })
    expect((await bodyOf(next.send('GET', log))).last_seq).toBe(2)
    expect(await next.stop()).toEqual({ code: 0, signal: null })
  })
})
