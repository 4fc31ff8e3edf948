// Beyond this machine a server is reached only when that is meant, and not in clear text.
import { request as plainly } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serve } from '../../src/serve.ts'
import { sandbox } from '../cli/sandbox.ts'
import { certificateFor } from '../setup/certificate.ts'
import { refused } from '../setup/roots.ts'
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
  expect((await refused(serve({ home: cairn.home, port: 0, ...options }))).code).toBe(code)
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
  const statusAs = async (host: string) => (await plain(server.url, host)).status
  expect(await statusAs('cairn.example')).toBe(200)
  expect(await statusAs('other.example')).toBe(403)
  expect((await plain(server.url, ['cairn.example', 'cairn.example'])).status).toBe(403)
})

it('behind a proxy, pages come over TLS only, and so does the cookie', async () => {
  const server = await startServer(cairn, ['--proxy', 'cairn.example'])
  const statusFrom = async (origin: string) => (await plain(server.url, 'cairn.example', { origin })).status
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

function plain(url: string, host: string | string[], more = {}): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const names = [host].flat().flatMap((name) => ['host', name])
    const headers = [...names, ...Object.entries<string>(more).flat()]
    const asking = plainly(new URL('/health', url), { headers, agent: false }, (response) => {
      response.resume()
      resolve({ status: response.statusCode })
    })
    asking.on('error', reject).end()
  })
}
