// Beyond this machine a server is reached only when that is meant, and not in clear text.
import { type IncomingMessage, request as plainly } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { certificateFor } from '../setup/certificate.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import { startServer } from './servers.ts'

const cairn = sandbox()
const { cert, key } = certificateFor(['cairn.example'])
const files = { tlsCert: cairn.write('cert.pem', cert), tlsKey: cairn.write('key.pem', key) }

it.each([
  [{ host: '0.0.0.0' }, 'forbidden'],
  [{ host: '::' }, 'forbidden'],
  [{ host: '192.0.2.1', ...files }, 'forbidden'],
  [{ host: '0.0.0.0', allowRemote: true }, 'forbidden'],
  [{ host: '192.0.2.1', allowRemote: true, ...files }, 'invalid_input'],
  [{ tlsCert: files.tlsCert }, 'usage'],
  [{ ...files, tlsCert: join(cairn.folder, 'none.pem') }, 'invalid_input'],
  [{ ...files, tlsCert: cairn.write('no.pem', 'nothing') }, 'invalid_input'],
] as const)('U1 %j is refused as %s', async (options, code) => {
  expect((await refused(serveHere({ home: cairn.home, port: 0, ...options }))).code).toBe(code)
})

it('U1 serves other machines with a certificate, under the names in it only', async () => {
  const server = await startServer(cairn, [
    ...['--host', '0.0.0.0', '--allow-remote'],
    ...['--tls-cert', files.tlsCert, '--tls-key', files.tlsKey],
  ])
  const { port, protocol } = new URL(server.url)
  expect(protocol).toBe('https:')
  expect(await statusOf(port, `cairn.example:${port}`)).toBe(200)
  expect(await statusOf(port, 'cairn.example')).toBe(200)
  expect(await statusOf(port, `evil.example:${port}`)).toBe(403)
  // A command does not know the names in the certificate: it opens the store itself.
  expect(await cairn.answer(['ls'])).toHaveProperty('sessions')
})

it('U1 is known by the name of a proxy that it is told of', async () => {
  const server = await startServer(cairn, ['--proxy', 'cairn.example'])
  const statusAs = async (host: string) => (await plain(new URL('/health', server.url).href, host)).status
  expect(await statusAs('cairn.example')).toBe(200)
  expect(await statusAs('other.example')).toBe(403)
  expect((await plain(new URL('/health', server.url).href, ['cairn.example', 'cairn.example'])).status).toBe(403)
})

/** What a proxy would add, and what somebody adds who wants to be taken for one. */
const forwarded = (host: string) => ({
  'x-forwarded-host': host,
  'x-forwarded-server': host,
  'x-forwarded-proto': 'http',
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  'x-original-host': host,
  'x-original-url': '/health',
  'x-rewrite-url': '/health',
  'x-http-method-override': 'GET',
  forwarded: `for=127.0.0.1;host=${host};proto=http`,
})

it('U1 what is said to have been forwarded opens nothing and closes nothing, with TLS, behind a proxy and without', async () => {
  const remote = ['--host', '0.0.0.0', '--allow-remote', '--tls-cert', files.tlsCert, '--tls-key', files.tlsKey]
  for (const [args, own] of [
    [[], ''],
    [['--proxy', 'cairn.example'], 'cairn.example'],
    [remote, 'cairn.example'],
  ] as const) {
    const server = await startServer(cairn, args)
    const { host, port, protocol } = new URL(server.url)
    const named = own === '' ? host : own
    const ask = (path: string, as: string, more: object) =>
      protocol === 'https:' ? overTls(port, path, as, more) : plain(new URL(path, server.url).href, as, more)
    for (const headers of [{}, forwarded(named), forwarded('evil.example')]) {
      expect((await ask('/health', 'evil.example', headers)).status, `${args}`).toBe(403)
      expect((await ask('/health', named, headers)).status, `${args}`).toBe(200)
      // Another path or another way in is what the request says itself.
      expect((await ask('/sessions', named, headers)).status, `${args}`).toBe(401)
    }
    for (const path of ['/', '/openapi.json']) {
      const { text } = await ask(path, named, forwarded('evil.example'))
      expect([path, text.includes('evil.example')]).toEqual([path, false])
    }
    await server.stop()
  }
})

it('U1 a target that names a host of its own, and an upgrade, are held to the same names', async () => {
  const server = await startServer(cairn, ['--proxy', 'cairn.example'])
  const { port } = new URL(server.url)
  const upgrade = [
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const token = `authorization: Bearer ${server.token}`
  const asked: [status: number, lines: string[]][] = [
    [403, ['GET http://cairn.example/health HTTP/1.1', 'host: evil.example']],
    [403, ['GET /health HTTP/1.1', 'host: cairn.example', 'host: evil.example']],
    [400, ['GET /health HTTP/1.1']],
    [403, ['GET /ws HTTP/1.1', 'host: evil.example', token, ...upgrade]],
    [403, ['GET /ws HTTP/1.1', 'host: cairn.example', 'origin: http://cairn.example', token, ...upgrade]],
    [401, ['GET /ws HTTP/1.1', 'host: cairn.example', 'x-forwarded-user: owner', ...upgrade]],
    [101, ['GET /ws HTTP/1.1', 'host: cairn.example', 'origin: https://cairn.example', token, ...upgrade]],
  ]
  for (const [status, lines] of asked)
    expect([await firstStatus(port, lines), lines[0], lines[1]]).toEqual([status, lines[0], lines[1]])
})

function firstStatus(port: string, lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.once('data', (text) => {
      socket.destroy()
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(text))?.[1]))
    })
    socket.once('error', reject)
  })
}

interface Said {
  readonly status: number | undefined
  readonly text: string
}

function overTls(port: string, path: string, host: string, more: object): Promise<Said> {
  const headers = { host, ...more }
  const options = {
    host: '127.0.0.1',
    port,
    path,
    headers,
    ca: cert,
    servername: 'cairn.example',
    agent: false as const,
  }
  return new Promise((resolve, reject) => {
    request(options, (response) => resolve(saidIn(response)))
      .on('error', reject)
      .end()
  })
}

it('behind a proxy, pages come over TLS only, and so does the cookie', async () => {
  const server = await startServer(cairn, ['--proxy', 'cairn.example'])
  const statusFrom = async (origin: string) =>
    (await plain(new URL('/health', server.url).href, 'cairn.example', { origin })).status
  expect(await statusFrom('https://cairn.example')).toBe(200)
  expect(await statusFrom('http://cairn.example')).toBe(403)
  expect(await statusFrom(server.url)).toBe(403)
  const login = await fetch(server.login, { redirect: 'manual' })
  expect(login.headers.get('set-cookie')).toMatch(/; Secure$/)
})

function statusOf(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/health',
      headers: { host },
      ca: cert,
      servername: 'cairn.example',
    }
    const asking = request({ ...options, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asking.on('error', reject).end()
  })
}

function plain(url: string, host: string | string[], more = {}): Promise<Said> {
  const names = [host].flat().flatMap((name) => ['host', name])
  const headers = [...names, ...Object.entries<string>(more).flat()]
  return new Promise((resolve, reject) => {
    plainly(url, { headers, agent: false }, (response) => resolve(saidIn(response)))
      .on('error', reject)
      .end()
  })
}

async function saidIn(response: IncomingMessage): Promise<Said> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  return { status: response.statusCode, text }
}
