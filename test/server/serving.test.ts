// A server from its start to its end, as a process.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Document, Sandbox, sandbox } from '../cli/sandbox.ts'
import { listening, type RunningServer, startServer } from './servers.ts'

const cairn = sandbox()

it('U1 U62 says where it is, in a file for its owner only, and is open to health checks only', async () => {
  const server = await startServer(cairn)
  const file = join(cairn.home, 'server.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    pid: server.pid,
    url: server.url,
    store: `sqlite:${join(cairn.home, 'cairn.db')}`,
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)

  const health = await fetch(`${server.url}/health`)
  expect([health.status, await health.json()]).toEqual([200, { ok: true, status: 'ok' }])
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
  expect((await fetch(`${server.url}/sessions`)).status).toBe(401)

  expect(await server.stop()).toEqual({ code: 0, signal: null })
  expect(existsSync(file)).toBe(false)
})

it('U1 logs in once with the link that it prints', async () => {
  const server = await startServer(cairn)
  const first = await fetch(server.login, { redirect: 'manual' })
  expect([first.status, first.headers.get('location')]).toEqual([303, '/ui/'])
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; *SameSite=Strict|SameSite=Strict; *HttpOnly/i)
  expect((await fetch(server.login, { redirect: 'manual' })).status).toBe(401)
  await server.stop()
})

it('answers what is on its way before it ends, and tells those who wait for a key', async () => {
  const server = await startServer(cairn)
  const { session_id: session } = await server.call('session.create', { topic: 'an end' })
  const waiting = server.send('POST', '/operations/state.wait', { session, key: 'never', timeout: '10m' })
  const slow = await halfSent(server, { session, key: 'slow', value: 1 })
  await metricsShow(server, 'cairn_feed_readers')
  const ended = server.stop()
  await untilClosed(server.url)
  slow.sendRest()
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 200 /)
  const told = await waiting
  expect([told.status, ((await told.json()) as Document).error]).toEqual([503, 'unavailable'])
  expect(await ended).toEqual({ code: 0, signal: null })
  expect(await cairn.answer(['state', 'get', 'slow', '--session', session])).toMatchObject({ value: 1 })
})

it('U53 FAULTS 66 loses nothing that it did when it ends under load: each request is answered, refused or never taken', async () => {
  const server = await startServer(cairn)
  const { session_id: session } = await server.call('session.create', { topic: 'a load' })
  const seen = { answered: 0, refused: new Set<string>() }
  const load = async () => {
    for (;;) {
      const response = await server
        .send('POST', '/operations/state.increment', { session, key: 'n' })
        .catch(() => undefined)
      if (response === undefined) return
      const answer: Document = await response.json()
      if (response.ok) seen.answered += 1
      else seen.refused.add(answer.error)
    }
  }
  const loads = Promise.all(Array.from({ length: 16 }, load))
  await metricsShow(server, 'route="POST /operations/state.increment",status="200"')
  const logBytes = () => statSync(join(cairn.home, 'cairn.db-wal'), { throwIfNoEntry: false })?.size ?? 0
  expect(logBytes()).toBeGreaterThan(0)
  expect(await server.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  await loads
  // All of it is in the one file: nothing is left to be recovered.
  expect(logBytes()).toBe(0)
  expect([...seen.refused].filter((code) => code !== 'unavailable')).toEqual([])
  const { value } = await cairn.answer(['state', 'get', 'n', '--session', session])
  expect(value).toBe(seen.answered)
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('FAULTS 66 ends at once at the second %s', async (signal, code) => {
  const server = await startServer(cairn)
  const { session_id: session } = await server.call('session.create', { topic: 'an end' })
  const waiting = server.send('POST', '/operations/state.wait', { session, key: 'never', timeout: '10m' })
  const cut = expect(waiting).rejects.toThrow()
  await metricsShow(server, 'POST /operations/session.create')
  void server.stop(signal)
  await untilClosed(server.url)
  expect(await server.stop(signal)).toEqual({ code, signal: null })
  await cut
  // It left its file behind; the next server takes no notice.
  const next = await startServer(cairn)
  expect(JSON.parse(readFileSync(join(cairn.home, 'server.json'), 'utf8')).pid).toBe(next.pid)
})

it('counts requests by route and status, and says how it is', async () => {
  const server = await startServer(cairn)
  await server.call('session.list', {})
  await server.send('POST', '/operations/state.get', { key: 'x', session: 'nobody' })
  const response = await server.send('GET', '/metrics')
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  expect(text).toContain('cairn_http_requests_total{route="POST /operations/session.list",status="200"} 1\n')
  expect(text).toContain('cairn_http_requests_total{route="POST /operations/state.get",status="404"} 1\n')
  expect(text).toContain('cairn_http_request_duration_seconds_count{route="POST /operations/session.list"} 1\n')
  expect(text).toContain(
    'cairn_http_request_duration_seconds_bucket{route="POST /operations/session.list",le="+Inf"} 1\n',
  )
  expect(text).toContain('cairn_feed_readers 0\n')
  expect(text).toMatch(/cairn_disk_bytes \d+\n/)
  expect(text).toMatch(/cairn_fullest_root_disk_bytes \d+\n/)
  expect(text).toContain('cairn_root_disk_limit_bytes 4294967296\n')
  expect(text).toContain('cairn_store_info{kind="sqlite"} 1\n')
  expect(text).toMatch(/process_resident_memory_bytes \d+\n/)
  expect(text).toMatch(/cairn_event_loop_delay_seconds\{quantile="0\.99"\} [\d.e-]+\n/)
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{.+\})? [\d.e+-]+)$/)
})

it('a wait that runs out is an answer, and no fault in the log nor in the metrics', async () => {
  const quiet = await startServer(cairn)
  const { session_id: session } = await quiet.call('session.create', { topic: 't' })
  const path = `/sessions/${session}/state/keys/never/wait?timeout=20ms`
  const wait = async (server: RunningServer) => {
    const response = await server.send('GET', path)
    expect([response.status, ((await response.json()) as Document).error]).toEqual([504, 'timeout'])
  }
  await wait(quiet)
  const route = 'route="GET /sessions/{session}/state/keys/{key}/wait"'
  const counted = await (await quiet.send('GET', '/metrics')).text()
  expect(counted).toContain(`cairn_http_requests_total{${route},status="timed_out"} 1\n`)
  expect(counted).not.toMatch(/status="5/)
  await quiet.stop()
  expect(quiet.err).not.toContain('"level":"error"')
  const told = await startServer(cairn, ['--log'])
  await wait(told)
  await told.stop()
  const lines = told.err.split('\n').filter((line) => line.includes('/wait'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', status: 504 }])
})

it('counts a request whose client is gone as that, and not as a success', async () => {
  const server = await startServer(cairn)
  const { session_id: session } = await server.call('session.create', { topic: 't' })
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ session, key: 'never', timeout: '1h' })
  const counted = async () => (await server.send('GET', '/metrics')).text()
  /** It may go before it has come; then it is tried again. */
  const leave = async () => {
    const gone = new AbortController()
    const waiting = fetch(`${server.url}/operations/state.wait`, { method: 'POST', headers, body, signal: gone.signal })
    await counted()
    gone.abort()
    await expect(waiting).rejects.toThrow()
    return counted()
  }
  const route = 'cairn_http_requests_total{route="POST /operations/state.wait"'
  await expect.poll(leave).toContain(`${route},status="499"}`)
  expect(await counted()).not.toContain(`${route},status="200"`)
})

it('logs each request as a line of JSON, and nothing of what was in it', async () => {
  const server = await startServer(cairn, ['--log'])
  const secret = 'do-not-log-me'
  const { session_id: session } = await server.call('session.create', { topic: secret })
  await server.call('state.set', { session, key: secret, value: { secret } })
  await server.send('GET', `/sessions/${session}/state/keys/${secret}?at=${secret}`)
  await fetch(server.login, { redirect: 'manual' })
  const wrong = await fetch(`${server.url}/sessions?${secret}`, { headers: { authorization: `Bearer ${secret}` } })
  await server.stop()
  const lines = server.err.split('\n').filter((line) => line.startsWith('{'))
  const routes = lines.map((line) => JSON.parse(line)).map(({ route, status }) => `${status} ${route}`)
  expect(routes).toEqual([
    '200 POST /operations/session.create',
    '200 POST /operations/state.set',
    '422 GET /sessions/{session}/state/keys/{key}',
    '303 /login',
    '401 none',
  ])
  expect(JSON.parse(lines.at(-1) ?? '{}').id).toBe(wrong.headers.get('x-request-id'))
  for (const hidden of [secret, server.token, server.login.split('=')[1] ?? '', session]) {
    expect(server.err).not.toContain(hidden)
  }
})

it('goes on when nobody takes its log any more', async () => {
  const child = cairn.spawn(['serve', '--json', '--log', '--port', '0'])
  const server = await listening(cairn, child)
  child.stderr?.destroy()
  for (let at = 0; at < 5; at++) await server.call('session.list', {})
  expect(await server.stop()).toEqual({ code: 0, signal: null })
})

it('uses another port where one is taken only if told so', async () => {
  const server = await startServer(cairn)
  const other = new Sandbox()
  try {
    const { port } = new URL(server.url)
    const { document, exit } = await other.json(['serve', '--port', port])
    expect([exit, document.error, document.port]).toEqual([6, 'in_use', Number(port)])
    expect(document.hint).toContain('--port')
    // It let go of the store.
    expect((await startServer(other)).url).not.toBe(server.url)
  } finally {
    other.remove()
  }
})

interface Half {
  sendRest(): void
  readonly answer: Promise<string>
}

/** A request whose body is not there yet. */
async function halfSent(server: RunningServer, input: object): Promise<Half> {
  const { hostname, port, host } = new URL(server.url)
  const body = JSON.stringify(input)
  const socket = connectSocket(Number(port), hostname)
  const answer = new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  const head = ['POST /operations/state.set HTTP/1.1', `host: ${host}`, `authorization: Bearer ${server.token}`]
  const about = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close']
  socket.write(`${[...head, ...about].join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  return { answer, sendRest: () => socket.write(body.slice(5)) }
}

/** What was sent before is known to the server when it has answered something sent after. */
async function metricsShow(server: RunningServer, text: string): Promise<void> {
  for (;;) {
    const shown = await (await server.send('GET', '/metrics')).text()
    if (shown.includes(text)) return
  }
}

async function untilClosed(url: string): Promise<void> {
  for (;;) {
    const open = await fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
    if (!open) return
  }
}
