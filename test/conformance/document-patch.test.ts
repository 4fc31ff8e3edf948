import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type JsonObject = { [key: string]: Json }

/** Patches that are refused, in whatever strategy: nothing of them is kept. */
const REFUSED: [what: string, patch: JsonObject, code: string, path: string][] = [
  ['an operator that does not exist', { a: 2, n: { $push: [1] } }, 'invalid_input', '$.n'],
  ['operators that are mixed', { a: 2, n: { $increment: 1, $set: 1 } }, 'invalid_input', '$.n'],
  ['an operator beside a member', { a: 2, o: { $delete: true, x: 1 } }, 'invalid_input', '$.o'],
  ['an operator for the whole document', { $delete: true }, 'invalid_input', '$'],
  ['an append of what is no array', { a: 2, list: { $append: 'x' } }, 'invalid_input', '$.list'],
  ['a delete that is not true', { a: 2, o: { $delete: false } }, 'invalid_input', '$.o'],
  ['an increment of a text', { a: 2, text: { $increment: 1 } }, 'wrong_type', '$.text'],
  ['an increment of a text at a path', { a: 2, 'o.text': { $increment: 1 } }, 'wrong_type', '$.o.text'],
  ['an increment by a text', { a: 2, n: { $increment: '1' } }, 'invalid_input', '$.n'],
  ['an append to an object', { a: 2, o: { $append: [1] } }, 'wrong_type', '$.o'],
  ['a path into a text', { a: 2, 'text.length': 1 }, 'wrong_type', '$.text'],
  ['a path into an array', { a: 2, 'list.0': 1 }, 'wrong_type', '$.list'],
  ['a path into a text below', { a: 2, 'o.text.b': { $set: 1 } }, 'wrong_type', '$.o.text'],
  ['a path through __proto__', { a: 2, 'o.__proto__.x': 1 }, 'invalid_input', '$.o'],
  ['a path to __proto__', JSON.parse('{"a": 2, "o.__proto__": {"x": 1}}'), 'invalid_input', '$'],
  ['a path that ends with its dot', { a: 2, 'o.': 1 }, 'invalid_input', '$'],
  ['a reserved key', { a: 2, _own: 1 }, 'invalid_input', '$._own'],
  ['a key and a path below it', { o: { $delete: true }, 'o.x': 1 }, 'invalid_input', '$.o'],
  ['a sum that is not exact', { a: { $increment: Number.MAX_SAFE_INTEGER } }, 'number_out_of_range', '$.a'],
]

for (const kind of STORES) {
  describe(`a patch of the document on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-36 S0-40 S0-41 S0-42 S0-43 S0-44 S0-45 merges, operates, and answers with the keys it touched', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({
        initial_state: { counters: { processed: 1 }, findings: ['a'], config: { x: 1, y: { z: 2 } }, old: 1, gone: 2 },
      })
      const answer = await cairn.state.patch({
        patch: {
          'counters.processed': { $increment: 2 },
          findings: { $append: ['b', 'c'] },
          config: { x: null, y: { w: 3 } },
          total: { $increment: 5 },
          old: { $delete: true },
          gone: null,
          missing: null,
          plain: { $set: { $kept: null } },
        },
      })
      expect(answer).toEqual({
        root_session_id: session,
        version: 8,
        seq: 9,
        keys: {
          counters: { value: { processed: 3 }, version: 2 },
          findings: { length: 3, version: 2 },
          config: { value: { y: { z: 2, w: 3 } }, version: 2 },
          total: { value: 5, version: 1 },
          old: { deleted: true, version: 2 },
          gone: { deleted: true, version: 2 },
          plain: { value: { $kept: null }, version: 1 },
        },
      })
      const state = {
        counters: { processed: 3 },
        findings: ['a', 'b', 'c'],
        config: { y: { z: 2, w: 3 } },
        total: 5,
        plain: { $kept: null },
      }
      expect(await cairn.state.all({})).toMatchObject({ state, version: 8 })
      const { events } = await cairn.state.events({ since: 1 })
      expect(events.map(({ type, key }) => [type, key])).toEqual([
        ['patch', 'counters'],
        ['append', 'findings'],
        ['patch', 'config'],
        ['increment', 'total'],
        ['delete', 'old'],
        ['delete', 'gone'],
        ['set', 'plain'],
      ])
      const anew = await store().reopen({ session })
      expect((await anew.state.all({})).state).toEqual(state)
      expect((await anew.state.all({ at_sequence: 2 })).state).toMatchObject({ counters: { processed: 3 }, old: 1 })
    })

    it('S0-40 shallow replaces what a name stands for, deep merges into it', async () => {
      const { cairn } = await newRoot(store())
      const before = { a: { b: 1, c: 2 }, d: { e: { f: 1 } }, n: 1 }
      const patch = { a: { b: null }, 'd.e': { g: 2 }, n: { $increment: 1 } }
      await cairn.state.replace({ state: before })
      await cairn.state.patch({ patch, strategy: 'shallow' })
      expect((await cairn.state.all({})).state).toEqual({ a: { b: null }, d: { e: { g: 2 } }, n: 2 })
      await cairn.state.replace({ state: before })
      await cairn.state.patch({ patch, strategy: 'deep' })
      expect((await cairn.state.all({})).state).toEqual({ a: { c: 2 }, d: { e: { f: 1, g: 2 } }, n: 2 })
    })

    it('S0-45 U10 takes a dotted name for the key of exactly that name where there is one', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'a.b', value: 1 })
      expect((await cairn.state.patch({ patch: { 'a.b': { $increment: 1 } } })).keys).toEqual({
        'a.b': { value: 2, version: 2 },
      })
      await cairn.state.delete({ key: 'a.b' })
      expect((await cairn.state.patch({ patch: { 'a.b': { $increment: 1 } } })).keys).toEqual({
        a: { value: { b: 1 }, version: 1 },
      })
    })

    it('S0-35 S0-36 writes at the expected version, else shows the document', async () => {
      const { cairn, session } = await newRoot(store())
      expect(await cairn.state.patch({ patch: {}, version: 0 })).toEqual({
        root_session_id: session,
        version: 0,
        seq: 1,
        keys: {},
      })
      expect(await cairn.state.patch({ patch: { a: 1, l: { $append: ['x'] } }, version: 0 })).toMatchObject({
        version: 2,
      })
      const refusal = await refused(cairn.state.patch({ patch: { a: 2 }, version: 1 }))
      expect(refusal).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 2, your_version: 1, current_state: { a: 1, l: ['x'] } },
      })
      expect(await cairn.state.patch({ patch: { a: 2 }, version: 2 })).toMatchObject({ version: 3 })
    })

    it('S0-49 S0-51 needs no version for what adds up: ten writers at once lose nothing', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const patch = (at: number) => ({
        'counters.done': { $increment: 1 },
        n: { $increment: 1 },
        log: { $append: [at] },
      })
      await Promise.all(
        Array.from({ length: 10 }, async (_, writer) => {
          for (let at = 0; at < 5; at++) {
            await cairn.state.patch({ session: writer % 2 ? session : child, patch: patch(writer * 5 + at) })
          }
        }),
      )
      const { state, version } = await cairn.state.all({})
      expect(version).toBe(150)
      expect(state).toMatchObject({ counters: { done: 50 }, n: 50 })
      expect([...(state.log as number[])].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at))
    })

    it.each(REFUSED)('U10 U11 refuses %s by name, and nothing changes', async (_, patch, code, path) => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, n: 1, text: 'x', list: [1], o: { text: 'y' } } })
      const before = await cairn.state.all({})
      for (const strategy of ['deep', 'shallow'] as const) {
        const refusal = await refused(cairn.state.patch({ patch, strategy }))
        expect(refusal, strategy).toMatchObject({ code, details: { path } })
      }
      expect(await cairn.state.all({})).toEqual(before)
    })

    it('S0-66 takes back what it did before the part that was refused', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { list: ['x'.repeat(5000)], text: 't' } })
      await cairn.state.append({ key: 'list', items: [1] })
      const before = await lastSeq(cairn)
      const patch = { list: { $append: [2] }, n: { $increment: 1 }, text: { $increment: 1 } }
      expect(await refused(cairn.state.patch({ patch }))).toMatchObject({ code: 'wrong_type' })
      expect(await lastSeq(cairn)).toBe(before)
      expect(await cairn.state.append({ key: 'list', items: [3] })).toMatchObject({ length: 3, version: 3 })
      expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: 1, version: 1 })
    })

    it('U8 refuses more keys than a batch may have, and values that have no room', async () => {
      const { cairn } = await newRoot(store(), { limits: { batch: 3, valueBytes: 20 } })
      const many = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`k${at}`, at]))
      expect(await refused(cairn.state.patch({ patch: many }))).toMatchObject({
        code: 'invalid_input',
        details: { limit: 'batch', limit_value: 3 },
      })
      expect(await refused(cairn.state.patch({ patch: { a: 1, b: { c: 'x'.repeat(20) } } }))).toMatchObject({
        code: 'value_too_large',
        details: { path: '$.b', limit: 'valueBytes' },
      })
      expect(await lastSeq(cairn)).toBe(1)
    })
  })

  describe(`a merge with operators on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-72 S0-88 C35 operates below a key, and what it did can be read at every point', async () => {
      const { cairn, session } = await newRoot(store())
      const filler = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, '-'.repeat(40)]))
      await cairn.state.set({ key: 'k', value: { ...filler, stats: { n: 0, seen: [] }, last: null } })
      for (let at = 1; at <= 70; at++) {
        const patch = {
          'stats.n': { $increment: 1 },
          stats: { seen: { $append: [at] } },
          last: at % 3 === 0 ? { $delete: true } : { $set: { at: null } },
        }
        expect(await cairn.state.merge({ key: 'k', patch })).toMatchObject({
          value: { stats: { n: at } },
          version: at + 1,
        })
      }
      const anew = await store().reopen({ session })
      for (const at of [1, 31, 32, 33, 66, 70]) {
        const { value } = await anew.state.get({ key: 'k', at_sequence: at + 1 })
        expect(value, `after ${at}`).toEqual({
          ...filler,
          stats: { n: at, seen: Array.from({ length: at }, (_, no) => no + 1) },
          ...(at % 3 === 0 ? {} : { last: { at: null } }),
        })
      }
    })

    it('U10 U11 refuses operators that cannot be done, with the path, and nothing changes', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: { text: 'x', l: [1] } })
      const cases: [JsonObject, string, string][] = [
        [{ a: { $nope: 1 } }, 'invalid_input', '$.a'],
        [{ text: { $increment: 1 } }, 'wrong_type', '$.text'],
        [{ l: { $append: 2 } }, 'invalid_input', '$.l'],
        [{ 'l.x': { $set: 2 } }, 'wrong_type', '$.l'],
        [{ $append: [1] }, 'invalid_input', '$'],
      ]
      for (const [patch, code, path] of cases) {
        const one = await refused(cairn.state.merge({ key: 'k', patch }))
        expect(one, JSON.stringify(patch)).toMatchObject({ code, details: { path } })
        const many = await refused(cairn.state.batch({ operations: [{ op: 'merge', key: 'k', patch }] }))
        expect(many, JSON.stringify(patch)).toMatchObject({ code, details: { path, index: 0 } })
      }
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: { text: 'x', l: [1] }, version: 1 })
    })
  })
}
