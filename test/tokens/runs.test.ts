// Tokens for one life of an agent: what is written with them says so, is held to a lease, and ends with their time.
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Content } from '../../src/domain/blobs/pieces.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import { bytesOf } from '../blobs/bytes.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { ownLog } from '../together/own-log.ts'
import { startServer } from './serving.ts'

const hourMs = 3_600_000

/** A root with an agent and its sibling, served, with a clock that can be put forward. */
async function begin(store: TestStore, lookMs?: number) {
  const made = await ownLog(store)
  const { cairn, session } = made
  const child = async (name: string) =>
    (await cairn.session.create({ topic: 'a child', parent: session, name })).session_id
  const [self, sibling] = [await child('self'), await child('sibling')]
  const server = await startServer(cairn.theLog, store.home, lookMs)
  onTestFinished(() => server.close())
  const set = (token: string, more: object = {}) => server.call('state.set', { key: 'k', value: 1, ...more }, token)
  return { ...made, self, sibling, server, set }
}

for (const kind of STORES) {
  describe(`tokens of runs on ${kind.name}`, () => {
    const store = sharedStore(kind)

    const runOut = (root: string, name: string) =>
      store().sql('UPDATE leases SET expires_at = 1 WHERE root = $1 AND name = $2', root, name)

    it('what is written with one says which run it was, and the list shows it', async () => {
      const { cairn, self, set } = await begin(store())
      const { token: held } = await cairn.lease.claim({ session: self, name: 'run/1', ttl: '1h' })
      const made = await cairn.token.create({
        kind: 'agent',
        session: self,
        run: 'run-1',
        lease: `run/1:${held}`,
        ttl: '2h',
      })
      expect(made).toMatchObject({ run: 'run-1', lease: { name: 'run/1', epoch: 1 }, expires_at: expect.any(String) })
      expect(await set(made.token)).toMatchObject({ status: 200 })
      const { events } = await cairn.log.list({ limit: 1000 })
      expect(events.at(-1)).toMatchObject({ type: 'set', cause: { run: 'run-1' }, session_id: self })
      expect((await cairn.state.why({ key: 'k' })).events).toMatchObject([{ cause: { run: 'run-1' } }])
      const { tokens } = await cairn.token.list({})
      const { token: _, ...shown } = made
      expect(tokens[0]).toEqual(shown)
      expect(JSON.stringify([tokens, events])).not.toContain(held.split('.')[1])
      const plain = await cairn.token.create({ kind: 'agent', session: self })
      expect(plain).toMatchObject({ run: null, lease: null, expires_at: null })
      await set(plain.token)
      expect((await cairn.log.list({ limit: 1000 })).events.at(-1)).toMatchObject({ cause: null })
    })

    it('U17 its writes are fenced once its lease is lost, and it still reads', async () => {
      const { cairn, session, self, server, set } = await begin(store())
      const claimed = await cairn.lease.claim({ session: self, name: 'run', ttl: '1h' })
      const other = await cairn.lease.claim({ session: self, name: 'task', ttl: '1h' })
      const { token } = await cairn.token.create({ kind: 'agent', session: self, lease: `run:${claimed.token}` })
      const fence = `task:${other.token}`
      expect(await set(token)).toMatchObject({ status: 200 })
      expect(await set(token, { fence })).toMatchObject({ status: 200 })
      // Both must hold: the lease of the token, and the one that is named.
      await cairn.lease.release({ session: self, name: 'task', token: other.token })
      expect(await set(token, { fence })).toMatchObject({ status: 409, body: { error: 'fenced', name: 'task' } })
      expect(await set(token)).toMatchObject({ status: 200 })
      const again = await cairn.lease.claim({ session: self, name: 'task', ttl: '1h' })
      await runOut(session, 'run')
      const fenced = { status: 409, body: { error: 'fenced', name: 'run', your_epoch: 1 } }
      expect(await set(token)).toMatchObject(fenced)
      expect(await set(token, { fence: `task:${again.token}` })).toMatchObject(fenced)
      expect(await server.call('lease.claim', { name: 'more', ttl: '1h' }, token)).toMatchObject(fenced)
      expect(await server.call('session.create', { topic: 't', parent: self }, token)).toMatchObject(fenced)
      // Another life of the agent takes over; the late one stays out.
      const next = await cairn.lease.claim({ session: self, name: 'run', ttl: '1h' })
      const second = await cairn.token.create({ kind: 'agent', session: self, lease: `run:${next.token}` })
      expect(await set(second.token)).toMatchObject({ status: 200 })
      expect(await set(token)).toMatchObject({ status: 409, body: { current_epoch: 2 } })
      expect(await server.call('state.get', { key: 'k' }, token)).toMatchObject({ status: 200, body: { version: 4 } })
    })

    it('U17 its blobs are fenced once its lease is lost: before any byte is taken, and when the last has come', async () => {
      const { cairn, self, server, set } = await begin(store())
      const claimed = await cairn.lease.claim({ session: self, name: 'run', ttl: '1h' })
      const { token } = await cairn.token.create({ kind: 'agent', session: self, lease: `run:${claimed.token}` })
      await set(token)
      const caller = server.callers.at(-1) as Caller
      const put = (content: Content) => cairn.theLog.blobs.put({ content }, caller)
      const kept = bytesOf(1000)
      expect(await put(kept)).toMatchObject({ isNew: true })
      const chunks = () => store().sql('SELECT content FROM blob_chunks')
      const before = await chunks()
      const bytes = bytesOf(200_000, 2)
      async function* losing() {
        yield bytes.subarray(0, 100_000)
        await cairn.lease.release({ session: self, name: 'run', token: claimed.token })
        yield bytes.subarray(100_000)
      }
      const fenced = { code: 'fenced', details: { name: 'run', your_epoch: 1 } }
      expect(await refused(put(losing()))).toMatchObject(fenced)
      let taken = 0
      async function* counting() {
        taken += 1
        yield bytes
      }
      // Not even what is there already is answered.
      for (const content of [bytesOf(10, 3), kept, counting()])
        expect(await refused(put(content))).toMatchObject(fenced)
      expect(taken).toBe(0)
      expect(await chunks()).toEqual(before)
    })

    it('an agent uses what its own session holds, whatever token of a lease it has heard of', async () => {
      const { cairn, self, sibling, server, set } = await begin(store())
      const { token } = await cairn.token.create({ kind: 'agent', session: self })
      const lent = (await cairn.state.claim({ session: sibling, key: 'a', ttl: '1h' })).token
      const fenced = { status: 409, body: { error: 'fenced' } }
      expect(await set(token, { fence: `key/a:${lent}` })).toMatchObject(fenced)
      for (const operation of ['state.heartbeat', 'state.release']) {
        expect(await server.call(operation, { key: 'a', token: lent }, token)).toMatchObject(fenced)
      }
      const own = await server.call('state.claim', { key: 'b', ttl: '1h' }, token)
      expect(await set(token, { fence: `key/b:${own.body.token}` })).toMatchObject({ status: 200 })
      for (const operation of ['state.heartbeat', 'state.release']) {
        const held = { key: 'b', token: own.body.token }
        expect(await server.call(operation, held, token)).toMatchObject({ status: 200 })
      }
      // Whoever owns the store uses what it has a token of.
      await cairn.state.set({ key: 'a', value: 1, fence: `key/a:${lent}` })
    })

    it('U1 one that has expired is no token any more: to requests, waits and feeds, and it is not one that was guessed', async () => {
      const { cairn, self, server, set, pass } = await begin(store(), 20)
      const { token } = await cairn.token.create({ kind: 'agent', session: self, ttl: '1h' })
      const reader = await cairn.token.create({ kind: 'reader', ttl: '1h' })
      expect(await set(token)).toMatchObject({ status: 200 })
      const expired = { status: 401, body: { error: 'unauthorized', message: 'The token has expired.' } }
      const waiting = server.call('state.wait', { key: 'never', timeout: '1h' }, token)
      const polling = server.ask(`/sessions/${self}/events?since=1000000000&wait=60`, { token })
      const feeds = [token, reader.token].map((each) => server.ask(`/events?root=${self}`, { token: each }))
      expect(await polling).toMatchObject({ status: 409, body: { error: 'history_lost' } })
      while (server.callers.length < 5) await new Promise((resolve) => setImmediate(resolve))
      pass(hourMs)
      expect(await waiting).toMatchObject(expired)
      for (const feed of await Promise.all(feeds)) {
        expect(feed.status).toBe(200)
        expect(feed.body.text).toContain('The token has expired.')
      }
      for (let at = 0; at < 30; at++) expect(await set(token)).toMatchObject(expired)
      expect(await server.ask('/sessions', { token: reader.token })).toMatchObject(expired)
      expect(await server.ask('/sessions', { token: server.install.text() })).toMatchObject({ status: 200 })
    })

    it('U1 the end comes at its time, without anybody looking', async () => {
      const { cairn, self, server } = await begin(store())
      const { token } = await cairn.token.create({ kind: 'agent', session: self, ttl: '2s' })
      const waiting = server.call('state.wait', { key: 'never', timeout: '1h' }, token)
      expect(await waiting).toMatchObject({ status: 401, body: { message: 'The token has expired.' } })
    })

    it('refuses times, leases and runs that make no sense, and agents that want one', async () => {
      const { cairn, session, self, server, now } = await begin(store())
      const claimed = await cairn.lease.claim({ session: self, name: 'l', ttl: '1h' })
      const agent = { kind: 'agent', session: self } as const
      const later = new Date(now() + hourMs).toISOString()
      const bad: [Parameters<typeof cairn.token.create>[0], string][] = [
        [{ ...agent, ttl: '1h', expires_at: later }, 'invalid_input'],
        [{ ...agent, ttl: '0s' }, 'invalid_input'],
        [{ ...agent, ttl: '-1s' }, 'invalid_input'],
        [{ ...agent, ttl: '3651d' }, 'invalid_input'],
        [{ ...agent, ttl: 'long' }, 'invalid_input'],
        [{ ...agent, expires_at: '2020-01-01T00:00:00Z' }, 'invalid_input'],
        [{ ...agent, expires_at: 'tomorrow' }, 'invalid_input'],
        [{ ...agent, run: '' }, 'invalid_input'],
        [{ ...agent, lease: 'l:1' }, 'invalid_input'],
        [{ ...agent, lease: `l:1.${'0'.repeat(32)}` }, 'fenced'],
        [{ ...agent, lease: `other:${claimed.token}` }, 'fenced'],
        [{ kind: 'reader', run: 'r' }, 'invalid_input'],
        [{ kind: 'reader', lease: `l:${claimed.token}` }, 'invalid_input'],
      ]
      const before = (await cairn.token.list({})).tokens.length
      for (const [input, code] of bad)
        expect(await refused(cairn.token.create(input)), JSON.stringify(input)).toMatchObject({ code })
      await runOut(session, 'l')
      expect(await refused(cairn.token.create({ ...agent, lease: `l:${claimed.token}` }))).toMatchObject({
        code: 'fenced',
      })
      expect((await cairn.token.list({})).tokens.length).toBe(before)
      const { token } = await cairn.token.create({ ...agent, expires_at: later })
      expect(await server.call('token.create', { kind: 'agent', run: 'mine' }, token)).toMatchObject({ status: 403 })
    })
  })
}
