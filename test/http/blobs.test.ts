import { connect as connectSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { chunkBytes } from '../../src/domain/blobs/blob.ts'
import { connect } from '../../src/index.ts'
import { bytesOf, contentOf, inPieces, sha256 } from '../blobs/bytes.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { owner, type Served, serveStore } from './served.ts'

const octets = 'application/octet-stream'

async function chunksIn(store: TestStore): Promise<number> {
  return Number((await store.sql('SELECT count(*) AS chunks FROM blob_chunks'))[0]?.chunks)
}

/** Waits until something is as it should be; the time of the test is all the time it has. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

for (const kind of STORES) {
  describe(`blobs over HTTP on ${kind.name}`, () => {
    const store = sharedStore(kind)
    let served: Served
    let blobs: string
    let session: string

    beforeEach(async () => {
      session = await store().createRoot()
      served = await serveStore(store(), { limits: { blobBytes: 4 * chunkBytes } })
      blobs = `/sessions/${session}/blobs`
    })

    const got = (hash: string, headers = {}) =>
      fetch(`http://127.0.0.1:${served.port}${blobs}/${hash}`, { headers: { ...owner, ...headers } })

    it('takes bytes of any type under their hash, or says it, and gives them back', async () => {
      const bytes = Buffer.from(bytesOf(2 * chunkBytes + 5, 1))
      const hash = sha256(bytes)
      const put = await served.ask('PUT', `${blobs}/${hash}`, { body: bytes, type: 'image/png' })
      expect(put).toMatchObject({ status: 201, body: { hash, bytes: bytes.length } })
      for (const [method, path] of [
        ['PUT', `${blobs}/${hash}`],
        ['POST', blobs],
      ] as const) {
        expect(await served.ask(method, path, { body: bytes, type: octets })).toMatchObject({
          status: 200,
          body: { hash, bytes: bytes.length },
        })
      }
      const other = Buffer.from(bytesOf(10, 2))
      const posted = await served.ask('POST', blobs, { body: other, type: 'application/json' })
      expect(posted).toMatchObject({ status: 201, body: { hash: sha256(other), bytes: 10 } })

      const answer = await got(hash)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-length': String(bytes.length),
        'content-type': octets,
        'cache-control': 'private, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        etag: `"${hash}"`,
      })
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      const head = await served.ask('HEAD', `${blobs}/${hash}`)
      expect(head).toMatchObject({ status: 200, text: '' })
      expect(head.headers).toMatchObject({ 'content-length': String(bytes.length), etag: `"${hash}"` })
      for (const known of [`"${hash}"`, `W/"${hash}"`, '*', `"x", "${hash}"`])
        expect(await served.ask('GET', `${blobs}/${hash}`, { headers: { 'if-none-match': known } })).toMatchObject({
          status: 304,
          text: '',
        })
      expect((await got(hash, { 'if-none-match': '"x"' })).status).toBe(200)
    })

    it('an empty blob is one too', async () => {
      const hash = sha256(new Uint8Array())
      expect(await served.ask('PUT', `${blobs}/${hash}`)).toMatchObject({ status: 201, body: { hash, bytes: 0 } })
      expect(await served.ask('GET', `${blobs}/${hash}`)).toMatchObject({ status: 200, text: '' })
    })

    it('gives a part of the bytes, over the edges of chunks, and none behind the end', async () => {
      const bytes = Buffer.from(bytesOf(2 * chunkBytes + 5, 11))
      const { length } = bytes
      const hash = sha256(bytes)
      await served.ask('PUT', `${blobs}/${hash}`, { body: bytes, type: octets })
      const caller = { principal: 'owner', actor: 'test', scope: 'owner' } as const
      const found = await served.log.blobs.get(session, hash, caller)
      const parts: [range: string, from: number, to: number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=10-19', 10, 20],
        [`bytes=${chunkBytes - 2}-${chunkBytes + 1}`, chunkBytes - 2, chunkBytes + 2],
        [`bytes=${chunkBytes}-${2 * chunkBytes - 1}`, chunkBytes, 2 * chunkBytes],
        [`bytes=${length - 7}-`, length - 7, length],
        ['bytes=-3', length - 3, length],
        [`bytes=-${length + 9}`, 0, length],
        [`bytes=5-${length + 9}`, 5, length],
      ]
      for (const [range, from, to] of parts) {
        const answer = await got(hash, { range })
        expect([range, answer.status, answer.headers.get('content-range')]).toEqual([
          range,
          206,
          `bytes ${from}-${to - 1}/${length}`,
        ])
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, to)), range).toBe(true)
        // A client reads no more bytes than it was told of, so what is sent beyond them shows only here.
        const read: Uint8Array[] = []
        for await (const chunk of found.chunks(from, to)) read.push(chunk)
        expect(Buffer.concat(read).length, range).toBe(to - from)
      }
      for (const range of ['bytes=4-3', 'bytes=x-1', 'bytes=-', 'bytes=0-1,3-4', 'lines=0-1'])
        expect([range, (await (await got(hash, { range })).arrayBuffer()).byteLength]).toEqual([range, length])
      for (const range of [`bytes=${length}-`, 'bytes=-0']) {
        const told = await served.ask('GET', `${blobs}/${hash}`, { headers: { range } })
        expect(told).toMatchObject({ status: 416, body: { error: 'invalid_input', bytes: length } })
        expect(told.headers['content-range']).toBe(`bytes */${length}`)
      }
      // A part of something else is of no use.
      expect((await got(hash, { range: 'bytes=0-1', 'if-range': `"${hash}"` })).status).toBe(206)
      expect((await got(hash, { range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
      const whole = await served.ask('HEAD', `${blobs}/${hash}`, { headers: { range: 'bytes=0-1' } })
      expect(whole.headers).toMatchObject({ 'content-length': String(length), 'accept-ranges': 'bytes' })
    })

    it('lists what a root has, page by page, and nothing of another root', async () => {
      expect(await served.ask('GET', blobs)).toMatchObject({ status: 200, body: { blobs: [] } })
      const all = [12, 13, 14].map((seed) => Buffer.from(bytesOf(seed, seed)))
      for (const body of all) await served.ask('POST', blobs, { body, type: octets })
      const other = await store().createRoot()
      await served.ask('POST', `/sessions/${other}/blobs`, { body: Buffer.from('other'), type: octets })
      const expected = all
        .map((bytes) => ({ hash: sha256(bytes), bytes: bytes.length }))
        .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      const listed = await served.ask('GET', blobs)
      expect(listed.body).toMatchObject({ root_session_id: session, blobs: expected })
      expect(listed.body.blobs).toEqual(
        expected.map((each) => ({ ...each, created_at: expect.stringMatching(/^\d{4}-.*Z$/) })),
      )
      expect(listed.body.next_cursor).toBeNull()
      const first = await served.ask('GET', `${blobs}?limit=2`)
      expect(first.body).toMatchObject({ blobs: expected.slice(0, 2), next_cursor: expected[1]?.hash })
      const second = await served.ask('GET', `${blobs}?limit=2&cursor=${first.body.next_cursor}`)
      expect(second.body).toMatchObject({ blobs: expected.slice(2) })
      expect(second.body.next_cursor).toBeNull()
      expect(await served.ask('GET', `${blobs}?cursor=x`)).toMatchObject({ status: 422, body: { path: 'cursor' } })
    })

    it('refuses what cannot be, in the middle of the body too, and keeps nothing of it', async () => {
      const before = await chunksIn(store())
      const large = Buffer.from(bytesOf(4 * chunkBytes + 1, 3))
      const tooLarge = {
        status: 413,
        body: { error: 'payload_too_large', limit: 'blobBytes', limit_value: 4 * chunkBytes },
      }
      expect(await served.ask('PUT', `${blobs}/${sha256(large)}`, { body: large, type: octets })).toMatchObject(
        tooLarge,
      )
      const chunked = {
        method: 'POST',
        headers: owner,
        body: ReadableStream.from(inPieces(large, 9999)),
        duplex: 'half',
      } as const
      const told = await fetch(`http://127.0.0.1:${served.port}${blobs}`, chunked as RequestInit)
      expect({ status: told.status, body: await told.json() }).toMatchObject(tooLarge)

      const bytes = Buffer.from(bytesOf(3 * chunkBytes, 4))
      const hash = sha256(bytes)
      const wrong = await served.ask('PUT', `${blobs}/${sha256(large)}`, { body: bytes, type: octets })
      expect(wrong).toMatchObject({ status: 422, body: { error: 'invalid_input', path: 'hash', found: hash } })
      for (const none of ['x', hash.toUpperCase(), `${hash}0`]) {
        const noHash = { status: 422, body: { error: 'invalid_input', path: 'hash' } }
        expect(await served.ask('PUT', `${blobs}/${none}`, { body: bytes, type: octets })).toMatchObject(noHash)
        expect(await served.ask('GET', `${blobs}/${none}`)).toMatchObject(noHash)
      }
      expect(await served.ask('GET', `${blobs}/${hash}`)).toMatchObject({ status: 404, body: { error: 'not_found' } })
      const nowhere = await served.ask('PUT', `/sessions/nobody/blobs/${hash}`, { body: bytes, type: octets })
      expect(nowhere).toMatchObject({ status: 404, body: { error: 'session_not_found' } })
      const packed = { body: bytes, type: octets, headers: { 'content-encoding': 'gzip' } }
      expect(await served.ask('POST', blobs, packed)).toMatchObject({ status: 415 })
      const reading = { body: bytes, type: octets, headers: { authorization: 'Bearer reader' } }
      expect(await served.ask('PUT', `${blobs}/${hash}`, reading)).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
      expect(await served.ask('DELETE', `${blobs}/${hash}`)).toMatchObject({
        status: 405,
        headers: { allow: 'GET, PUT, HEAD' },
      })
      expect(await served.ask('DELETE', blobs)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
      expect(await chunksIn(store())).toBe(before)
    })

    it.each([
      ['is negative', 'content-length: -1\r\n'],
      ['is no number', 'content-length: ten\r\n'],
      ['is given twice', 'content-length: 3\r\ncontent-length: 4\r\n'],
      ['stands beside chunks', 'content-length: 3\r\ntransfer-encoding: chunked\r\n'],
    ])('a length that %s is no request', async (_, header) => {
      const head = `POST ${blobs} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\n`
      expect(await served.raw(`${head}${header}\r\nabc`)).toMatch(/^HTTP\/1\.1 400 /)
    })

    it('who says that far too much will come is answered at once, and cut off', async () => {
      const head = `POST ${blobs} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\ncontent-length: 99999999999\r\n\r\n`
      expect(await served.raw(head)).toMatch(/^HTTP\/1\.1 413 .*connection: close.*payload_too_large/is)
    })

    it('of a body that breaks off nothing is left', async () => {
      const before = await chunksIn(store())
      const bytes = bytesOf(4 * chunkBytes, 5)
      const socket = connectSocket(served.port, '127.0.0.1')
      const head = `PUT ${blobs}/${sha256(bytes)} HTTP/1.1\r\nhost: 127.0.0.1:${served.port}\r\nauthorization: Bearer owner\r\n`
      socket.write(`${head}content-length: ${bytes.length}\r\n\r\n`)
      socket.write(bytes.subarray(0, 3 * chunkBytes))
      await until(async () => (await chunksIn(store())) > before)
      socket.destroy()
      await until(async () => (await chunksIn(store())) === before)
      expect(await served.ask('GET', `${blobs}/${sha256(bytes)}`)).toMatchObject({ status: 404 })
    })

    it('a sender that loses its token on the way has put nothing', async () => {
      const before = await chunksIn(store())
      const bytes = bytesOf(4 * chunkBytes, 6)
      const url = `http://127.0.0.1:${served.port}${blobs}`
      const late = { authorization: 'Bearer late' }
      async function* slowly() {
        yield bytes.subarray(0, 2 * chunkBytes)
        await until(async () => (await chunksIn(store())) > before)
        served.revoked.add('late')
        yield bytes.subarray(2 * chunkBytes)
      }
      const sent = { method: 'POST', headers: late, body: ReadableStream.from(slowly()), duplex: 'half' }
      expect((await fetch(url, sent as RequestInit)).status).toBe(401)
      expect(await chunksIn(store())).toBe(before)
    })

    it('the client puts and gets as the library does, and is refused alike', async () => {
      const client = connect({ url: `http://127.0.0.1:${served.port}`, token: 'owner', session })
      const bytes = bytesOf(2 * chunkBytes + 9, 8)
      const expected = { hash: sha256(bytes), bytes: bytes.length }
      expect(await client.blob.put({ session, content: bytes })).toEqual(expected)
      expect(await client.blob.put({ session, content: inPieces(bytes, 50_000) })).toEqual(expected)
      expect((await contentOf(client, expected.hash, session)).equals(bytes)).toBe(true)
      const library = (await newRoot(store(), { limits: { blobBytes: 4 * chunkBytes } })).cairn
      const hash = sha256(bytes.subarray(1))
      for (const attempt of [
        { content: bytes, hash },
        { content: bytesOf(4 * chunkBytes + 1, 9) },
        { content: bytes, hash: 'none' },
        ...['text', new Blob([]), [1, 2], 5].map((content) => ({ content: content as unknown as Uint8Array })),
      ]) {
        const [one, other] = [
          await refused(client.blob.put({ session, ...attempt })),
          await refused(library.blob.put(attempt)),
        ]
        expect(one.refusal.toJSON()).toEqual(other.refusal.toJSON())
      }
      expect((await refused(client.blob.get({ session, hash }))).refusal.toJSON()).toEqual(
        (await refused(library.blob.get({ hash }))).refusal.toJSON(),
      )
      expect((await client.blob.list({ session })).blobs).toMatchObject([expected])
      expect((await library.blob.list({})).blobs).toEqual([])
      const last = bytesOf(3 * chunkBytes, 10)
      const put = client.blob.put({ session, content: last })
      const unread = (await client.blob.get({ session, hash: expected.hash })).content
      await client.close()
      expect(await put).toEqual({ hash: sha256(last), bytes: last.length })
      await expect(new Response(unread).arrayBuffer()).rejects.toThrow()
      expect(await refused(client.blob.get({ session, hash }))).toMatchObject({ code: 'unavailable' })
    })
  })
}
