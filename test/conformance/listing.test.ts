import { describe, expect, it, vi } from 'vitest'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

interface Listed {
  seq: number
  root_seq: number
  version: number
  stream: string
  type: string
  hash: string
}

for (const kind of STORES) {
  describe(`lists on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-98 S0-81 C12 pages through all mutations of the state, each once and in order', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      for (let at = 0; at < 23; at++) {
        await cairn.state.increment({ session: at % 2 ? child : session, key: `k${at % 3}`, delta: at })
        if (at % 5 === 0) await newChild(cairn, session)
      }
      const seen: Listed[] = []
      for (let since = 0, more = true; more; since = seen.at(-1)?.seq ?? 0) {
        const page = await cairn.state.events({ since, limit: 5 })
        expect(page.events.length).toBe(page.has_more ? 5 : 3)
        seen.push(...(page.events as unknown as Listed[]))
        more = page.has_more
      }
      expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, at) => at + 1))
      expect(seen[7]).toMatchObject({
        type: 'increment',
        key: 'k1',
        delta: 7,
        session_id: child,
        changed_by: child,
        sequence_number: 8,
      })
      const places = seen.map(({ root_seq }) => root_seq)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      expect(new Set(places).size).toBe(23)
      expect(await cairn.state.events({ since: 23 })).toEqual({ events: [], has_more: false })
      expect(await cairn.state.events({ since: 22, limit: 1 })).toMatchObject({
        has_more: false,
        events: [{ seq: 23 }],
      })
      expect((await cairn.state.events({})).events).toHaveLength(23)
    })

    it('S0-86 S0-87 S0-88 S0-89 S0-90 S0-91 shows each kind of mutation with its body', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1 } })
      await cairn.state.set({ key: 'k', value: { x: null } })
      await cairn.state.merge({ key: 'k', patch: { x: null, 'y.z': 1 } })
      await cairn.state.delete({ key: 'k' })
      await cairn.state.increment({ key: 'n', delta: -2 })
      await cairn.state.append({ key: 'l', items: ['é', null] })
      await cairn.state.replace({ state: { b: 2 } })
      const { events } = await cairn.state.events({})
      expect(events).toMatchObject([
        { type: 'init', key: null, payload: { a: 1 } },
        { type: 'set', key: 'k', value: { x: null } },
        { type: 'patch', key: 'k', patch: { x: null, y: { z: 1 } } },
        { type: 'delete', key: 'k' },
        { type: 'increment', key: 'n', delta: -2 },
        { type: 'append', key: 'l', items: ['é', null] },
        { type: 'full_replace', key: null, payload: { b: 2 } },
      ])
      expect(new Set(events.map((event) => event.event_id)).size).toBe(7)
    })

    it('lists the log of a root by place, page by page and by stream, with who did it', async () => {
      const { cairn, session } = await newRoot(store(), { actor: 'the tests' })
      const child = await newChild(cairn, session, 'Worker')
      await cairn.state.set({ session: child, key: 'k', value: 1, request_id: 'req-1' })
      await cairn.state.set({ key: 'k', value: 2 })
      await cairn.session.end({ session: child, status: 'failed', reason: 'out of time' })
      const { events, ...rest } = await cairn.log.list({})
      expect(rest).toEqual({ root_session_id: session, has_more: false, last_seq: 5 })
      expect(events).toMatchObject([
        { seq: 1, stream: 'session/0', version: 1, type: 'session_created', session_no: 0, key: null },
        {
          seq: 2,
          stream: 'session/1',
          version: 1,
          type: 'session_created',
          session_id: session,
          data: { name: 'Worker' },
        },
        { seq: 3, stream: 'state', version: 1, key: 'k', session_id: child, actor: 'the tests', request: 'req-1' },
        { seq: 4, stream: 'state', version: 2, session_id: session, request: null, cause: null },
        { seq: 5, stream: 'session/1', version: 2, data: { from: 'running', to: 'failed', reason: 'out of time' } },
      ])
      for (const event of events as unknown as Listed[]) expect(event.hash).toMatch(/^[0-9a-f]{64}$/)
      const seqs = async (input: object) =>
        ((await cairn.log.list(input)).events as unknown as Listed[]).map(({ seq }) => seq)
      expect(await seqs({ stream: 'state' })).toEqual([3, 4])
      expect(await seqs({ stream: 'session/1' })).toEqual([2, 5])
      expect(await seqs({ stream: 'session/1', since: 2 })).toEqual([5])
      expect(await seqs({ stream: 'nothing' })).toEqual([])
      expect(await seqs({ since: 3 })).toEqual([4, 5])
      expect(await refused(cairn.log.list({ since: 99 }))).toMatchObject({ code: 'history_lost' })
      const page = await cairn.log.list({ since: 1, limit: 2 })
      expect(page).toMatchObject({ has_more: true, last_seq: 5, events: [{ seq: 2 }, { seq: 3 }] })
      expect(await cairn.log.list({ stream: 'state', since: 0, limit: 1 })).toMatchObject({
        has_more: true,
        next_since: 3,
        events: [{ seq: 3 }],
      })
    })

    it('S0-46 leaves the past as it was and uses no number twice, whatever is deleted, replaced or ended', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const log = async () => (await cairn.log.list({})).events as unknown as Listed[]
      const pasts = (count: number) =>
        Promise.all(Array.from({ length: count }, (_, at) => cairn.state.all({ at: at + 3 })))
      await cairn.state.init({ initial_state: { k: 1, gone: true } })
      await cairn.state.set({ session: child, key: 'k', value: 2 })
      const [events, seen] = [await log(), await pasts(2)]
      expect(seen[1]?.keys).toMatchObject({ k: { updated_by: child }, gone: { updated_by: session } })

      await cairn.state.delete({ key: 'gone' })
      await cairn.state.replace({ state: { k: 1, gone: true } })
      await cairn.session.end({ session: child, status: 'failed' })
      await cairn.state.delete({ key: 'k' })
      expect(await pasts(2)).toEqual(seen)
      const all = await log()
      expect(all.slice(0, events.length)).toEqual(events)
      expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      const versions = all.filter(({ stream }) => stream === 'state').map(({ version }) => version)
      expect(versions).toEqual([1, 2, 3, 4, 5])
    })

    it('U21 C14 orders by sequence, also when the clock goes back', async () => {
      const { cairn } = await newRoot(store())
      vi.useFakeTimers({ toFake: ['Date'] })
      try {
        const noon = Date.UTC(2026, 0, 1, 12)
        for (const [at, hours] of [0, -5, 3, -9].entries()) {
          vi.setSystemTime(noon + hours * 3_600_000)
          await cairn.state.set({ key: 'k', value: at })
        }
      } finally {
        vi.useRealTimers()
      }
      const { events } = await cairn.state.events({})
      expect(events).toMatchObject([
        { seq: 1, timestamp: '2026-01-01T12:00:00.000Z' },
        { seq: 2, timestamp: '2026-01-01T07:00:00.000Z' },
        { seq: 3, timestamp: '2026-01-01T15:00:00.000Z' },
        { seq: 4, timestamp: '2026-01-01T03:00:00.000Z' },
      ])
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 3, updated_at: '2026-01-01T03:00:00.000Z' })
      for (const at of [0, 1, 2, 3])
        expect(await cairn.state.get({ key: 'k', at_sequence: at + 1 })).toMatchObject({ value: at })
    })

    it.each([0, 1001, 1.5, -1])('refuses a page of %d', async (limit) => {
      const { cairn } = await newRoot(store())
      for (const read of [cairn.state.events, cairn.log.list, cairn.session.list]) {
        expect(await refused(read({ limit }))).toMatchObject({ code: 'invalid_input', details: { path: 'limit' } })
      }
    })
  })
}
