import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type JsonObject = { [key: string]: Json }

/** Merges as U10 has them: what is there, what is merged in, and what comes of it. */
const MERGES: [what: string, before: JsonObject | undefined, patch: JsonObject, after: JsonObject][] = [
  ['a member in and one out', { a: 1, b: 2 }, { b: null, c: 3 }, { a: 1, c: 3 }],
  ['below a member', { a: { b: 1, c: 2 } }, { a: { c: null, d: 4 } }, { a: { b: 1, d: 4 } }],
  ['into nothing, where null removes nothing', undefined, { a: null, b: { c: null, d: 1 } }, { b: { d: 1 } }],
  ['arrays whole', { a: [1, 2, 3], b: 1 }, { a: [4, null] }, { a: [4, null], b: 1 }],
  ['an object over an array', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  [
    'a dotted name as a path',
    { a: { b: 1 } },
    { 'a.b': 2, 'a.c': 3, 'x.y.z': 4 },
    { a: { b: 2, c: 3 }, x: { y: { z: 4 } } },
  ],
  ['a dotted name as itself where it exists', { 'a.b': 1, a: { b: 2 } }, { 'a.b': 9 }, { 'a.b': 9, a: { b: 2 } }],
  ['null below a path', { a: { b: 1, c: 2 } }, { 'a.b': null, 'q.r': null }, { a: { c: 2 } }],
  ['a dotted name inside', { a: { b: { c: 1 } } }, { a: { 'b.d': 2 } }, { a: { b: { c: 1, d: 2 } } }],
  ['an object at a path', { a: { b: { c: 1 } } }, { 'a.b': { c: null, d: [1] } }, { a: { b: { d: [1] } } }],
  ['nothing', { a: 1 }, {}, { a: 1 }],
  [
    'names of Object.prototype',
    {},
    { constructor: 1, 'toString.x': 2 },
    { constructor: 1, toString: { x: 2 } } as JsonObject,
  ],
]

/** What is said of one operation of a batch, at least. */
function told(members: object): unknown {
  return expect.objectContaining(members)
}

for (const kind of STORES) {
  describe(`increment, append and merge on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-137 S0-70 S0-120 increments: a missing key counts as 0, the delta as 1, and it may be negative', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.increment({ key: 'n' })).toEqual({ key: 'n', value: 1, version: 1 })
      expect(await cairn.state.increment({ key: 'n', delta: -5 })).toEqual({ key: 'n', value: -4, version: 2 })
      expect(await cairn.state.increment({ key: 'n', delta: 4.5 })).toEqual({ key: 'n', value: 0.5, version: 3 })
      expect(await cairn.state.increment({ key: 'n', delta: 0 })).toEqual({ key: 'n', value: 0.5, version: 4 })
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 0.5, version: 4 })
      expect(await cairn.state.increment({ key: 'm', delta: -3 })).toEqual({ key: 'm', value: -3, version: 1 })
      await cairn.state.delete({ key: 'm' })
      expect(await cairn.state.increment({ key: 'm' })).toEqual({ key: 'm', value: 1, version: 3 })
    })

    it('U11 increments to the last exact number and not beyond', async () => {
      const { cairn } = await newRoot(store())
      const max = Number.MAX_SAFE_INTEGER
      await cairn.state.set({ key: 'n', value: max - 1 })
      expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: max })
      for (const delta of [1, 0.5, max]) {
        expect(await refused(cairn.state.increment({ key: 'n', delta }))).toMatchObject({
          code: 'number_out_of_range',
          details: { key: 'n', current_value: max, delta },
        })
      }
      expect(await cairn.state.increment({ key: 'n', delta: -max })).toMatchObject({ value: 0, version: 3 })
      await cairn.state.increment({ key: 'n', delta: -max })
      expect(await refused(cairn.state.increment({ key: 'n', delta: -1 }))).toMatchObject({
        code: 'number_out_of_range',
      })
    })

    it('S0-137 S0-71 S0-121 appends: a missing key counts as an empty array', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.append({ key: 'l', items: [] })).toEqual({ key: 'l', length: 0, version: 1 })
      expect(await cairn.state.append({ key: 'l', items: [1, [2]] })).toEqual({ key: 'l', length: 2, version: 2 })
      expect(await cairn.state.append({ key: 'l', items: [] })).toEqual({ key: 'l', length: 2, version: 3 })
      expect(await cairn.state.append({ key: 'l', items: [null, { a: 'é' }] })).toEqual({
        key: 'l',
        length: 4,
        version: 4,
      })
      expect(await cairn.state.get({ key: 'l' })).toMatchObject({ value: [1, [2], null, { a: 'é' }], version: 4 })
    })

    it('S0-121 appends to arrays of any length, whatever their appends were', async () => {
      const { cairn } = await newRoot(store())
      const all: Json[] = []
      for (let at = 0; at < 40; at++) {
        const items = Array.from({ length: at % 4 }, (_, no) => `${at}.${no} ${'ü'.repeat(at * 4)}`)
        all.push(...items)
        expect(await cairn.state.append({ key: 'l', items })).toMatchObject({ length: all.length, version: at + 1 })
      }
      expect(JSON.stringify(all).length).toBeGreaterThan(4096)
      expect(await cairn.state.get({ key: 'l' })).toMatchObject({ value: all })
      expect((await cairn.state.all({})).state).toEqual({ l: all })
    })

    it('U11 refuses an increment of what is no number, an append to what is no array, a merge into what is no object', async () => {
      const { cairn } = await newRoot(store())
      const values: Record<string, Json> = {
        text: '1',
        yes: true,
        nothing: null,
        array: [1],
        object: { a: 1 },
        number: 1,
      }
      for (const [key, value] of Object.entries(values)) await cairn.state.set({ key, value })
      const before = await lastSeq(cairn)
      for (const key of Object.keys(values)) {
        const type = { text: 'string', yes: 'boolean', nothing: 'null' }[key] ?? key
        const expected = { code: 'wrong_type', details: { key, type, current_version: 1 } }
        if (key !== 'number') expect(await refused(cairn.state.increment({ key }))).toMatchObject(expected)
        if (key !== 'array') expect(await refused(cairn.state.append({ key, items: [1] }))).toMatchObject(expected)
        if (key !== 'object') expect(await refused(cairn.state.merge({ key, patch: {} }))).toMatchObject(expected)
      }
      expect(await lastSeq(cairn)).toBe(before)
      expect((await cairn.state.all({})).state).toEqual(values)
    })

    it('U10 U9 S0-72 S0-45 merges as RFC 7396 says, with dotted names as paths', async () => {
      const { cairn } = await newRoot(store())
      for (const [what, before, patch, after] of MERGES) {
        if (before !== undefined) await cairn.state.set({ key: what, value: before })
        const version = before === undefined ? 1 : 2
        expect(await cairn.state.merge({ key: what, patch }), what).toMatchObject({ version })
        expect((await cairn.state.get({ key: what })).value, what).toEqual(after)
      }
    })

    it('U10 refuses dotted names that lead through what is no object, or have an empty part', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: { a: 1, l: [] } })
      for (const patch of [{ 'a.b': 1 }, { 'l.0': 1 }, { x: { y: 1 }, 'x.y.z': 2 }, { 'a.b': null }]) {
        expect(await refused(cairn.state.merge({ key: 'k', patch })), JSON.stringify(patch)).toMatchObject({
          code: 'wrong_type',
        })
      }
      for (const name of ['.a', 'b.', 'b..c', '.', 'b.__proto__', '__proto__.b', 'b.__proto__.c']) {
        const refusal = await refused(cairn.state.merge({ key: 'k', patch: { [name]: 1 } }))
        expect(refusal.code, name).toBe('invalid_input')
      }
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: { a: 1, l: [] }, version: 1 })
    })

    it('U8 refuses a merge that makes a value too deep, by names with any number of dots too', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: {} })
      const path = (parts: number) => `${parts}${'.a'.repeat(parts - 1)}`
      expect(await cairn.state.merge({ key: 'k', patch: { [path(64)]: 1 } })).toMatchObject({ version: 2 })
      for (const parts of [65, 1000, 100_000]) {
        expect((await refused(cairn.state.merge({ key: 'k', patch: { [path(parts)]: 1 } }))).code, `${parts}`).toBe(
          'too_deep',
        )
      }
    })

    it('S0-68 never sees a conflict between writers of different keys, nor between counters and lists', async () => {
      const { cairn } = await newRoot(store())
      const writers = Array.from({ length: 30 }, (_, at) => [
        cairn.state.set({ key: `own ${at}`, value: at, version: 0 }),
        cairn.state.increment({ key: 'shared', delta: at }),
        cairn.state.append({ key: 'list', items: [at] }),
        cairn.state.merge({ key: 'object', patch: { [`m${at}`]: at } }),
      ])
      await Promise.all(writers.flat())
      const { state, version } = await cairn.state.all({})
      expect(version).toBe(120)
      expect(state).toMatchObject({ shared: 435, 'own 7': 7, object: { m0: 0, m29: 29 } })
      expect([...(state.list as number[])].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at))
    })
  })

  describe(`a batch on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-65 S0-67 U16 runs in order, and a key may come twice', async () => {
      const { cairn } = await newRoot(store())
      const done = await cairn.state.batch({
        operations: [
          { op: 'set', key: 'k', value: { n: 1 } },
          { op: 'merge', key: 'k', patch: { 'm.o': 2 }, if_match: 1 },
          { op: 'increment', key: 'n', delta: 2 },
          { op: 'increment', key: 'n' },
          { op: 'append', key: 'l', items: ['a'] },
          { op: 'append', key: 'l', items: ['b', 'c'] },
          { op: 'delete', key: 'k', if_match: 2 },
          { op: 'set', key: 'k', value: 'last', create_only: true },
        ],
      })
      expect(done.applied).toBe(true)
      expect(done.results).toMatchObject([
        { key: 'k', status: 'success', version: 1, value: { n: 1 }, seq: 2 },
        { key: 'k', status: 'success', version: 2, value: { n: 1, m: { o: 2 } }, seq: 3 },
        { key: 'n', status: 'success', version: 1, value: 2 },
        { key: 'n', status: 'success', version: 2, value: 3 },
        { key: 'l', status: 'success', version: 1, length: 1 },
        { key: 'l', status: 'success', version: 2, length: 3 },
        { key: 'k', status: 'success', version: 3, deleted: true },
        { key: 'k', status: 'success', version: 4, value: 'last' },
      ])
      expect(await cairn.state.all({})).toMatchObject({
        state: { k: 'last', n: 3, l: ['a', 'b', 'c'] },
        version: 8,
        seq: 9,
      })
    })

    const failing = [
      ['a stale version', { op: 'set', key: 'b', value: 9, if_match: 7 }, 'version_conflict', 'conflict'],
      ['a key that exists', { op: 'set', key: 'b', value: 9, create_only: true }, 'already_exists', 'conflict'],
      ['a wrong type', { op: 'increment', key: 'text' }, 'wrong_type', 'refused'],
      ['a missing key', { op: 'delete', key: 'none' }, 'key_not_found', 'refused'],
      [
        'an inexact sum',
        { op: 'increment', key: 'b', delta: Number.MAX_SAFE_INTEGER },
        'number_out_of_range',
        'refused',
      ],
    ] as const

    it.each(failing)('S0-66 C34 applies nothing with %s in it', async (_, bad, code, status) => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, b: 2, text: 't', list: ['x'.repeat(5000)] } })
      await cairn.state.append({ key: 'list', items: [1] })
      const before = await cairn.state.all({})
      const refusal = await refused(
        cairn.state.batch({
          operations: [
            { op: 'set', key: 'a', value: 'changed' },
            { op: 'append', key: 'list', items: [2] },
            { op: 'delete', key: 'text', if_match: 1 },
            { op: 'set', key: 'text', value: 'new' },
            bad,
            { op: 'increment', key: 'c' },
          ],
        }),
      )
      expect(refusal.code).toBe(code)
      expect(refusal.details).toMatchObject({ applied: false, index: 4 })
      const results = refusal.details.results as JsonObject[]
      const untouched = ['a', 'list', 'text', 'text'].map((key) => ({ key, status: 'not_applied' }))
      expect(results.slice(0, 4)).toEqual(untouched)
      expect(results[4]).toMatchObject({ key: bad.key, status, error: code, message: refusal.message })
      expect(results[5]).toEqual({ key: 'c', status: 'not_applied' })
      expect(await cairn.state.all({})).toEqual(before)
      // What was taken back must not show in what is written next.
      expect(await cairn.state.append({ key: 'list', items: [3] })).toMatchObject({ length: 3, version: 3 })
      expect(await cairn.state.set({ key: 'a', value: 5, version: 1 })).toMatchObject({
        version: 2,
        seq: (before.seq as number) + 2,
      })
    })

    it('S0-67 says in a conflict what the version is', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 'now' })
      const refusal = await refused(
        cairn.state.batch({
          operations: [
            { op: 'increment', key: 'n' },
            { op: 'delete', key: 'k', if_match: 3 },
          ],
        }),
      )
      expect(refusal.details.results).toEqual([
        { key: 'n', status: 'not_applied' },
        expect.objectContaining({
          key: 'k',
          status: 'conflict',
          current_version: 1,
          your_version: 3,
          current_value: 'now',
        }),
      ])
    })

    it('S0-67 a conflict of a batch with itself says so, and names only what everybody can see', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 'before' })
      const batch = (...operations: object[]) => refused(cairn.state.batch({ operations: operations as never }))
      const own = await batch({ op: 'set', key: 'k', value: 'mine' }, { op: 'set', key: 'k', value: 2, if_match: 1 })
      expect(own).toMatchObject({
        code: 'version_conflict',
        message: 'The key "k" is changed by operation 1 of this batch, so it is not at version 1 any more.',
        details: { index: 1, current_version: 1, your_version: 1, current_value: 'before' },
      })
      expect(own.hint).toContain('Operation 1 of this batch')
      const typed = await batch({ op: 'set', key: 'n', value: 'text' }, { op: 'increment', key: 'n' })
      expect(typed).toMatchObject({ code: 'wrong_type', details: { current_version: 0 } })
      expect(typed.message).toMatch(/^After operation 1 of this batch: "n" holds a string/)
      expect(typed.hint).not.toMatch(/version: \d/)
      // Another's doing is told as ever, however often the batch changes the key.
      const others = await batch({ op: 'set', key: 'k', value: 1, if_match: 7 }, { op: 'increment', key: 'k' })
      expect(others.message).toBe('The key "k" is at version 1, not 7.')
    })

    it('S0-66 S0-67 marks every conflict of a batch with the version that is there', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, b: 'b'.repeat(5000), c: 3, d: { x: 1 } } })
      await cairn.state.set({ key: 'c', value: 4 })
      const before = await cairn.state.all({})
      const refusal = await refused(
        cairn.state.batch({
          operations: [
            { op: 'set', key: 'fine', value: 1 },
            { op: 'set', key: 'a', value: 2, if_match: 9 },
            { op: 'increment', key: 'b' },
            { op: 'set', key: 'a', value: 3, if_match: 10 },
            { op: 'delete', key: 'c', if_match: 1 },
            { op: 'set', key: 'new', value: 1, if_match: 4 },
            { op: 'set', key: 'd', value: 1, create_only: true },
            { op: 'append', key: 'list', items: [1] },
          ],
        }),
      )
      expect(refusal).toMatchObject({ code: 'version_conflict', details: { index: 1, applied: false, key: 'a' } })
      expect(refusal.details.results).toEqual([
        { key: 'fine', status: 'not_applied' },
        told({ key: 'a', status: 'conflict', current_version: 1, your_version: 9, current_value: 1 }),
        // It would be refused for another reason, or stands on what was not done: whoever tries again will be told.
        { key: 'b', status: 'not_applied' },
        { key: 'a', status: 'not_applied' },
        told({ key: 'c', status: 'conflict', current_version: 2, your_version: 1, current_value: 4 }),
        told({ key: 'new', status: 'conflict', current_version: 0, your_version: 4, current_value: null }),
        told({ key: 'd', status: 'conflict', error: 'already_exists', current_version: 1 }),
        { key: 'list', status: 'not_applied' },
      ])
      expect(refusal.hint).toContain('if_match: 1')
      expect(await cairn.state.all({})).toEqual(before)
    })

    it('marks conflicts behind what is refused for another reason, and leaves long values out', async () => {
      const { cairn } = await newRoot(store())
      const long = 'x'.repeat(5000)
      await cairn.state.init({ initial_state: { text: 't', long } })
      const operations = [
        { op: 'increment', key: 'text' },
        { op: 'set', key: 'long', value: 1, if_match: 7 },
      ] as const
      const { code, details } = await refused(cairn.state.batch({ operations: [...operations] }))
      expect([code, details.index]).toEqual(['wrong_type', 0])
      expect(details.results).toEqual([
        told({ key: 'text', status: 'refused', error: 'wrong_type' }),
        told({ key: 'long', status: 'conflict', current_version: 1, your_version: 7, value_omitted: true }),
      ])
      expect(JSON.stringify(details)).not.toContain(long)
      // The first is shown whole, as it is alone.
      const first = await refused(cairn.state.batch({ operations: [operations[1], operations[0]] }))
      expect(first.details.current_value).toBe(long)
    })

    it('U16 appends to, replaces and reads one long array many times over in one batch', async () => {
      const { cairn } = await newRoot(store())
      const text = 'z'.repeat(300)
      for (let at = 0; at < 30; at++) await cairn.state.append({ key: 'l', items: [`${at}${text}`] })
      const operations = Array.from({ length: 40 }, (_, at) => ({ op: 'append' as const, key: 'l', items: [at, at] }))
      const done = await cairn.state.batch({ operations })
      expect(done.results.at(-1)).toMatchObject({ length: 110, version: 70 })
      const expected = [
        ...Array.from({ length: 30 }, (_, at) => `${at}${text}`),
        ...operations.flatMap(({ items }) => items),
      ]
      expect(await cairn.state.get({ key: 'l' })).toMatchObject({ value: expected, version: 70 })
      await cairn.state.batch({
        operations: [
          { op: 'set', key: 'l', value: expected },
          ...operations.slice(0, 20),
          { op: 'delete', key: 'l' },
          { op: 'append', key: 'l', items: ['alone'] },
        ],
      })
      expect(await cairn.state.get({ key: 'l' })).toMatchObject({ value: ['alone'], version: 93 })
      expect((await cairn.state.get({ key: 'l', at_sequence: 91 })).value).toHaveLength(150)
    })

    const malformed = [
      ['is empty', [], 'operations'],
      ['lacks a value', [{ op: 'set', key: 'a' }], 'operations[0].value'],
      [
        'lacks items',
        [
          { op: 'increment', key: 'a' },
          { op: 'append', key: 'a' },
        ],
        'operations[1].items',
      ],
      ['lacks a patch', [{ op: 'merge', key: 'a' }], 'operations[0].patch'],
      ['has a member that belongs elsewhere', [{ op: 'increment', key: 'a', value: 1 }], 'operations[0].value'],
      [
        'checks a version where none counts',
        [{ op: 'append', key: 'a', items: [], if_match: 1 }],
        'operations[0].if_match',
      ],
      ['has an unknown operation', [{ op: 'move', key: 'a' }], 'operations[0].op'],
      ['lacks a key', [{ op: 'delete' }], 'operations[0].key'],
      ['has an unknown member', [{ op: 'delete', key: 'a', version: 1 }], 'operations[0].version'],
    ] as const

    it.each(malformed)('refuses a batch that %s, with its path', async (_, operations, path) => {
      const { cairn } = await newRoot(store())
      const refusal = await refused(cairn.state.batch({ operations: operations as never }))
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { path } })
      expect(await lastSeq(cairn)).toBe(1)
    })
  })
}
