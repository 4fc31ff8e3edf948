// A key is there until the millisecond in which it expires, and gone in that one: for whoever reads, writes or collects.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from './own-log.ts'

const began = Date.parse('2026-01-01T00:00:00Z')
const hourMs = 3_600_000
const ttl = '1h'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: began })
})

afterEach(() => {
  vi.useRealTimers()
})

for (const kind of STORES) {
  describe(`the last millisecond of a key on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('is the last in which it is read', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.set({ key: 'stays', value: 2 })
      const seq = await lastSeq(cairn)
      const seen = async () => ({
        get: await cairn.state.get({ key: 'a' }).catch(({ code }) => code),
        summary: (await cairn.state.summary({})).summary,
        wait: await cairn.state.wait({ key: 'a', condition: 'absent', timeout: '0' }).catch(({ code }) => code),
        history: (await cairn.state.history({ key: 'a' })).expired_at,
        why: (await cairn.state.why({ key: 'a' })).expired_at,
        diff: (await cairn.state.diff({ from: seq, to: 'now' })).changes,
        // The last, because it has the log say what is due.
        all: (await cairn.state.all({})).state,
        events: (await lastSeq(cairn)) - seq,
      })
      const both = { a: 1, stays: 2 }
      vi.setSystemTime(began + hourMs - 1)
      const before = await seen()
      expect(before).toMatchObject({ get: { value: 1 }, wait: 'timeout', history: undefined, why: undefined })
      expect([before.all, before.summary, before.diff, before.events]).toEqual([both, both, [], 0])
      vi.setSystemTime(began + hourMs)
      const expired = '2026-01-01T01:00:00.000Z'
      const gone = await seen()
      expect(gone).toMatchObject({ get: 'key_not_found', wait: { absent: true }, history: expired, why: expired })
      const left = { stays: 2 }
      expect([gone.all, gone.summary, gone.diff.length, gone.events]).toEqual([left, left, 1, 1])
    })

    it('is the last in which it is written as it is', async () => {
      const { cairn } = await newRoot(store())
      for (const key of ['before', 'after']) await cairn.state.set({ key, value: 5, ttl })
      vi.setSystemTime(began + hourMs - 1)
      expect(await cairn.state.increment({ key: 'before' })).toMatchObject({ value: 6, version: 2 })
      vi.setSystemTime(began + hourMs)
      expect(await cairn.state.increment({ key: 'after' })).toMatchObject({ value: 1, version: 3 })
      expect(await refused(cairn.state.delete({ key: 'before' }))).toMatchObject({ code: 'key_not_found' })
    })

    it('is the last in which it takes up room', async () => {
      const { cairn } = await ownLog(store(), { keys: 1 })
      await cairn.state.set({ key: 'a', value: 1, ttl })
      vi.setSystemTime(began + hourMs - 1)
      expect(await refused(cairn.state.set({ key: 'b', value: 1 }))).toMatchObject({ code: 'too_many_keys' })
      vi.setSystemTime(began + hourMs)
      await cairn.state.set({ key: 'b', value: 1 })
      expect((await cairn.state.all({})).state).toEqual({ b: 1 })
    })

    it('is the last in which it is not collected', async () => {
      const { cairn } = await newRoot(store())
      // What the tests before have left is collected first.
      vi.setSystemTime(began + 10 * hourMs)
      await cairn.store.gc({})
      for (const key of ['a', 'b']) await cairn.state.set({ key, value: 1, ttl })
      vi.setSystemTime(began + 11 * hourMs - 1)
      expect(await cairn.store.gc({})).toMatchObject({ lapsed: 0 })
      vi.setSystemTime(began + 11 * hourMs)
      expect(await cairn.store.gc({})).toMatchObject({ lapsed: 2 })
      const { events } = await cairn.log.list({ limit: 1000 })
      expect(events.filter(({ type }) => type === 'lapsed')).toHaveLength(2)
    })

    it('is the last also for whoever opens the store only then, and remembers nothing of the key', async () => {
      const lapsed = async ({ log }: Pick<Cairn, 'log'>) =>
        (await log.list({ limit: 1000 })).events.filter(({ type }) => type === 'lapsed').length
      const { cairn, session } = await newRoot(store())
      const { cairn: full, open } = await ownLog(store(), { keys: 1 })
      for (const { state } of [cairn, full]) await state.set({ key: 'a', value: 1, ttl })
      vi.setSystemTime(began + hourMs - 1)
      await (await store().open()).store.gc({})
      expect(await lapsed(cairn)).toBe(0)
      expect(await refused((await open()).state.set({ key: 'b', value: 1 }))).toMatchObject({ code: 'too_many_keys' })
      vi.setSystemTime(began + hourMs)
      await (await open()).state.set({ key: 'b', value: 1 })
      expect((await full.state.all({})).state).toEqual({ b: 1 })
      await (await store().open()).store.gc({})
      expect(await lapsed(await store().open({ session }))).toBe(1)
    })
  })
}
