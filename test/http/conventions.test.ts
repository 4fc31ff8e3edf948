// What programs that were not written for this server expect of any server.
import { describe, expect, it } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { serveStore } from './served.ts'

for (const kind of STORES) {
  describe(`conventions of HTTP, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function servedKey() {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ session, key: 'k', value: 'there' })
      const served = await serveStore(store())
      return { cairn, session, served, path: `/sessions/${session}/state/keys/k` }
    }

    it('HEAD answers like GET, without the body, and is refused where there is no GET', async () => {
      const { served, path } = await servedKey()
      const [got, head] = [await served.ask('GET', path), await served.ask('HEAD', path)]
      expect(head).toMatchObject({ status: 200, text: '' })
      for (const name of ['etag', 'content-length', 'content-type']) expect(head.headers[name]).toBe(got.headers[name])
      expect(await served.ask('HEAD', '/health')).toMatchObject({ status: 200, text: '' })
      expect(await served.ask('HEAD', `${path}x`)).toMatchObject({ status: 404, text: '' })
      expect((await served.ask('HEAD', `${path}/ops`)).status).toBe(405)
      expect((await served.ask('HEAD', '/events')).status).toBe(405)
      expect((await served.ask('POST', path)).headers.allow?.split(', ')).toContain('HEAD')
    })

    it('C8 If-None-Match beside If-Match or X-If-Match is refused, and nothing is overwritten', async () => {
      const { cairn, session, served, path } = await servedKey()
      for (const beside of [{ 'if-match': '*' }, { 'if-match': '"1"' }, { 'x-if-match': 'skip' }]) {
        const headers = { 'if-none-match': '*', ...beside }
        const answer = await served.ask('PUT', path, { headers, body: { value: 'over' } })
        expect(answer).toMatchObject({ status: 400, body: { error: 'bad_request' } })
      }
      expect((await cairn.state.get({ session, key: 'k' })).value).toBe('there')
    })

    it('C13 a cursor that is none of ours is refused: it would pass for the end of the list', async () => {
      const { served } = await servedKey()
      for (const path of ['/sessions', '/tokens']) {
        const answer = await served.ask('GET', `${path}?cursor=xyz`)
        expect(answer).toMatchObject({ status: 422, body: { error: 'invalid_input', path: 'cursor' } })
      }
    })

    it('a wait waits, whatever version of the key is known', async () => {
      const { cairn, session, served, path } = await servedKey()
      const headers = { 'if-none-match': '"1"' }
      const waiting = served.ask('GET', `${path}/wait?equals=%22new%22&timeout=60s`, { headers })
      await cairn.state.set({ session, key: 'k', value: 'new' })
      expect(await waiting).toMatchObject({ status: 200, body: { value: 'new' } })
    })
  })
}
