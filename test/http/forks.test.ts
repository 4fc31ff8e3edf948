import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { serveStore } from './served.ts'

for (const kind of STORES) {
  describe(`forks over HTTP on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U37 a root is forked at an event, and the tree of forks can be asked for', async () => {
      const served = await serveStore(store())
      const { body: made } = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
      const session = `/sessions/${made.session_id}`
      await served.ask('POST', `${session}/state`, { body: { initial_state: { a: 1 } } })
      const forked = await served.ask('POST', `${session}/fork`, { body: { at: 2 } })
      expect([forked.status, forked.body]).toEqual([
        201,
        {
          session_id: expect.any(String),
          root_session_id: forked.body.session_id,
          origin_session_id: made.session_id,
          at: 2,
          status: 'running',
        },
      ])
      const fork = `/sessions/${forked.body.session_id}`
      const write = { body: { value: 2 }, headers: { 'if-match': '"1"' } }
      expect((await served.ask('PUT', `${fork}/state/keys/a`, write)).status).toBe(200)
      expect((await served.ask('GET', `${session}/state`)).body.state).toEqual({ a: 1 })
      expect((await served.ask('GET', `${fork}/state?at=2`)).body.state).toEqual({ a: 1 })
      expect((await served.ask('GET', fork)).body.forked_from).toEqual({ session_id: made.session_id, at: 2 })
      const tree = await served.ask('GET', `${session}/tree?forks=true`)
      expect(tree.body).toMatchObject({
        children: [],
        forks: [{ session_id: forked.body.session_id, at: 2, forks: [] }],
      })
      expect((await served.ask('GET', `${session}/tree`)).body).not.toHaveProperty('forks')
      const past = await served.ask('POST', `${session}/fork`, { body: { at: 3 } })
      expect([past.status, past.body]).toMatchObject([422, { error: 'bad_cut', first: 1, last: 2 }])
      const nowhere = await served.ask('POST', '/sessions/nobody/fork', { body: {} })
      expect([nowhere.status, nowhere.body.error]).toEqual([404, 'session_not_found'])
    })
  })
}
