import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`min, max and set-if-absent on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U11 keeps the least and the most, and records nothing where it stays', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.max({ key: 'most', value: 3 })).toEqual({
        key: 'most',
        value: 3,
        version: 1,
        changed: true,
      })
      expect(await cairn.state.max({ key: 'most', value: 2 })).toEqual({
        key: 'most',
        value: 3,
        version: 1,
        changed: false,
      })
      expect(await cairn.state.max({ key: 'most', value: 3 })).toMatchObject({ changed: false })
      expect(await cairn.state.max({ key: 'most', value: 3.5 })).toEqual({
        key: 'most',
        value: 3.5,
        version: 2,
        changed: true,
      })
      expect(await cairn.state.min({ key: 'least', value: -1 })).toMatchObject({ value: -1, changed: true })
      expect(await cairn.state.min({ key: 'least', value: 0 })).toMatchObject({ value: -1, version: 1, changed: false })
      expect(await cairn.state.min({ key: 'least', value: -5 })).toMatchObject({ value: -5, version: 2, changed: true })
      expect(await cairn.state.all({})).toMatchObject({ state: { most: 3.5, least: -5 }, version: 4 })
      const { events } = await cairn.state.events({})
      expect(events.map(({ type }) => type)).toEqual(['max', 'max', 'min', 'min'])
    })

    it('U11 refuses bounds of what is no number, and numbers that are none', async () => {
      const { cairn } = await newRoot(store())
      const values: Record<string, Json> = { text: '1', yes: true, nothing: null, array: [1], object: {} }
      for (const [key, value] of Object.entries(values)) await cairn.state.set({ key, value })
      const before = await lastSeq(cairn)
      for (const key of Object.keys(values)) {
        expect(await refused(cairn.state.min({ key, value: 0 })), key).toMatchObject({
          code: 'wrong_type',
          details: { key },
        })
        expect(await refused(cairn.state.max({ key, value: 0 })), key).toMatchObject({
          code: 'wrong_type',
          details: { key },
        })
      }
      for (const value of [Number.NaN, Infinity, -0, 2 ** 53]) {
        expect(await refused(cairn.state.max({ key: 'n', value }))).toMatchObject({ code: 'number_out_of_range' })
      }
      expect(await refused(cairn.state.min({ key: 'n', value: '1' as never }))).toMatchObject({ code: 'invalid_input' })
      expect(await lastSeq(cairn)).toBe(before)
    })

    it('S0-49 ends at the right bound whatever order many writers come in', async () => {
      const { cairn } = await newRoot(store())
      const values = Array.from({ length: 60 }, (_, at) => ((at * 37) % 61) - 30)
      await Promise.all(
        values.flatMap((value) => [cairn.state.min({ key: 'least', value }), cairn.state.max({ key: 'most', value })]),
      )
      const { state } = await cairn.state.all({})
      expect(state).toEqual({ least: Math.min(...values), most: Math.max(...values) })
    })

    it('S0-64 sets a key once, and tells everybody else what stands', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const first = await cairn.state.setIfAbsent({ session: child, key: 'leader', value: { of: ['child'] } })
      expect(first).toMatchObject({ value: { of: ['child'] }, version: 1, updated_by: child, created: true })
      const { created: _, ...standing } = first
      const anew = await store().reopen({ session })
      expect(await anew.state.setIfAbsent({ key: 'leader', value: 'me' })).toEqual({ ...standing, created: false })
      await anew.state.set({ key: 'empty', value: null })
      expect(await anew.state.setIfAbsent({ key: 'empty', value: 1 })).toMatchObject({ value: null, created: false })
      await anew.state.delete({ key: 'empty' })
      expect(await anew.state.setIfAbsent({ key: 'empty', value: 1 })).toMatchObject({
        value: 1,
        version: 3,
        created: true,
      })
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, at) => anew.state.setIfAbsent({ key: 'one', value: at })),
      )
      expect(many.filter(({ created }) => created)).toHaveLength(1)
      expect(new Set(many.map(({ value }) => value)).size).toBe(1)
    })

    it('S0-64 shows a long array that stands, however it was made', async () => {
      const { cairn } = await newRoot(store())
      const items = Array.from({ length: 50 }, (_, at) => `${at} ${'-'.repeat(100)}`)
      for (const item of items) await cairn.state.append({ key: 'l', items: [item] })
      expect(await cairn.state.setIfAbsent({ key: 'l', value: [] })).toMatchObject({ value: items, created: false })
    })

    it('S0-65 says in a batch who set what was there, also where a key comes twice', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'child')
      await cairn.state.set({ session: child, key: 'k', value: 1 })
      const fresh = await store().open({ session })
      const late = { op: 'set_if_absent' as const, key: 'k', value: 2 }
      const { results } = await fresh.state.batch({ operations: [late, late] })
      expect(results).toMatchObject([{ updated_by: child }, { updated_by: child }])
    })

    it('S0-65 C34 all of them go into a batch', async () => {
      const { cairn } = await newRoot(store())
      const done = await cairn.state.batch({
        operations: [
          { op: 'set_if_absent', key: 'o', value: { n: 1 } },
          {
            op: 'json_patch',
            key: 'o',
            operations: [
              { op: 'test', path: '/n', value: 1 },
              { op: 'add', path: '/l', value: [] },
            ],
          },
          { op: 'merge', key: 'o', patch: { l: { $append: [1] }, n: { $increment: 1 } }, if_match: 2 },
          { op: 'max', key: 'most', value: 4 },
          { op: 'max', key: 'most', value: 2 },
          { op: 'min', key: 'most', value: 3 },
          { op: 'set_if_absent', key: 'o', value: 'late' },
        ],
      })
      expect(done.results).toMatchObject([
        { key: 'o', status: 'success', created: true, version: 1 },
        { key: 'o', status: 'success', value: { n: 1, l: [] }, version: 2 },
        { key: 'o', status: 'success', value: { n: 2, l: [1] }, version: 3 },
        { key: 'most', status: 'success', value: 4, changed: true },
        { key: 'most', status: 'success', value: 4, changed: false, version: 1 },
        { key: 'most', status: 'success', value: 3, changed: true, version: 2 },
        { key: 'o', status: 'success', value: { n: 2, l: [1] }, created: false, version: 3 },
      ])
      expect(await cairn.state.all({})).toMatchObject({ state: { o: { n: 2, l: [1] }, most: 3 }, version: 5 })
    })
  })
}
