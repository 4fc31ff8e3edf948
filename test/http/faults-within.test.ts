// A fault of the program itself, whichever way it was asked: told with an id that is in the log, and without a word of it.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '../../src/surfaces/http/rest/routes.ts'
import { requestOf } from '../server/asking.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type Row, rows } from '../tokens/reaches.ts'
import { follow } from './followers.ts'
import { type Answered, type Served, serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

/** What is said of a fault; nobody who asks may see it. */
const secret = 'a wire came loose'

function broken(): never {
  throw new Error(secret)
}

/** The lines that are logged from here on. */
function logged(): { request?: string; error?: string }[] {
  const lines: { request?: string; error?: string }[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)))
    return true
  })
  onTestFinished(() => write.mockRestore())
  return lines
}

describe('a fault within the server', () => {
  const store = sharedStore(sqlite)

  function expectTold({ status, headers, text, body }: Answered, lines: ReturnType<typeof logged>, what: string) {
    const id = headers['x-request-id']
    expect([what, status, body.error, body.request]).toEqual([what, 500, 'internal', id])
    expect(lines.filter(({ request }) => request === id).map(({ error }) => error)).toMatchObject([
      expect.stringContaining(`Error: ${secret}\n    at `),
    ])
    expect(text).not.toMatch(new RegExp(`${secret}|\\bat \\W|\\.[jt]s\\b`))
  }

  it('FAULTS 67 in any route is that request only: 500 with an id that is in the log', async () => {
    const served = await serveStore(store())
    const session = await store().createRoot()
    const { execute } = served.log
    const lines = logged()
    served.log.execute = broken
    for (const route of routes) {
      const row = rows[route.operation as keyof typeof rows] as Row
      const { method, path, headers, body } = requestOf(route, row.input(session, '/nowhere'))
      // The headers say the type of the body.
      expectTold(await served.ask(method, path, { headers, body }), lines, `${method} ${path}`)
    }
    expect(lines).toHaveLength(routes.length)
    served.log.execute = execute
    expect((await served.ask('GET', `/sessions/${session}`)).status).toBe(200)
  })

  it('FAULTS 67 before the feed begins is told in the same way, over either line', async () => {
    const served: Served = await serveStore(store())
    const lines = logged()
    served.hub.subscribe = broken
    expectTold(await served.ask('GET', '/events'), lines, 'GET /events')
    await expect(follow(served.port, '')).rejects.toThrow('refused with 500')
    expect(lines[1]).toMatchObject({ request: expect.stringMatching(/-2$/), error: expect.stringContaining(secret) })
    expect((await served.ask('GET', '/sessions')).status).toBe(200)
  })

  it('FAULTS 67 while the feed is read ends that reader only, and is in the log', async () => {
    const served = await serveStore(store())
    const id = await store().createRoot()
    const other = await follow(served.port, `?root=${id}`)
    const lines = logged()
    const subscribe = served.hub.subscribe.bind(served.hub)
    served.hub.subscribe = async (wish, caller) => Object.assign(await subscribe(wish, caller), { follow: broken })
    await (await follow(served.port, `?root=${id}`)).closed
    expect(lines).toMatchObject([{ request: expect.stringMatching(/\S/), error: expect.stringContaining(secret) }])
    await expect.poll(() => served.hub.readers).toBe(1)
    await served.ask('PUT', `/sessions/${id}/state/keys/k`, { body: { value: 1 }, headers: { 'if-none-match': '*' } })
    await other.until(({ type }) => type === 'event')
  })
})
