import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`a JSON Patch on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U10 C35 changes places of a value, items of arrays too, as one event', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'plan', value: { steps: ['a', 'b'], at: { n: 1 } } })
      const operations: Json[] = [
        { op: 'test', path: '/at/n', value: 1 },
        { op: 'add', path: '/steps/1', value: 'between' },
        { op: 'move', from: '/at', path: '/where' },
        { op: 'copy', from: '/where/n', path: '/steps/-' },
        { op: 'replace', path: '/steps/0', value: null, comment: 'not known, so left out' },
      ]
      const value = { steps: [null, 'between', 'b', 1], where: { n: 1 } }
      expect(await cairn.state.jsonPatch({ key: 'plan', operations })).toEqual({
        key: 'plan',
        value,
        version: 2,
        updated_at: expect.any(String),
        updated_by: session,
        seq: 3,
      })
      expect(await cairn.state.get({ key: 'plan' })).toMatchObject({ value, version: 2 })
      const { events } = await cairn.state.events({ since: 1 })
      expect(events).toMatchObject([{ type: 'json_patch', key: 'plan', operations: [{ op: 'test' }, {}, {}, {}, {}] }])
      expect((events[0] as unknown as { operations: Json[] }).operations[4]).not.toHaveProperty('comment')
    })

    it('U10 makes, replaces and turns whole values; a key that is not there is made by adding it whole', async () => {
      const { cairn } = await newRoot(store())
      const whole = (op: string, value: Json): Json[] => [{ op, path: '', value }]
      expect(await refused(cairn.state.jsonPatch({ key: 'k', operations: [] }))).toMatchObject({
        code: 'key_not_found',
      })
      for (const operations of [whole('replace', 1), whole('test', 1), [{ op: 'add', path: '/a', value: 1 }]]) {
        const refusal = await refused(cairn.state.jsonPatch({ key: 'k', operations }))
        expect(refusal).toMatchObject({ code: 'key_not_found', details: { key: 'k' } })
      }
      expect(await cairn.state.jsonPatch({ key: 'k', operations: whole('add', [1]), version: 0 })).toMatchObject({
        value: [1],
        version: 1,
      })
      expect(await cairn.state.jsonPatch({ key: 'k', operations: whole('replace', 'text') })).toMatchObject({
        version: 2,
      })
      expect(await cairn.state.jsonPatch({ key: 'k', operations: [] })).toMatchObject({ value: 'text', version: 3 })
      await cairn.state.delete({ key: 'k' })
      expect(await cairn.state.jsonPatch({ key: 'k', operations: whole('add', {}) })).toMatchObject({
        value: {},
        version: 5,
      })
    })

    it('S0-64 answers a test that fails as a conflict, with the operation and the value there is', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: { a: [1] } })
      const operations: Json[] = [
        { op: 'add', path: '/b', value: 1 },
        { op: 'test', path: '/a/0', value: 2 },
      ]
      expect(await refused(cairn.state.jsonPatch({ key: 'k', operations }))).toMatchObject({
        code: 'version_conflict',
        details: { key: 'k', index: 1, op: 'test', path: '/a/0', current_version: 1, current_value: { a: [1] } },
      })
      const batch = await refused(
        cairn.state.batch({
          operations: [
            { op: 'increment', key: 'n' },
            { op: 'json_patch', key: 'k', operations },
          ],
        }),
      )
      expect(batch).toMatchObject({ code: 'version_conflict', details: { index: 1, applied: false } })
      expect((batch.details.results as Json[])[1]).toMatchObject({ status: 'conflict', index: 1, path: '/a/0' })
      expect(await refused(cairn.state.jsonPatch({ key: 'k', operations: [], version: 9 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 1, your_version: 9, current_value: { a: [1] } },
      })
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('U10 refuses patches that do not apply or are none, with the operation and the path', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: { a: 'text', l: [1] } })
      const cases: [Json, object][] = [
        [
          { op: 'remove', path: '/b' },
          { index: 1, path: '/b' },
        ],
        [
          { op: 'add', path: '/a/0', value: 1 },
          { index: 1, path: '/a/0' },
        ],
        [
          { op: 'add', path: '/l/9', value: 1 },
          { index: 1, path: '/l/9' },
        ],
        [
          { op: 'remove', path: '' },
          { index: 1, path: '' },
        ],
        [
          { op: 'move', from: '/l', path: '/l/0' },
          { index: 1, path: '/l/0' },
        ],
        [{ op: 'add', path: '/__proto__/polluted', value: 1 }, { path: 'operations[1].path' }],
        [{ op: 'add', path: 'a', value: 1 }, { path: 'operations[1].path' }],
        [{ op: 'add', path: '/a' }, { path: 'operations[1].value' }],
        [{ op: 'merge', path: '/a' }, { path: 'operations[1].op' }],
        [7, { path: 'operations[1]' }],
      ]
      for (const [bad, details] of cases) {
        const operations: Json[] = [{ op: 'add', path: '/new', value: 1 }, bad]
        const refusal = await refused(cairn.state.jsonPatch({ key: 'k', operations }))
        expect(refusal, JSON.stringify(bad)).toMatchObject({ code: 'invalid_input', details })
      }
      expect(await lastSeq(cairn)).toBe(2)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

    it('U8 refuses too many operations, copies without end, and a value that has no room', async () => {
      const { cairn } = await newRoot(store(), { limits: { batch: 80, valueBytes: 2000 } })
      await cairn.state.set({ key: 'k', value: { a: [1] } })
      const add = { op: 'add', path: '/b', value: 'x'.repeat(2000) }
      const cases: [Json[], string][] = [
        [Array.from({ length: 81 }, () => ({ op: 'test', path: '/a/0', value: 1 })), 'invalid_input'],
        [Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })), 'value_too_large'],
        [[add], 'value_too_large'],
      ]
      for (const [operations, code] of cases) {
        expect(await refused(cairn.state.jsonPatch({ key: 'k', operations }))).toMatchObject({ code })
      }
      // What is copied and taken away again in between does not count.
      expect(await cairn.state.jsonPatch({ key: 'k', operations: [add, { op: 'remove', path: '/b' }] })).toMatchObject({
        value: { a: [1] },
      })
    })

    it('S0-109 patches long arrays and long objects, between appends and merges, and any version can be read', async () => {
      const { cairn, session } = await newRoot(store())
      const seen: { seq: number; list: Json; object: Json }[] = []
      let list: Json[] = Array.from({ length: 60 }, (_, at) => `${at} ${'-'.repeat(100)}`)
      let object: { [key: string]: Json } = Object.fromEntries(list.map((text, at) => [`m${at}`, text]))
      await cairn.state.set({ key: 'list', value: list })
      await cairn.state.set({ key: 'object', value: object })
      for (let at = 0; at < 45; at++) {
        await cairn.state.append({ key: 'list', items: [at] })
        list = [...list, at]
        if (at % 5 === 0) {
          await cairn.state.jsonPatch({ key: 'list', operations: [{ op: 'remove', path: '/0' }] })
          list = list.slice(1)
        }
        const operations: Json[] = [{ op: 'add', path: `/n${at}`, value: at }]
        const done =
          at % 4 === 0
            ? await cairn.state.merge({ key: 'object', patch: { [`n${at}`]: { $increment: at } } })
            : await cairn.state.jsonPatch({ key: 'object', operations })
        object = { ...object, [`n${at}`]: at }
        seen.push({ seq: done.seq, list, object })
      }
      const anew = await store().reopen({ session })
      expect((await anew.state.all({})).state).toEqual({ list, object })
      for (const { seq, ...state } of seen)
        expect((await anew.state.all({ at: seq })).state, `at ${seq}`).toEqual(state)
    })

    it('S0-109 makes a long array of a long object by a short patch, and appends go on from there', async () => {
      const { cairn, session } = await newRoot(store())
      const list = Array.from({ length: 80 }, (_, at) => `${at} ${'-'.repeat(100)}`)
      await cairn.state.set({ key: 'k', value: { list } })
      await cairn.state.jsonPatch({ key: 'k', operations: [{ op: 'move', from: '/list', path: '' }] })
      for (let at = 0; at < 20; at++) await cairn.state.append({ key: 'k', items: [at] })
      const anew = await store().reopen({ session })
      expect((await anew.state.get({ key: 'k', at_sequence: 2 })).value).toEqual(list)
      expect((await anew.state.get({ key: 'k' })).value).toEqual([
        ...list,
        ...Array.from({ length: 20 }, (_, at) => at),
      ])
    })
  })
}
