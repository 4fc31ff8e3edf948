// What somebody tries who has no business here, against a whole server.
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { sandbox } from '../cli/sandbox.ts'
import { serveHere } from '../setup/serve-here.ts'
import { send } from './asking.ts'

const cairn = sandbox()

async function started() {
  const serving = await serveHere({ home: cairn.home, port: 0 })
  onTestFinished(() => serving.stop())
  const { url } = serving.discovered
  const token = new InstallTokenFile(cairn.home).text()
  const { host, port } = new URL(url)
  return { url, token, host, port: Number(port), login: serving.login }
}

/** Sends text as it is on a connection of its own; all that came back when it was closed. */
function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve, reject) => {
    let came = ''
    socket.setEncoding('latin1').on('data', (part) => {
      came += part
    })
    socket.on('error', reject).on('close', () => resolve(came))
    socket.write(text)
  })
}

const statusIn = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/** A request to make a session, as it goes over the line. */
function creating(head: string, body = '{"topic":"evil"}', path = '/sessions'): string {
  return `POST ${path} HTTP/1.1\r\nconnection: close\r\ncontent-length: ${body.length}\r\n${head}\r\n\r\n${body}`
}

async function sessionsOf(url: string, token: string): Promise<unknown[]> {
  const response = await send(url, { method: 'GET', path: '/sessions', headers: {} }, token)
  return ((await response.json()) as { sessions: unknown[] }).sessions
}

it('a page of another site can do nothing, with the cookie of the owner or without', async () => {
  const { url, token, host, port, login } = await started()
  const { headers } = await fetch(login, { redirect: 'manual' })
  const cookie = `cookie: ${headers.get('set-cookie')?.split(';')[0]}`
  const root = await send(
    url,
    { method: 'POST', path: '/sessions', headers: { 'content-type': 'application/json' }, body: '{"topic":"mine"}' },
    token,
  )
  const { session_id } = (await root.json()) as { session_id: string }
  // What a login may do, where it comes from a page of ours.
  const forking = (head: string) => creating(head, '{}', `/sessions/${session_id}/fork`)
  const json = 'content-type: application/json'
  const here = `host: ${host}`
  const own = 'sec-fetch-site: same-origin'
  const made = await raw(port, forking([here, cookie, json, own, 'x-cairn: 1'].join('\r\n')))
  expect(statusIn(made)).toBe(201)
  const before = await sessionsOf(url, token)
  // What a form or a beacon can send without being asked: no JSON, no header of ours.
  for (const type of [
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]) {
    for (const site of ['sec-fetch-site: cross-site', 'sec-fetch-site: same-site', 'accept: */*']) {
      const simple = await raw(port, forking([here, cookie, `content-type: ${type}`, site].join('\r\n')))
      expect([type, site, statusIn(simple)]).toEqual([type, site, 403])
    }
    const ours = await raw(port, forking([here, cookie, `content-type: ${type}`, own, 'x-cairn: 1'].join('\r\n')))
    expect([type, statusIn(ours)]).toEqual([type, 415])
  }
  for (const origin of [
    'https://evil.example',
    'null',
    `http://localhost:${port + 1}`,
    `http://${host}.evil.example`,
  ]) {
    const foreign = await raw(port, forking([here, cookie, json, own, 'x-cairn: 1', `origin: ${origin}`].join('\r\n')))
    expect([origin, statusIn(foreign)]).toEqual([origin, 403])
    expect(foreign.toLowerCase()).not.toContain('access-control-')
    const asked = await raw(
      port,
      `OPTIONS /sessions HTTP/1.1\r\nconnection: close\r\n${here}\r\norigin: ${origin}\r\n\r\n`,
    )
    expect([origin, statusIn(asked)]).toEqual([origin, 403])
    expect(asked.toLowerCase()).not.toContain('access-control-')
  }
  expect(await sessionsOf(url, token)).toEqual(before)
})

it('a name that was made to point here is not answered to, whatever the token', async () => {
  const { url, token, host, port } = await started()
  const bearer = `authorization: Bearer ${token}\r\ncontent-type: application/json`
  const before = await sessionsOf(url, token)
  const others = ['evil.example', `evil.example:${port}`, '127.evil.com', `localhost.evil.com:${port}`, `127.1:${port}`]
  for (const other of [...others, `${host}.`, `user@${host}`, '']) {
    expect([other, statusIn(await raw(port, creating(`${bearer}\r\nhost: ${other}`)))]).toEqual([other, 403])
  }
  // Without a name, with two, or with another in the first line.
  expect(statusIn(await raw(port, creating(bearer)))).toBe(400)
  expect(statusIn(await raw(port, creating(bearer).replace('HTTP/1.1', 'HTTP/1.0')))).toBe(403)
  const twice = await raw(port, creating(`${bearer}\r\nhost: evil.example\r\nhost: ${host}`))
  expect([400, 403]).toContain(statusIn(twice))
  const absolute = creating(`${bearer}\r\nhost: ${host}`).replace('/sessions', 'http://evil.example/sessions')
  expect(statusIn(await raw(port, absolute))).toBe(400)
  expect(await sessionsOf(url, token)).toEqual(before)
})

it('a request that two would read differently is refused', async () => {
  const { url, token, host, port } = await started()
  const head = `host: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json`
  const before = await sessionsOf(url, token)
  for (const more of [
    'content-length: 3',
    'transfer-encoding: chunked',
    'transfer-encoding: x, chunked',
    'x: \u0000',
  ]) {
    expect([more, statusIn(await raw(port, creating(`${head}\r\n${more}`)))]).toEqual([more, 400])
  }
  expect(statusIn(await raw(port, creating(`${head}\r\nx-long: ${'x'.repeat(20_000)}`)))).toBe(431)
  expect(await sessionsOf(url, token)).toEqual(before)
})

it('pages are those that are listed: no path leads out of them', async () => {
  const { token, host, port } = await started()
  const ways = ['/docs/../token', '/docs/%2e%2e/token', '/docs/..%2ftoken', '/docs/%252e%252e/token', '/docs/..\\token']
  for (const path of [...ways, '//etc/passwd', '/docs//etc/passwd', '/docs/page.js/../../token', '/docs/page.js%00']) {
    const head = `host: ${host}\r\nconnection: close\r\n`
    const without = await raw(port, `GET ${path} HTTP/1.1\r\n${head}\r\n`)
    expect([path, statusIn(without)]).toEqual([path, 401])
    const owners = await raw(port, `GET ${path} HTTP/1.1\r\n${head}authorization: Bearer ${token}\r\n\r\n`)
    expect([path, statusIn(owners)]).toEqual([path, 404])
    expect(without + owners).not.toContain(token)
  }
})

it('a name with line breaks in it makes no header', async () => {
  const { url, token } = await started()
  const evil = 'a\r\nset-cookie: evil=1\r\n\r\n<script>'
  const asked: [string, Record<string, string>][] = [
    [`/sessions/${encodeURIComponent(evil)}`, {}],
    [`/sessions/x/state/keys/${encodeURIComponent(evil)}`, {}],
    ['/sessions/x', { 'x-agent-session-id': encodeURIComponent(evil), 'x-cairn-actor': encodeURIComponent(evil) }],
    [`/${encodeURIComponent(evil)}`, {}],
    [`/login?code=${encodeURIComponent(evil)}`, {}],
    [`/events?root=${encodeURIComponent(evil)}`, {}],
  ]
  for (const [path, headers] of asked) {
    const response = await send(url, { method: 'GET', path, headers }, token)
    expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true])
    expect([path, response.headers.get('set-cookie')]).toEqual([path, null])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
  const body = JSON.stringify({ topic: 'named', name: evil })
  const typed = { 'content-type': 'application/json' }
  const named = await send(url, { method: 'POST', path: '/sessions', headers: typed, body }, token)
  expect(named.headers.get('set-cookie')).toBeNull()
  expect(named.status).toBeLessThan(500)
})

it('hundreds who connect and say nothing, or half of something, keep nobody else out', async () => {
  const { url, token, host, port } = await started()
  const said = ['', 'GET /hea', `POST /sessions HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 100\r\n\r\n{`]
  const opened = Array.from({ length: 600 }, async (_, at) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    socket.write(said[at % said.length] as string)
    return socket
  })
  const sockets: Socket[] = await Promise.all(opened)
  expect(await sessionsOf(url, token)).toBeInstanceOf(Array)
  for (const socket of sockets) socket.destroy()
  expect(await sessionsOf(url, token)).toBeInstanceOf(Array)
})
