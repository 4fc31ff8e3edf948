// A server that runs short of something: it refuses new work before it fails, says so, and recovers by itself.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Overload, type Reading, type Turn } from '../../src/surfaces/wire/overload.ts'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'

const limits = { ...defaultLimits, memoryBytes: 1000, lagMs: 100, diskFreeBytes: 1000, descriptorsFree: 10 }
const fine: Reading = { rss: 500, heapUsed: 100, heapMax: 1000, lagMs: 0, diskFree: 5000, descriptorsFree: 100 }
const agent = { principal: 'token 1' }
const owner = { principal: 'owner' }

function newOverload() {
  const turns: Turn[] = []
  return { overload: new Overload(limits, (turn) => turns.push(turn)), turns }
}

describe('what a server is told of itself', () => {
  const shortages = [
    { what: 'memory of the process', less: { rss: 1001 }, nearly: { rss: 950 }, limit: 'memoryBytes' },
    { what: 'memory of JavaScript', less: { heapUsed: 860 }, nearly: { heapUsed: 800 }, limit: 'memoryBytes' },
    { what: 'descriptors', less: { descriptorsFree: 9 }, nearly: { descriptorsFree: 10 }, limit: 'descriptorsFree' },
  ]

  it.each(shortages)('U53 short of $what: all but the owner are refused until there is enough again', (short) => {
    const { overload, turns } = newOverload()
    overload.look(fine)
    expect(overload.refusalOf(agent)).toBeUndefined()
    for (const less of [short.less, short.less, short.nearly]) {
      overload.look({ ...fine, ...less })
      expect(overload.refusalOf(agent)).toMatchObject({
        code: 'busy',
        hint: expect.stringMatching(/try again/i),
        details: { limit: short.limit, retry_after: expect.any(Number) },
      })
      expect(overload.refusalOf(owner)).toBeUndefined()
      expect(overload.refusalOfWrites()).toBeUndefined()
    }
    overload.look(fine)
    expect([overload.refusalOf(agent), overload.short]).toEqual([undefined, []])
    expect(turns.map(({ isShort }) => isShort)).toEqual([true, false])
  })

  it('U53 late once is not behind; late again is, until it is not', () => {
    const { overload, turns } = newOverload()
    for (const lagMs of [5000, 0, 5000]) overload.look({ ...fine, lagMs })
    expect(overload.refusalOf(agent)).toBeUndefined()
    overload.look({ ...fine, lagMs: 101 })
    expect(overload.refusalOf(agent)).toMatchObject({ code: 'busy', details: { limit: 'lagMs', limit_value: 100 } })
    expect(overload.refusalOf(owner)).toBeUndefined()
    overload.look(fine)
    expect(overload.refusalOf(agent)).toBeUndefined()
    expect(turns).toHaveLength(2)
  })

  it('U53 short of disk: nobody writes, everybody reads', () => {
    const { overload } = newOverload()
    overload.look({ ...fine, diskFree: 999 })
    expect(overload.refusalOfWrites()).toMatchObject({ code: 'busy', details: { limit: 'diskFreeBytes' } })
    expect(overload.refusalOf(agent)).toBeUndefined()
    overload.look({ ...fine, diskFree: 1050 })
    expect(overload.refusalOfWrites()).toBeDefined()
    overload.look({ ...fine, diskFree: 1200 })
    expect(overload.refusalOfWrites()).toBeUndefined()
  })

  it('U53 where the system says nothing, nothing is short', () => {
    const { overload } = newOverload()
    overload.look({ ...fine, diskFree: undefined, descriptorsFree: undefined })
    expect(overload.short).toEqual([])
  })
})

interface Short {
  readonly server: RunningServer
  readonly session: string
  /** A request with the token of an agent. */
  asAgent(path: string, body?: object): Promise<Response>
}

async function startShort(env: Record<string, string>): Promise<Short> {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  // What an agent needs is made while there is enough of everything.
  const before = await startServer(sandbox)
  const { session_id: session } = await before.call('session.create', { topic: 'short' })
  const { token } = await before.call('token.create', { kind: 'agent', session })
  await before.call('state.set', { session, key: 'there', value: 1 })
  await before.stop()
  const server = await startServer(sandbox, [], env)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asAgent = (path: string, body?: object) =>
    fetch(new URL(path, server.url), {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
  return { server, session, asAgent }
}

async function healthOf({ url }: RunningServer): Promise<Document> {
  return (await fetch(new URL('/health', url))).json() as Promise<Document>
}

const increment = '/operations/state.increment'

describe('a server', () => {
  it('U53 above its memory serves its owner only, on every way in, and says so everywhere', async () => {
    const { server, session, asAgent } = await startShort({ CAIRN_LIMIT_MEMORY_BYTES: '1' })
    expect(await healthOf(server)).toEqual({ ok: true, status: 'degraded', reasons: ['memory'] })
    for (const path of [`/sessions/${session}/state`, '/events', `/sessions/${session}/blobs/00`, '/mcp']) {
      const response = await asAgent(path)
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '2'])
      expect(await response.json()).toMatchObject({ error: 'busy', limit: 'memoryBytes', limit_value: 1 })
    }
    expect((await asAgent(increment, { session, key: 'n' })).status).toBe(503)
    expect((await server.call('state.increment', { session, key: 'n' })).value).toBe(1)
    const metrics = await (await server.send('GET', '/metrics')).text()
    expect(metrics).toContain('cairn_overloaded{resource="memory"} 1')
    expect(metrics).toContain('cairn_overload_refusals_total{resource="memory"} 5')
    expect(server.err.match(/"event":"overload"/g)).toHaveLength(1)
  })

  it('U53 whose disk is nearly full reads and tidies, and writes for nobody', async () => {
    const { server, session, asAgent } = await startShort({ CAIRN_LIMIT_DISK_FREE_BYTES: String(2 ** 53 - 1) })
    await expect.poll(() => healthOf(server)).toMatchObject({ status: 'degraded', reasons: ['disk'] })
    const responses = [
      await asAgent(increment, { session, key: 'n' }),
      await server.send('POST', increment, { session, key: 'n' }),
      await server.send('POST', `/sessions/${session}/blobs`, 'bytes'),
    ]
    for (const response of responses) {
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        error: 'busy',
        limit: 'diskFreeBytes',
        hint: expect.stringContaining('gc'),
      })
    }
    expect((await asAgent(`/sessions/${session}/state`)).status).toBe(200)
    expect((await server.send('POST', '/operations/store.gc', {})).status).toBe(200)
  })

  it('U53 that comes late again and again is behind, and recovers when it is left alone', async () => {
    const { server, session, asAgent } = await startShort({ CAIRN_LIMIT_LAG_MS: '100' })
    let isLeftAlone = false
    // A process that is stopped comes late, as one does that has too much to do.
    const holding = (async () => {
      while (!isLeftAlone) {
        process.kill(server.pid, 'SIGSTOP')
        await new Promise((resolve) => setTimeout(resolve, 700))
        process.kill(server.pid, 'SIGCONT')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    await expect.poll(() => server.err).toContain('"resource":"lag"')
    isLeftAlone = true
    await holding
    await expect.poll(() => healthOf(server)).toEqual({ ok: true, status: 'ok' })
    // Such a limit is soon met again on a busy machine.
    await expect.poll(async () => (await asAgent(increment, { session, key: 'n' })).status).toBe(200)
  })

  // Elsewhere the system does not say how many there are.
  it.runIf(process.platform === 'linux')('U53 short of descriptors recovers when connections are closed', async () => {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    const { server, session, asAgent } = await startShort({ CAIRN_LIMIT_DESCRIPTORS_FREE: String(limit - 120) })
    expect((await asAgent(increment, { session, key: 'n' })).status).toBe(200)
    const { port } = new URL(server.url)
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    const status = async () => (await asAgent(increment, { session, key: 'n' })).status
    await expect.poll(status).toBe(503)
    for (const socket of sockets) socket.destroy()
    await expect.poll(status).toBe(200)
    await expect
      .poll(() => server.err)
      .toMatch(/"level":"error","event":"overload"[\s\S]*"level":"info","event":"overload"/)
  })
})
