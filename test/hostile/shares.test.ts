// What one token may have open at a time: more is refused before anything is done, others are answered, and the owner always is.
import type { ChildProcess } from 'node:child_process'
import { connect as connectSocket, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { connect } from '../../src/client/index.ts'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'

interface Served {
  readonly sandbox: Sandbox
  readonly server: RunningServer
  readonly session: string
  readonly agent: string
}

/** A server with limits of its own, and the token of an agent. */
async function served(env: Record<string, string>): Promise<Served> {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const server = await startServer(sandbox, [], env)
  const { session_id: session } = await server.call('session.create', { topic: 'shares' })
  const { token: agent } = await server.call('token.create', { kind: 'agent', session })
  return { sandbox, server, session, agent }
}

async function asAgent({ server, agent }: Served, operation: string, input: object): Promise<Response> {
  const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json' }
  return fetch(new URL(`operations/${operation}`, server.url), { method: 'POST', headers, body: JSON.stringify(input) })
}

async function expectLimited(response: Response, limit: string, value: number): Promise<void> {
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await response.json()).toMatchObject({
    error: 'rate_limited',
    limit,
    limit_value: value,
    retry_after_ms: expect.any(Number),
    hint: expect.stringMatching(/\S/),
  })
}

/** Asks until the answer is another than that there is too much. */
async function onceAdmitted(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask()
    if (response.status !== 429) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A request whose body never comes to its end. */
function halfARequest({ server, agent }: Served): Promise<Socket> {
  const { port, host } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), '127.0.0.1', () => {
      const lines = [
        'POST /operations/state.increment HTTP/1.1',
        `host: ${host}`,
        `authorization: Bearer ${agent}`,
        'content-type: application/json',
        'content-length: 100',
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n{`, () => resolve(socket))
    })
    socket.once('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

it('U53 requests of one token: the next one is refused, the owner is answered, and an end makes room', async () => {
  const all = await served({ CAIRN_LIMIT_TOKEN_REQUESTS: '3' })
  const { server, session } = all
  const halves = await Promise.all(Array.from({ length: 5 }, () => halfARequest(all)))
  // Two of them are one too many, and are told so before their bodies have come.
  let answered = 0
  await new Promise<void>((resolve) => {
    for (const half of halves) half.once('data', () => ++answered === 2 && resolve())
  })
  const increment = () => asAgent(all, 'state.increment', { key: 'n' })
  await expectLimited(await increment(), 'tokenRequests', 3)
  const { version } = await server.call('state.increment', { session, key: 'n' })
  const again = server.call('state.get', { session, key: 'n' })
  expect((await again).version).toBe(version)
  for (const half of halves) half.destroy()
  expect((await onceAdmitted(increment)).status).toBe(200)
})

it('U53 waits of one token: they are no requests, and the next one is refused', async () => {
  const all = await served({ CAIRN_LIMIT_TOKEN_REQUESTS: '3', CAIRN_LIMIT_TOKEN_WAITS: '4' })
  const { server, session } = all
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const headers = { authorization: `Bearer ${all.agent}`, 'content-type': 'application/json' }
  const wait = (key: string, timeout = '60s') =>
    fetch(new URL('operations/state.wait', server.url), {
      method: 'POST',
      headers,
      body: JSON.stringify({ key, timeout }),
      signal: over.signal,
    })
  const waiting: Promise<Response>[] = []
  // One after the other: all at once would be too many requests for a moment.
  for (const key of ['a', 'b', 'c', 'd']) {
    waiting.push(wait(key))
    await server.call('session.show', { session })
  }
  for (const each of waiting) each.catch(() => undefined)
  let refused = await wait('e', '100ms')
  // Those that were sent just now may not wait yet.
  for (let look = 0; look < 50 && refused.status !== 429; look++) refused = await wait('e', '100ms')
  await expectLimited(refused, 'tokenWaits', 4)
  expect((await asAgent(all, 'state.increment', { key: 'n' })).status).toBe(200)
  const ofOwner = server.call('state.wait', { session, key: 'a', timeout: '60s' })
  await server.call('state.set', { session, key: 'a', value: 1 })
  expect((await ofOwner).value).toBe(1)
  expect((await waiting[0])?.status).toBe(200)
})

it('U53 feeds of one token, of whatever kind: the next one is refused, and a closed one makes room', async () => {
  const all = await served({ CAIRN_LIMIT_TOKEN_FEEDS: '2' })
  const headers = { authorization: `Bearer ${all.agent}` }
  const over = new AbortController()
  const events = (signal?: AbortSignal) =>
    fetch(new URL('events', all.server.url), { headers, ...(signal && { signal }) })
  expect((await events(over.signal)).status).toBe(200)
  const address = new URL('ws', all.server.url.replace('http', 'ws'))
  const socket = new WebSocket(address, { headers })
  await new Promise((resolve) => socket.once('open', resolve))
  await expectLimited(await events(), 'tokenFeeds', 2)
  const other = new WebSocket(address, { headers })
  const status = await new Promise((resolve) => {
    other.once('unexpected-response', (_request, response) => resolve(response.statusCode))
    other.once('error', () => undefined)
  })
  expect(status).toBe(429)
  other.terminate()
  const ofOwner = await all.server.send('GET', '/events')
  expect(ofOwner.status).toBe(200)
  await ofOwner.body?.cancel()
  over.abort()
  const again = await onceAdmitted(() => events())
  expect(again.status).toBe(200)
  await again.body?.cancel()
  socket.terminate()
})

it('U53 a client that is told so comes back by itself, and each call takes effect once', async () => {
  const all = await served({ CAIRN_LIMIT_TOKEN_REQUESTS: '2' })
  const client = connect({ url: all.server.url, token: all.agent })
  onTestFinished(() => client.close())
  const done = await Promise.all(Array.from({ length: 30 }, () => client.state.increment({ key: 'n' })))
  expect(done.map(({ value }) => value).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
})

it('U53 many resources of one MCP client are followed without a word on stderr; the next one is refused', async () => {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const { session_id: session } = await sandbox.answer(['session', 'create', 'followed'])
  const child = sandbox.spawn(['mcp'], { env: { AGENT_SESSION_ID: session, CAIRN_LIMIT_SUBSCRIPTIONS: '500' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const replies = repliesOf(child)
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const initialized = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  send({ id: 'first', method: 'initialize', params: initialized })
  await replies.of('first')
  for (let at = 0; at < 500; at++)
    send({ id: at, method: 'resources/subscribe', params: { uri: `cairn://roots/${session}/state/k${at}` } })
  for (let at = 0; at < 500; at++) expect(await replies.of(at)).toMatchObject({ result: {} })
  send({ id: 'last', method: 'resources/subscribe', params: { uri: `cairn://roots/${session}/state/last` } })
  expect(await replies.of('last')).toMatchObject({
    error: { data: { error: 'rate_limited', limit: 'subscriptions', limit_value: 500 } },
  })
  expect(err).toBe('')
})

function repliesOf(child: ChildProcess): { of(id: string | number): Promise<Document> } {
  const known = new Map<string | number, Document>()
  let rest = ''
  let heard: () => void = () => undefined
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) known.set(JSON.parse(line).id, JSON.parse(line))
    heard()
  })
  return {
    async of(id) {
      while (!known.has(id)) {
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
      return known.get(id)
    },
  }
}
