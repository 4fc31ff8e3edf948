import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/surfaces/http/rest/routes.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type Answered, owner, serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('requests that are wrong', () => {
  const store = sharedStore(sqlite)

  async function server(options = {}) {
    const served = await serveStore(store(), options)
    const made = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
    return {
      ...served,
      key: `/sessions/${made.body.session_id}/state/keys/k`,
      log: `/sessions/${made.body.session_id}/events`,
    }
  }

  function said({ status, body }: Answered): [number, unknown] {
    return [status, body.error]
  }

  it('U53 a body that is no JSON, no UTF-8 or none of ours is refused, and has no effect', async () => {
    const { ask, key, log } = await server()
    const put = async (body: unknown, type?: string, headers = {}) =>
      said(await ask('PUT', key, { body, headers, ...(type === undefined ? {} : { type }) }))
    for (const text of ['{', '{"value":1}}', 'null', '[]', '"x"', '{"value":01}', "{'value':1}", '{"value":NaN}']) {
      const [status] = await put(text)
      expect([text, status === 400 || status === 422]).toEqual([text, true])
    }
    expect(await put('{"value":')).toEqual([400, 'bad_request'])
    expect(await put(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual([400, 'bad_request'])
    expect(await put('{"value":1,"value":2}')).toEqual([422, 'invalid_input'])
    expect(await put('{"value":{"__proto__":{"x":1}}}')).toEqual([422, 'invalid_input'])
    expect(await put('{"__proto__":{"value":1}}')).toEqual([422, 'invalid_input'])
    expect(await put('{"value":9007199254740993}')).toEqual([422, 'number_out_of_range'])
    expect(await put('{"value":"\\ud800"}')).toEqual([422, 'invalid_input'])
    expect(await put(`{"value":${'['.repeat(100)}${']'.repeat(100)}}`)).toEqual([422, 'too_deep'])
    expect(await put({ value: 1, vallue: 2 })).toEqual([422, 'invalid_input'])
    expect(await put({ value: 1, key: 'other' })).toEqual([400, 'bad_request'])
    expect((await ask('GET', log)).body.last_seq).toBe(1)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('other content types, encodings and charsets are not taken', async () => {
    const { ask, key } = await server()
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      'application/json; charset=latin1',
      'application/merge-patch+json',
    ]
    for (const type of types) {
      const answered = await ask('PUT', key, { body: '{"value":1}', type })
      expect([type, ...said(answered)]).toEqual([type, 415, 'unsupported_media_type'])
    }
    const bare = await ask('PUT', key, { body: '{"value":1}', headers: { 'content-type': '' } })
    expect(said(bare)).toEqual([415, 'unsupported_media_type'])
    const wrongPatch = await ask('PATCH', key.replace('/keys/k', ''), { body: [], type: 'application/json-patch+json' })
    expect(said(wrongPatch)).toEqual([415, 'unsupported_media_type'])
    const bomb = gzipSync(Buffer.alloc(10_000_000, 0x20))
    const packed = await ask('PUT', key, { body: bomb, headers: { 'content-encoding': 'gzip' } })
    expect(said(packed)).toEqual([415, 'unsupported_media_type'])
    expect((await ask('PUT', key, { body: { value: 1 }, type: 'application/json; charset="UTF-8"' })).status).toBe(200)
  })

  it('FAULTS 61 a body beyond the limit is refused, whether it says its length or not, and has no effect', async () => {
    const { ask, raw, key, log } = await server()
    const body = JSON.stringify({ value: 'x'.repeat(5 * 1024 * 1024) })
    expect(said(await ask('PUT', key, { body }))).toEqual([413, 'payload_too_large'])
    const value = JSON.stringify({ value: 'x'.repeat(2 * 1024 * 1024) })
    expect(said(await ask('PUT', key, { body: value }))).toEqual([413, 'value_too_large'])
    const head = `PUT ${key} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\ncontent-type: application/json\r\n`
    const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
    const begun = `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await raw(begun, chunked(body))).toMatch(/^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/)
    expect((await ask('GET', log)).body.last_seq).toBe(1)
    // Of the same form, but small enough.
    expect(await raw(begun, chunked('{"value":1}'))).toMatch(/^HTTP\/1\.1 200 /)
    expect((await ask('GET', log)).body.last_seq).toBe(2)
  })

  it('more than is dropped is not even read', async () => {
    const { raw } = await server()
    const head = `PUT /sessions/x/state/keys/k HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\ncontent-type: application/json\r\n`
    const answer = await raw(`${head}content-length: 99999999999\r\n\r\n{`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/connection: close/i)
  })

  it('what is not there, or cannot be done there, says so', async () => {
    const { ask, key } = await server()
    for (const path of [
      '/',
      '/nothing',
      '/sessions/x/nothing',
      `${key}/`,
      '/operations/state.watch',
      '/operations/__proto__',
      '//',
      '/health/',
    ]) {
      expect([path, ...said(await ask('GET', path))]).toEqual([path, 404, 'not_found'])
    }
    for (const [method, path, allow] of [
      ['DELETE', '/sessions', 'POST, GET, HEAD'],
      ['POST', key, 'GET, PUT, DELETE, PATCH, HEAD'],
      ['GET', '/operations/state.get', 'POST'],
      ['POST', '/health', 'GET, HEAD'],
      ['OPTIONS', '/sessions', 'POST, GET, HEAD'],
      ['TRACE', '/docs', 'GET, HEAD'],
    ] as const) {
      const answered = await ask(method, path)
      expect([path, answered.status, answered.headers.allow]).toEqual([path, 405, allow])
    }
    expect(said(await ask('GET', '/sessions?limit=%zz'))).toEqual([400, 'bad_request'])
    expect(said(await ask('GET', '/sessions?limit=1&limit=2'))).toEqual([400, 'bad_request'])
    expect(said(await ask('GET', '/sessions?__proto__=1'))).toEqual([422, 'invalid_input'])
    expect(said(await ask('GET', '/sessions?constructor=1'))).toEqual([422, 'invalid_input'])
    expect(said(await ask('GET', '/sessions?limit=1e3'))).toEqual([422, 'invalid_input'])
    expect(said(await ask('GET', '/sessions?limit=-0'))).toEqual([422, 'invalid_input'])
    expect(said(await ask('GET', '/sessions?all=perhaps'))).toEqual([422, 'invalid_input'])
  })

  it('what is no HTTP is refused and cut off', async () => {
    const { raw, ask } = await server()
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"bad_request"/)
    expect(await raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
    expect(
      await raw('GET /health HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw('GET http://evil.example/health HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    )
    expect((await ask('GET', '/health')).status).toBe(200)
  })

  it('headers or a body that never end are cut off', async () => {
    const { raw, ask } = await server({
      timeouts: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 },
    })
    expect(await raw('GET /health HTTP/1.1\r\nhost: ')).toMatch(/^HTTP\/1\.1 408 /)
    expect(
      await raw('POST /sessions HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\ncontent-length: 9\r\n\r\n{'),
    ).toMatch(/^HTTP\/1\.1 408 |^$/)
    expect((await ask('GET', '/health')).status).toBe(200)
  })

  it.each([
    ['a body that says its length', (body: string) => `content-length: ${body.length}\r\n\r\n`, ''],
    ['a body in chunks', (body: string) => `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`, '\r\n'],
  ])(
    'FAULTS 58 %s is given up half-way, or just before its end: no effect, no harm to others',
    async (_, headOf, after) => {
      const served = await server()
      const { port, ask, key, log } = served
      // Without its last byte it would still be JSON.
      const body = `${JSON.stringify({ value: 'whole' })} `
      const about = `host: 127.0.0.1:${port}\r\nauthorization: Bearer owner\r\ncontent-type: application/json\r\n`
      const head = `PUT ${key} HTTP/1.1\r\n${about}connection: close\r\n${headOf(body)}`
      const before = await served.connections()
      for (const length of [0, 9, body.length - 1]) {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        socket.write(head + body.slice(0, length))
        // The server has it, and waits for the rest.
        await expect.poll(served.connections).toBeGreaterThan(before)
        await ask('GET', '/health')
        socket.resetAndDestroy()
        await expect.poll(served.connections).toBe(before)
      }
      expect((await ask('GET', key)).status).toBe(404)
      expect((await ask('GET', log)).body).toMatchObject({ last_seq: 1 })
      // The same to its end is done, so it was the end that was missing.
      const rest = after === '' ? body : `${body}${after}0\r\n\r\n`
      expect(await served.raw(head + rest)).toMatch(/^HTTP\/1\.1 200 /)
      expect((await ask('GET', key)).body).toMatchObject({ value: 'whole' })
    },
  )

  it('another name of the server, and pages of others, are refused before anything else', async () => {
    const { ask, port } = await server()
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1:${port}.evil.example`,
      '127.0.0.1',
      'localhost:1',
    ]) {
      expect(said(await ask('GET', '/health', { headers: { host } }))).toEqual([403, 'host_not_allowed'])
    }
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${port}.evil.example`,
      'http://127.0.0.1',
    ]) {
      expect(said(await ask('GET', '/sessions', { headers: { origin } }))).toEqual([403, 'origin_not_allowed'])
    }
    const own = await ask('GET', '/sessions', {
      headers: { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` },
    })
    expect(own.status).toBe(200)
    expect(own.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'self';.* frame-ancestors 'none';/),
    })
    expect(own.headers['x-request-id']).toBeTruthy()
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('every route needs a token; pages and the document need none', async () => {
    const { ask } = await server()
    const headers = { authorization: 'Basic b3duZXI6' }
    for (const { method, path } of routes) {
      const answered = await ask(method, path.replace(/\{\w+\}/g, 'x'), { headers })
      expect([method, path, ...said(answered)]).toEqual([method, path, 401, 'unauthorized'])
      expect(answered.headers['www-authenticate']).toBe('Bearer')
    }
    expect(said(await ask('GET', '/events', { headers }))).toEqual([401, 'unauthorized'])
    expect(said(await ask('GET', '/nothing', { headers }))).toEqual([401, 'unauthorized'])
    for (const path of ['/health', '/openapi.json', '/docs'])
      expect((await ask('GET', path, { headers })).status).toBe(200)
    expect((await ask('GET', '/sessions', { headers: owner })).status).toBe(200)
  })
})
