// Clients that would like to speak something else, such as HTTP/2, and are not asked to.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { owner, serveStore } from './served.ts'

const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' }

async function answered(asking: ClientRequest): Promise<{ status: number; body: Record<string, unknown> }> {
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
}

for (const kind of STORES) {
  describe(`a request that offers another protocol, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U53 is answered as if it had not: reads, writes, refusals, and open pages', async () => {
      const { cairn, session } = await newRoot(store())
      const url = `http://127.0.0.1:${(await serveStore(store())).port}`
      const headers = { ...owner, ...offer }
      const path = `${url}/sessions/${session}/state/keys/k`
      const health = await answered(request(`${url}/health`, { headers: offer }).end())
      expect(health).toMatchObject({ status: 200, body: { ok: true } })
      const json = { ...headers, 'content-type': 'application/json' }
      const value = 'x'.repeat(200_000)
      const body = JSON.stringify({ value })
      const put = request(path, { method: 'PUT', headers: { ...json, 'content-length': body.length } })
      put.write(body.slice(0, 1000))
      put.end(body.slice(1000))
      expect(await answered(put)).toMatchObject({ status: 200, body: { version: 1 } })
      expect(await answered(request(path, { headers }).end())).toMatchObject({ status: 200, body: { value } })
      expect((await answered(request(path, { headers: offer }).end())).status).toBe(401)
      expect((await answered(request(`${url}/nothing`, { headers }).end())).status).toBe(404)
      const inPieces = request(path, { method: 'PUT', headers: { ...json, 'transfer-encoding': 'chunked' } })
      inPieces.end(JSON.stringify({ value: 1 }))
      expect(await answered(inPieces)).toMatchObject({ status: 400, body: { error: 'bad_request' } })
      expect((await cairn.state.get({ session, key: 'k' })).version).toBe(1)
    })
  })
}
