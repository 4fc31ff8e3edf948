// Waiting for what happens in a log, whatever it is: by the library, and as a long poll.
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveStore } from '../http/served.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`waiting for the log on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('answers at once with what is there, and else when it comes, here and from another process', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'a', value: 1 })
      expect(await cairn.log.wait({ since: 1 })).toEqual({
        ...(await cairn.log.list({ since: 1 })),
        next_since: 2,
      })
      const waiting = cairn.log.wait({ since: 2, timeout: '30s' })
      const other = await store().open({ session })
      await other.state.set({ key: 'b', value: 1 })
      expect((await waiting).events).toMatchObject([{ seq: 3, key: 'b' }])
    })

    it('waits for a stream, for all that begin alike, or for a type, and for nothing else', async () => {
      const { cairn, session } = await newRoot(store())
      const order: string[] = []
      const noted = async (name: string, input: object) => {
        const { events } = await cairn.log.wait({ since: 1, timeout: '30s', ...input })
        order.push(name)
        return events
      }
      const all = Promise.all([
        noted('lease', { stream: 'lease' }),
        noted('sessions', { stream: 'session/' }),
        noted('released', { type: 'lease_released' }),
        noted('b', { stream: 'state', type: 'delete' }),
      ])
      await cairn.state.set({ key: 'a', value: 1 })
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      await cairn.log.wait({ since: 2 })
      await newChild(cairn, session)
      await cairn.lease.release({ name: 'l', token })
      await cairn.state.delete({ key: 'a' })
      const [lease, sessions, released, deleted] = await all
      expect(lease?.[0]).toMatchObject({ type: 'lease_claimed' })
      expect(sessions?.[0]).toMatchObject({ stream: 'session/1', seq: 4 })
      expect(released).toMatchObject([{ type: 'lease_released', seq: 5 }])
      expect(deleted).toMatchObject([{ type: 'delete', key: 'a', seq: 6 }])
      expect(order).toHaveLength(4)
    })

    it('U55 waits for several types, and refuses one that is not known with those that are', async () => {
      const { cairn, session } = await newRoot(store())
      const served = await serveStore(store())
      const waiting = cairn.log.wait({ since: 1, type: 'delete, increment', timeout: '30s' })
      const polling = served.ask('GET', `/sessions/${session}/events?since=1&wait=30&type=delete,increment`)
      await cairn.state.set({ key: 'a', value: 1 })
      await cairn.state.increment({ key: 'n' })
      expect((await waiting).events).toMatchObject([{ seq: 3, type: 'increment' }])
      expect((await polling).body.events).toMatchObject([{ seq: 3, type: 'increment' }])
      for (const type of ['sett', 'set,', 'set,state_updated']) {
        const { code, details } = await refused(cairn.log.wait({ type }))
        expect([code, details.path]).toEqual(['invalid_input', 'type'])
        expect(details.known).toContain('set')
      }
    })

    it('waits for what comes next unless it is told since when', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'before', value: 1 })
      const late = await cairn.log.wait({ timeout: '0' })
      expect([late.events, late.last_seq]).toEqual([[], 2])
      const waiting = cairn.log.wait({ timeout: '30s' })
      let isOver = false
      void waiting.then(() => {
        isOver = true
      })
      while (!isOver) await cairn.state.increment({ key: 'n' })
      expect((await waiting).events[0]).toMatchObject({ type: 'increment', key: 'n' })
    })

    it('gives what it has found so far in pages, and passes over any number of other events', async () => {
      const { cairn } = await newRoot(store())
      const operations = Array.from({ length: 400 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: at }))
      for (let at = 0; at < 3; at++) await cairn.state.batch({ operations })
      await cairn.state.delete({ key: 'k1' })
      const { events, has_more, last_seq } = await cairn.log.wait({ since: 0, type: 'delete', timeout: '30s' })
      expect([events.map(({ seq }) => seq), has_more, last_seq]).toEqual([[1202], false, 1202])
      const page = await cairn.log.wait({ since: 0, limit: 10 })
      expect([page.events.length, page.has_more]).toEqual([10, true])
      const seqs: number[] = []
      for (let since = 0, more = true; more; since = seqs.at(-1) ?? 0) {
        const next = await cairn.log.wait({ since, stream: 'state', limit: 1000, timeout: '0' })
        seqs.push(...next.events.map(({ seq }) => seq))
        more = next.has_more || next.events.length > 0
      }
      expect(seqs).toEqual(Array.from({ length: 1201 }, (_, at) => at + 2))
    })

    it('comes back with nothing when its time is over, and refuses what can never come', async () => {
      const { cairn, session } = await newRoot(store())
      const nothing = { root_session_id: session, events: [], has_more: false, last_seq: 1, next_since: 1 }
      expect(await cairn.log.wait({ since: 1, timeout: '0' })).toEqual(nothing)
      expect(await cairn.log.wait({ since: 1, timeout: '20ms', stream: 'state' })).toEqual(nothing)
      expect(await refused(cairn.log.wait({ since: 2 }))).toMatchObject({
        code: 'history_lost',
        details: { last_seq: 1 },
      })
      for (const input of [{ timeout: '2h' }, { timeout: 'long' }, { since: -1 }, { limit: 0 }, { stream: '' }]) {
        expect(await refused(cairn.log.wait(input))).toMatchObject({ code: 'invalid_input' })
      }
    })

    it('C28 is the long poll over HTTP: since and wait in seconds', async () => {
      const served = await serveStore(store())
      onTestFinished(() => served.stop())
      const { body: made } = await served.ask('POST', '/sessions', { body: { topic: 'polled' } })
      const path = `/sessions/${made.session_id}`
      const waiting = served.ask('GET', `${path}/events?since=1&wait=30`)
      await served.ask('PUT', `${path}/state/keys/k`, { body: { value: 1 } })
      expect(await waiting).toMatchObject({
        status: 200,
        body: { events: [{ seq: 2, key: 'k' }], has_more: false, last_seq: 2 },
      })
      const none = await served.ask('GET', `${path}/events?since=2&wait=0.05`)
      expect(none).toMatchObject({ status: 200, body: { events: [], last_seq: 2 } })
      expect(await served.ask('GET', `${path}/events?since=0`)).toMatchObject({
        status: 200,
        body: { events: [{}, {}] },
      })
      expect(await served.ask('GET', `${path}/events?since=0&wait=5&type=set`)).toMatchObject({
        body: { events: [{ seq: 2 }] },
      })
      for (const bad of ['wait=', 'wait=x', 'wait=-1', 'wait=3601', 'wait=1&wait=1', 'wait=1&timeout=1s']) {
        expect((await served.ask('GET', `${path}/events?since=2&${bad}`)).status, bad).toBeGreaterThanOrEqual(400)
      }
      expect((await served.ask('GET', `${path}/events?since=9&wait=1`)).body).toMatchObject({ error: 'history_lost' })
    })
  })
}
