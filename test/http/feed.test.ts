import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { follow, type Heard, listen } from './followers.ts'
import { owner, type Served, serveStore } from './served.ts'

function seqs(heard: readonly Heard[], type = 'event'): number[] {
  return heard.filter((message) => message.type === type).map(({ seq }) => seq)
}

function upTo(count: number, from = 1): number[] {
  return Array.from({ length: count - from + 1 }, (_, at) => from + at)
}

const isSeq = (seq: number) => (message: Heard) => message.type === 'event' && message.seq === seq

for (const kind of STORES) {
  describe(`the feed on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function root(
      options = {},
    ): Promise<{ served: Served; id: string; state: string; set(value: unknown): Promise<void> }> {
      const served = await serveStore(store(), options)
      const made = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
      const id = String(made.body.session_id)
      const state = `/sessions/${id}/state`
      const set = async (value: unknown) => {
        await served.ask('PUT', `${state}/keys/k`, { body: { value }, headers: { 'if-match': '*' } })
      }
      return { served, id, state, set }
    }

    it('S0-48 S0-75 S0-76 S0-106 C12 says what changed in the words of each design, with the sequence', async () => {
      const { served, id, state, set } = await root()
      const reader = await follow(served.port, `?root=${id}`)
      await served.ask('POST', state, { body: { initial_state: { k: 1 } } })
      await set('two')
      await served.ask('DELETE', `${state}/keys/k`)
      await set('x'.repeat(5000))
      await reader.until(isSeq(5))
      const of = (seq: number, type: string) => reader.heard.find((each) => each.seq === seq && each.type === type)
      const common = { root_session_id: id, timestamp: expect.stringMatching(/Z$/) }
      expect(of(2, 'state_updated')).toEqual({
        ...common,
        type: 'state_updated',
        version: 1,
        changed_by: id,
        patch: { k: 1 },
        deleted: [],
        omitted: [],
        seq: 2,
      })
      expect(of(3, 'state_updated')).toMatchObject({ version: 2, patch: { k: 'two' } })
      expect(of(3, 'state_key_updated')).toEqual({
        ...common,
        type: 'state_key_updated',
        key: 'k',
        value: 'two',
        version: 2,
        updated_by: id,
        changed_by: id,
        seq: 3,
      })
      expect(of(3, 'state_event')).toEqual({
        type: 'state_event',
        root_session_id: id,
        event: { type: 'set', key: 'k', value: 'two' },
        sequence: 2,
        session_id: id,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        seq: 3,
      })
      expect(of(3, 'event')).toMatchObject({ root_session_id: id, event: { seq: 3, type: 'set', stream: 'state' } })
      expect(of(4, 'state_key_deleted')).toMatchObject({ key: 'k', version: 3, deleted_by: id })
      expect(of(4, 'state_updated')).toMatchObject({ patch: { k: null }, deleted: ['k'], omitted: [] })
      expect(of(5, 'state_key_updated')).toMatchObject({ value_omitted: true, version: 4 })
      expect(of(5, 'state_key_updated')).not.toHaveProperty('value')
      expect(of(5, 'state_updated')).toMatchObject({ patch: {}, deleted: [], omitted: ['k'] })
    })

    it('tells the past and then what comes, the same messages, without gap or repeat', async () => {
      const { served, id, set } = await root()
      const live = await follow(served.port, `?root=${id}&since=0`)
      for (let value = 2; value <= 20; value++) await set(value)
      const [early, late] = await Promise.all([
        follow(served.port, `?root=${id}&since=0`),
        follow(served.port, `?root=${id}&since=15`),
      ])
      const writing = (async () => {
        for (let value = 21; value <= 60; value++) await set(value)
      })()
      const joining = await listen(served.port, `?root=${id}&since=3`)
      await writing
      for (const each of [live, early, late, joining]) await each.until(isSeq(60))
      expect(seqs(live.heard)).toEqual(upTo(60))
      expect(seqs(early.heard)).toEqual(upTo(60))
      expect(early.heard).toEqual(live.heard)
      expect(seqs(late.heard)).toEqual(upTo(60, 16))
      expect(seqs(joining.heard)).toEqual(upTo(60, 4))
      expect(late.heard).toEqual(live.heard.filter(({ seq }) => seq > 15))
    })

    it('U55 filters by session, stream and type', async () => {
      const { served, id, set } = await root()
      const child = await served.ask('POST', '/sessions', {
        body: { topic: 'c', parent_session_id: id, name: 'worker' },
      })
      const [bySession, bySessionId, byStream, byType, byEventType] = await Promise.all([
        follow(served.port, `?root=${id}&session=worker&since=0`),
        follow(served.port, `?session_id=${child.body.session_id}&since=0`),
        follow(served.port, `?root=${id}&stream=state&since=0`),
        follow(served.port, `?root=${id}&type=state_key_updated&since=0`),
        follow(served.port, `?root=${id}&type=increment&since=0`),
      ])
      await set(1)
      const ops = `/sessions/${child.body.session_id}/state/keys/n/ops`
      await served.ask('POST', ops, { body: { operation: 'increment' } })
      await Promise.all([bySession, bySessionId, byStream, byEventType].map((reader) => reader.until(isSeq(4))))
      await byType.until(({ seq }) => seq === 4)
      expect(seqs(bySession.heard)).toEqual([4])
      expect(seqs(bySessionId.heard)).toEqual([4])
      expect(seqs(byStream.heard)).toEqual([3, 4])
      expect(byType.heard.map(({ type, key }) => [type, key])).toEqual([
        ['state_key_updated', 'k'],
        ['state_key_updated', 'n'],
      ])
      expect(seqs(byEventType.heard)).toEqual([4])
      await expect(follow(served.port, `?root=${id}&session=nobody`)).rejects.toThrow('refused with 404')
    })

    it('S0-125 each key of a document is told in the order of keys, deletions and what expires too; above 500 only that it changed', async () => {
      const { served, id, state } = await root()
      const reader = await follow(served.port, `?root=${id}`)
      const big = 'x'.repeat(5000)
      await served.ask('POST', state, { body: { initial_state: { b: 1, a: null, c: [1], d: big } } })
      await served.ask('PUT', state, { body: { state: { c: [1], b: 2, e: big } }, headers: { 'if-match': '*' } })
      const set = { op: 'set', key: 'soon', value: 1, ttl: '50ms' }
      await served.ask('POST', '/operations/state.batch', { body: { session: id, operations: [set] } })
      await expect.poll(async () => (await served.ask('GET', state)).body.seq).toBe(5)
      const keys = (count: number) => Object.fromEntries(upTo(count).map((at) => [`k${at}`, at]))
      for (const count of [500, 1]) {
        const body = { state: keys(count) }
        await served.ask('PUT', state, { body, headers: { 'if-match': '*' } })
      }
      const late = await follow(served.port, `?root=${id}&since=1`)
      for (const each of [reader, late]) await each.until(({ type, seq }) => type === 'state_updated' && seq === 7)
      expect(late.heard).toEqual(reader.heard)
      const told = (seq: number) =>
        reader.heard
          .filter((each) => each.seq === seq && !['event', 'state_event'].includes(each.type))
          .map(({ type, key, value, value_omitted, version }) => [type, key, value_omitted ?? value, version])
      expect(told(2)).toEqual([
        ['state_key_updated', 'a', null, 1],
        ['state_key_updated', 'b', 1, 1],
        ['state_key_updated', 'c', [1], 1],
        ['state_key_updated', 'd', true, 1],
        ['state_updated', undefined, undefined, 1],
      ])
      expect(told(3)).toEqual([
        ['state_key_deleted', 'a', undefined, 2],
        ['state_key_updated', 'b', 2, 2],
        ['state_key_deleted', 'd', undefined, 2],
        ['state_key_updated', 'e', true, 1],
        ['state_updated', undefined, undefined, 2],
      ])
      const updated = (at: number) => reader.heard.find(({ type, seq }) => type === 'state_updated' && seq === at)
      expect(updated(2)).toMatchObject({ patch: { a: null, b: 1, c: [1] }, deleted: [], omitted: ['d'] })
      expect(updated(3)).toMatchObject({ patch: { a: null, b: 2, d: null }, deleted: ['a', 'd'], omitted: ['e'] })
      expect(told(5)).toEqual([
        ['state_key_deleted', 'soon', undefined, 2],
        ['state_updated', undefined, undefined, 4],
      ])
      // b, c and e go, and 500 come.
      expect(told(6)).toEqual([
        ['state_reset', undefined, undefined, 5],
        ['state_updated', undefined, undefined, 5],
      ])
      expect(updated(6)).toMatchObject({ patch_omitted: true })
      expect(updated(6)).not.toHaveProperty('patch')
      expect(told(7)).toHaveLength(500)
      expect(updated(7)).toMatchObject({ deleted: Object.keys(keys(500)).slice(1).sort() })
    })

    it('U55 types are a list, with commas or given several times; one that is not known is refused with those that are', async () => {
      const { served, id, set } = await root()
      await set(1)
      await served.ask('DELETE', `/sessions/${id}/state/keys/k`)
      const lists = ['type=state_key_deleted,session_created', 'type=state_key_deleted&type=session_created']
      for (const list of [...lists, 'type=state_key_deleted,%20session_created&type=event']) {
        const heard = [
          await follow(served.port, `?root=${id}&since=0&${list}`),
          await listen(served.port, `?root=${id}&since=0&${list}`),
        ]
        for (const reader of heard) {
          await reader.until(({ seq }) => seq === 3)
          const types = list.includes('=event') ? ['event', 'event', 'event'] : ['event']
          expect(reader.heard.map(({ type }) => type)).toEqual([...types, 'state_key_deleted'])
        }
      }
      for (const query of ['type=sett', 'type=set,', 'type=set&type=sett', 'type=heartbeat', 'type=']) {
        const path = `/events?root=${id}&${query}`
        const { status, body } = await served.ask('GET', path)
        expect([status, body.error, body.path]).toEqual([422, 'invalid_input', 'type'])
        expect(body.known).toEqual(expect.arrayContaining(['event', 'state_reset', 'set', 'session_created']))
        expect(body.hint).toContain('state_key_updated')
        await expect(follow(served.port, `?root=${id}&${query}`)).rejects.toThrow('refused with 422')
      }
    })

    it('a browser that comes back is told what it missed', async () => {
      const { served, id, set } = await root({ heartbeatMs: 20 })
      const first = await listen(served.port, `?root=${id}`)
      // One that is cut off before the first event knows where it was.
      await expect.poll(() => first.text()).toMatch(/^id: 1\n\n/m)
      await expect.poll(() => first.text()).toMatch(/^: heartbeat 1$/m)
      await set(1)
      await first.until(isSeq(2))
      expect(first.text()).toMatch(/^id: 2$/m)
      first.close()
      await set(2)
      const again = await listen(served.port, `?root=${id}&since=0`, { 'last-event-id': '2' })
      await set(3)
      await again.until(isSeq(4))
      expect(seqs(again.heard)).toEqual([3, 4])
      await expect.poll(() => again.text()).toMatch(/^: heartbeat 4$/m)
    })

    it('U55 one who hears of little is told how far the log has come', async () => {
      const { served, id, set } = await root({ heartbeatMs: 20 })
      const reader = await follow(served.port, `?root=${id}&type=lease_lost`)
      await set(1)
      await set(2)
      await reader.until(({ type, seq }) => type === 'heartbeat' && seq === 3)
      expect(seqs(reader.heard)).toEqual([])
    })

    it('without a root all of them are followed from now on, by who may see all', async () => {
      const { served, id, set } = await root()
      const [reader, sse] = await Promise.all([follow(served.port, ''), listen(served.port, '')])
      await set(1)
      const other = await served.ask('POST', '/sessions', { body: { topic: 'another' } })
      const isOther = (message: Heard) => message.root_session_id === other.body.session_id
      await reader.until(isOther)
      await sse.until(isOther)
      expect(
        reader.heard.filter(({ type }) => type === 'event').map(({ root_session_id, seq }) => [root_session_id, seq]),
      ).toEqual([
        [id, 2],
        [other.body.session_id, 1],
      ])
      expect(sse.text()).not.toMatch(/^id:/m)
      await expect(follow(served.port, '?since=1')).rejects.toThrow('refused with 400')
    })

    it('heartbeats come, and a token that is revoked ends the connection', async () => {
      const { served, id } = await root({ heartbeatMs: 20 })
      const reader = await follow(served.port, `?root=${id}`, { authorization: 'Bearer owner-2' })
      await reader.until(({ type }) => type === 'heartbeat')
      served.revoke('owner-2')
      expect(await reader.closed).toMatchObject({ code: 4401, end: { error: 'unauthorized' } })
    })

    it('one who asks for what is not there is told so', async () => {
      const { served, id } = await root()
      const lost = await follow(served.port, `?root=${id}&since=99`)
      expect(await lost.closed).toMatchObject({ code: 4400, end: { error: 'history_lost' } })
      for (const query of ['?root=nobody-at-all', '?since=x', '?since=-1', '?rooot=x', '?stream=']) {
        await expect(follow(served.port, query), query).rejects.toThrow(/refused with 4(?:00|04)/)
      }
    })

    it('the gate stands before an upgrade too, and frames are bounded', async () => {
      const { served, id, set } = await root()
      await expect(follow(served.port, `?root=${id}`, {})).rejects.toThrow('refused with 401')
      await expect(follow(served.port, `?root=${id}`, { ...owner, origin: 'https://evil.example' })).rejects.toThrow(
        'refused with 403',
      )
      await expect(follow(served.port, `?root=${id}`, { ...owner, host: 'evil.example' })).rejects.toThrow(
        'refused with 403',
      )
      const loud = await follow(served.port, `?root=${id}`)
      loud.send('hello')
      await set(1)
      await loud.until(isSeq(2))
      loud.send(Buffer.alloc(100_000))
      expect((await loud.closed).code).toBe(1009)
    })

    it('50 readers are told everything, and leave nothing behind', async () => {
      const { served, id, set } = await root()
      const readers = await Promise.all(upTo(50).map((at) => follow(served.port, `?root=${id}&since=${at % 2}`)))
      for (let value = 0; value < 10; value++) await set(value)
      for (const reader of readers) await reader.until(isSeq(11))
      for (const [at, reader] of readers.entries()) expect(seqs(reader.heard)).toEqual(upTo(11, 1 + ((at + 1) % 2)))
      expect(served.hub.readers).toBe(50)
      for (const reader of readers) reader.close()
      await expect.poll(() => served.hub.readers).toBe(0)
    })

    it('ends when the store is closed under it', async () => {
      const { served, id } = await root()
      const [reader, sse] = await Promise.all([follow(served.port, `?root=${id}`), listen(served.port, `?root=${id}`)])
      await served.log.close()
      expect((await reader.closed).code).toBe(1001)
      await sse.ended
    })

    it('ends, over a socket and as server-sent events, with the root that it is of, and no other does', async () => {
      const { served, id } = await root()
      const other = await store().createRoot()
      const followers = [await follow(served.port, `?root=${id}`), await follow(served.port, `?root=${other}`)] as const
      const listening = await listen(served.port, `?root=${id}&since=0`)
      await listening.until(isSeq(1))
      const cairn = await store().open({})
      const { slug } = await cairn.session.show({ session: id })
      await cairn.store.remove({ session: id, confirm: slug, force: true })
      expect((await followers[0].closed).end).toMatchObject({ type: 'end', error: 'session_not_found' })
      await listening.ended
      expect(listening.text()).toMatch(/\nevent: end\ndata: .*"error":"session_not_found"/)
      await cairn.state.set({ session: other, key: 'k', value: 1 })
      expect(await followers[1].until(isSeq(2))).toMatchObject({ event: { type: 'set' } })
      followers[1].close()
    })
  })
}

describe('a slow reader', () => {
  const [sqlite] = STORES as [(typeof STORES)[number]]
  const store = sharedStore(sqlite)

  it('is cut off with the sequence to come back to, and nothing is lost', async () => {
    const served = await serveStore(store())
    const made = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
    const id = String(made.body.session_id)
    const slow = await follow(served.port, `?root=${id}`)
    slow.pause()
    const writes = 40
    for (let at = 0; at < writes; at++) {
      const body = { value: `${at}`.padEnd(400_000, 'x') }
      await served.ask('PUT', `/sessions/${id}/state/keys/k`, { body, headers: { 'if-match': '*' } })
    }
    await expect.poll(() => served.hub.readers).toBe(0)
    slow.resume()
    const { code, end } = await slow.closed
    expect([code, end?.error]).toEqual([4429, 'rate_limited'])
    const last = Number(end?.resume_since)
    expect(seqs(slow.heard)).toEqual(upTo(last, 2))
    const again = await follow(served.port, `?root=${id}&since=${last}`)
    await again.until(isSeq(writes + 1))
    expect(seqs(again.heard)).toEqual(upTo(writes + 1, last + 1))
  })

  it('that reads a long past slowly is not cut off: the past waits for it', async () => {
    const served = await serveStore(store())
    const made = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
    const id = String(made.body.session_id)
    const writes = 40
    for (let at = 0; at < writes; at++) {
      const body = { value: `${at}`.padEnd(400_000, 'x') }
      await served.ask('PUT', `/sessions/${id}/state/keys/k`, { body, headers: { 'if-match': '*' } })
    }
    const slow = await follow(served.port, `?root=${id}&since=0`)
    slow.pause()
    await served.ask('GET', '/sessions')
    slow.resume()
    await slow.until(isSeq(writes + 1))
    expect(seqs(slow.heard)).toEqual(upTo(writes + 1))
    expect(await Promise.race([slow.closed, 'open'])).toBe('open')
  })
})
