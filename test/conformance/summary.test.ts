import { describe, expect, it } from 'vitest'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`the summary of the state on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-114 is the whole state when that fits, what changed last first', async () => {
      const { cairn, session } = await newRoot(store())
      expect(await cairn.state.summary({})).toEqual({ root_session_id: session, summary: {}, keys: [] })
      for (const key of ['a', 'b', '1']) await cairn.state.set({ key, value: { key } })
      await cairn.state.set({ key: 'gone', value: 1 })
      await cairn.state.delete({ key: 'gone' })
      await cairn.state.append({ key: 'l', items: ['ü'] })
      await cairn.state.merge({ key: 'a', patch: { more: true } })
      const { summary, keys } = await cairn.state.summary({})
      expect(keys).toEqual(['a', 'l', '1', 'b'])
      expect(summary).toEqual({ a: { key: 'a', more: true }, l: ['ü'], '1': { key: '1' }, b: { key: 'b' } })
    })

    it('S0-112 S0-113 S0-114 has at most 10 keys and 2000 bytes unless more is asked for, and says so', async () => {
      const { cairn } = await newRoot(store())
      for (let n = 0; n < 25; n++) await cairn.state.set({ key: `k${n}`, value: n })
      const { summary, keys } = await cairn.state.summary({})
      expect(keys).toEqual(Array.from({ length: 10 }, (_, at) => `k${24 - at}`))
      expect(summary).toMatchObject({ k24: 24, k15: 15, _truncated: true, _full_key_count: 25 })
      expect(Object.keys(summary)).toHaveLength(12)
      expect((await cairn.state.summary({ max_keys: 20 })).keys).toHaveLength(20)
      expect((await cairn.state.summary({ max_keys: 25 })).summary).not.toHaveProperty('_truncated')
    })

    it('S0-113 never has more bytes than it may, marks included, and leaves out what is too large', async () => {
      const { cairn } = await newRoot(store())
      for (let n = 0; n < 9; n++) await cairn.state.set({ key: `k${n}`, value: 'ü'.repeat(20 + n * 40) })
      await cairn.state.set({ key: 'huge', value: '*'.repeat(50_000) })
      for (const max_bytes of [100, 500, 1000, 2000, 4000, 60_000]) {
        const { summary, keys } = await cairn.state.summary({ max_bytes })
        expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(max_bytes)
        expect(keys.includes('huge')).toBe(max_bytes === 60_000)
        expect('_truncated' in summary).toBe(keys.length < 10)
        if (max_bytes > 100) expect(keys.length).toBeGreaterThan(0)
      }
    })

    it('counts the bytes that are shown of a conflict-free value, not those it keeps inside', async () => {
      const { cairn } = await newRoot(store())
      for (let n = 0; n < 12; n++) await cairn.state.setAdd({ key: 'crowd', items: ['a'], replica: `replica-${n}` })
      await cairn.state.set({ key: 'k', value: 1 })
      const { summary } = await cairn.state.summary({ max_bytes: 100 })
      expect(summary).toEqual({ crowd: ['a'], k: 1 })
    })

    it('is the whole state at exactly its size, and not below', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 'x'.repeat(150), 'b"': [1, 2], l: [] } })
      for (let n = 0; n < 500; n++) await cairn.state.append({ key: 'l', items: [`item ${n}`] })
      const { state } = await cairn.state.all({})
      const max_bytes = Buffer.byteLength(JSON.stringify(state))
      expect((await cairn.state.summary({ max_bytes })).summary).toEqual(state)
      const less = await cairn.state.summary({ max_bytes: max_bytes - 1 })
      expect(less.summary).toMatchObject({ _truncated: true, _full_key_count: 3 })
    })

    it('refuses bounds that are none', async () => {
      const { cairn } = await newRoot(store())
      for (const bad of [{ max_keys: 0 }, { max_keys: 1001 }, { max_bytes: 99 }, { max_bytes: 1e9 }]) {
        expect(await refused(cairn.state.summary(bad))).toMatchObject({ code: 'invalid_input' })
      }
    })
  })
}
