import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

/** A string that takes so many bytes as JSON text. */
function bytes(count: number): string {
  return 'x'.repeat(count - 2)
}

/** An object of so many levels, one in the other. */
function nested(levels: number): Json {
  let value: Json = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}

for (const kind of STORES) {
  describe(`limits on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U8 S0-50 refuses a value of more than valueBytes, on every way in', async () => {
      const { cairn } = await newRoot(store(), { limits: { valueBytes: 100 } })
      await cairn.state.init({ initial_state: { full: bytes(100), l: ['aa'], o: { a: 1 } } })
      const before = await lastSeq(cairn)
      const ways: [string, () => Promise<unknown>][] = [
        ['set', () => cairn.state.set({ key: 'k', value: bytes(101) })],
        ['set of two-byte characters', () => cairn.state.set({ key: 'k', value: 'é'.repeat(50) })],
        ['append', () => cairn.state.append({ key: 'l', items: [bytes(94)] })],
        ['append to nothing', () => cairn.state.append({ key: 'new', items: [bytes(99)] })],
        ['merge', () => cairn.state.merge({ key: 'o', patch: { b: bytes(89) } })],
        ['batch', () => cairn.state.batch({ operations: [{ op: 'set', key: 'k', value: bytes(101) }] })],
        ['replace', () => cairn.state.replace({ state: { k: bytes(101) } })],
      ]
      for (const [name, ask] of ways) {
        expect(await refused(ask()), name).toMatchObject({
          code: 'value_too_large',
          details: { limit: 'valueBytes', limit_value: 100 },
        })
      }
      expect(await lastSeq(cairn)).toBe(before)
      // To the byte: the same with one less.
      expect(await cairn.state.set({ key: 'k', value: bytes(100) })).toMatchObject({ version: 1 })
      expect(await cairn.state.set({ key: 'k', value: 'é'.repeat(49) })).toMatchObject({ version: 2 })
      expect(await cairn.state.append({ key: 'l', items: [bytes(93)] })).toMatchObject({ length: 2 })
      expect(await cairn.state.append({ key: 'new', items: [bytes(98)] })).toMatchObject({ length: 1 })
      expect(await cairn.state.append({ key: 'l', items: [] })).toMatchObject({ length: 2 })
      expect(await cairn.state.merge({ key: 'o', patch: { b: bytes(88) } })).toMatchObject({ version: 2 })
      const sizes = Object.values((await cairn.state.all({})).state).map((value) =>
        Buffer.byteLength(JSON.stringify(value)),
      )
      expect(sizes).toEqual([100, 100, 100, 100, 100])
    })

    it('U8 S0-77 refuses more than so many keys', async () => {
      const { cairn } = await newRoot(store(), { limits: { keys: 3 } })
      expect(await refused(cairn.state.init({ initial_state: { a: 1, b: 1, c: 1, d: 1 } }))).toMatchObject({
        code: 'too_many_keys',
        details: { limit: 'keys', limit_value: 3 },
      })
      await cairn.state.init({ initial_state: { a: 1, b: 1, c: 1 } })
      const before = await lastSeq(cairn)
      const ways: ((key: string) => Promise<unknown>)[] = [
        (key) => cairn.state.set({ key, value: 1 }),
        (key) => cairn.state.increment({ key }),
        (key) => cairn.state.append({ key, items: [] }),
        (key) => cairn.state.merge({ key, patch: {} }),
        (key) =>
          cairn.state.batch({
            operations: [
              { op: 'delete', key: 'a' },
              { op: 'set', key: 'x', value: 1 },
              { op: 'increment', key },
            ],
          }),
        (key) => cairn.state.replace({ state: { a: 1, b: 1, c: 1, [key]: 1 } }),
      ]
      for (const ask of ways) {
        expect(await refused(ask('new'))).toMatchObject({
          code: 'too_many_keys',
          details: { limit: 'keys', limit_value: 3 },
        })
      }
      expect(await lastSeq(cairn)).toBe(before)
      await cairn.state.set({ key: 'a', value: 2 })
      await cairn.state.delete({ key: 'b' })
      expect(await cairn.state.set({ key: 'new', value: 1 })).toMatchObject({ version: 1 })
      expect(await refused(cairn.state.set({ key: 'b', value: 1 }))).toMatchObject({ code: 'too_many_keys' })
      expect(await cairn.state.replace({ state: { x: 1, y: 1, z: 1 } })).toMatchObject({ state: { x: 1, y: 1, z: 1 } })
    })

    it('U8 refuses more than stateBytes in all values of a root', async () => {
      const { cairn } = await newRoot(store(), { limits: { stateBytes: 200 } })
      await cairn.state.set({ key: 'a', value: bytes(100) })
      await cairn.state.set({ key: 'b', value: bytes(90) })
      const full = { code: 'value_too_large', details: { limit: 'stateBytes', limit_value: 200 } }
      const before = await lastSeq(cairn)
      const ways: (() => Promise<unknown>)[] = [
        () => cairn.state.set({ key: 'c', value: bytes(11) }),
        () => cairn.state.set({ key: 'b', value: bytes(101) }),
        () => cairn.state.append({ key: 'l', items: [bytes(9)] }),
        () => cairn.state.merge({ key: 'o', patch: { a: bytes(9) } }),
        () => cairn.state.increment({ key: 'n', delta: 12345678901 }),
        () =>
          cairn.state.batch({
            operations: [
              { op: 'delete', key: 'a' },
              { op: 'set', key: 'c', value: bytes(111) },
            ],
          }),
        () => cairn.state.replace({ state: { c: bytes(201) } }),
      ]
      for (const ask of ways) expect(await refused(ask()), String(ask)).toMatchObject(full)
      expect(await lastSeq(cairn)).toBe(before)
      expect(await cairn.state.set({ key: 'b', value: bytes(100) })).toMatchObject({ version: 2 })
      expect(await refused(cairn.state.increment({ key: 'n' }))).toMatchObject(full)
      await cairn.state.delete({ key: 'a' })
      expect(await cairn.state.set({ key: 'c', value: bytes(100) })).toMatchObject({ version: 1 })
      const fresh = await store().open({ limits: { stateBytes: 200 } })
      expect(await refused(fresh.session.create({ topic: 't', initial_state: { a: bytes(201) } }))).toMatchObject(full)
    })

    it('U8 refuses a batch of more than so many operations', async () => {
      const { cairn } = await newRoot(store(), { limits: { batch: 3 } })
      const operations = Array.from({ length: 4 }, () => ({ op: 'increment' as const, key: 'n' }))
      expect(await refused(cairn.state.batch({ operations }))).toMatchObject({
        code: 'invalid_input',
        details: { limit: 'batch', limit_value: 3 },
      })
      expect(await cairn.state.batch({ operations: operations.slice(1) })).toMatchObject({ applied: true })
    })

    it('U8 U6 refuses a tree deeper than treeDepth', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { treeDepth: 2 } })
      const child = await newChild(cairn, session)
      expect(await refused(newChild(cairn, child))).toMatchObject({
        code: 'invalid_input',
        details: { limit: 'treeDepth', limit_value: 2 },
      })
      await newChild(cairn, session)
    })

    it('U8 refuses more than so many sessions below a root, itself among them', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { sessions: 3 } })
      const child = await newChild(cairn, session)
      await newChild(cairn, child)
      expect(await refused(newChild(cairn, session))).toMatchObject({
        code: 'invalid_input',
        details: { limit: 'sessions', limit_value: 3 },
      })
      expect(await cairn.session.tree({})).toMatchObject({ children: [{ session_id: child, children: [{}] }] })
    })

    it('U8 has the limits of the contract unless told otherwise', async () => {
      const { cairn } = await newRoot(store())
      const mebibyte = 1024 * 1024
      expect(await refused(cairn.state.set({ key: 'k', value: bytes(mebibyte + 1) }))).toMatchObject({
        code: 'value_too_large',
        details: { limit: 'valueBytes', limit_value: mebibyte },
      })
      expect(await cairn.state.set({ key: 'k', value: bytes(mebibyte) })).toMatchObject({ version: 1 })
      const operations = Array.from({ length: 501 }, (_, at) => ({
        op: 'set' as const,
        key: `k${at}`,
        value: null as Json,
      }))
      expect(await refused(cairn.state.batch({ operations }))).toMatchObject({
        details: { limit: 'batch', limit_value: 500 },
      })
      expect((await cairn.state.batch({ operations: operations.slice(1) })).results).toHaveLength(500)
      const document = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, at]))
      expect(await refused(cairn.state.replace({ state: document }))).toMatchObject({
        code: 'too_many_keys',
        details: { limit: 'keys', limit_value: 10_000 },
      })
    })

    it('U7 U8 takes keys of 256 bytes and names of 128, and no more', async () => {
      const { cairn, session } = await newRoot(store())
      for (const key of ['k'.repeat(256), 'é'.repeat(128), '\u{1f600}'.repeat(64)]) {
        expect(await cairn.state.set({ key, value: key })).toMatchObject({ key })
        expect(await cairn.state.get({ key })).toMatchObject({ value: key })
        const refusal = await refused(cairn.state.set({ key: `${key}k`, value: 1 }))
        expect(refusal).toMatchObject({ code: 'invalid_input', details: { limit: 'keyBytes', limit_value: 256 } })
      }
      await newChild(cairn, session, 'é'.repeat(64))
      expect(await refused(newChild(cairn, session, `${'é'.repeat(64)}n`))).toMatchObject({ code: 'invalid_input' })
    })

    it('U8 keyBytes bounds every way in which a key is named', async () => {
      const { cairn } = await newRoot(store(), { limits: { keyBytes: 10 } })
      const [fits, long] = ['k'.repeat(10), 'k'.repeat(11)]
      const ways: ((key: string) => Promise<unknown>)[] = [
        (key) => cairn.state.set({ key, value: {} }),
        (key) => cairn.state.get({ key }),
        (key) => cairn.state.merge({ key, patch: { a: 1 } }),
        (key) => cairn.state.batch({ operations: [{ op: 'set', key, value: 1 }] }),
        (key) => cairn.state.patch({ patch: { [key]: 1 } }),
        (key) => cairn.state.replace({ state: { [key]: 1 } }),
        (key) => cairn.schema.set({ target: key, schema: {} }),
      ]
      for (const way of ways) {
        await way(fits)
        const details = { limit: 'keyBytes', limit_value: 10 }
        expect(await refused(way(long)), String(way)).toMatchObject({ code: 'invalid_input', details })
      }
      const wider = (await newRoot(store(), { limits: { keyBytes: 512 } })).cairn
      const longest = 'é'.repeat(256)
      await wider.state.patch({ patch: { [longest]: { a: 1 } } })
      const { token } = await wider.state.claim({ key: longest, ttl: '1h' })
      await wider.state.set({ key: longest, value: 2, fence: `key/${longest}:${token}` })
      expect((await wider.state.all({ prefix: longest })).state).toEqual({ [longest]: 2 })
    })

    it('U8 depth bounds what is given and what patches make of it, and what was taken in before stays', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { depth: 100 } })
      await cairn.state.set({ key: 'deep', value: nested(100) })
      await cairn.state.jsonPatch({ key: 'deep', operations: [{ op: 'add', path: '/a/b', value: nested(98) }] })
      const narrow = await store().open({ session, limits: { depth: 5 } })
      const details = { limit: 'depth', limit_value: 5 }
      const asks: (() => Promise<unknown>)[] = [
        () => narrow.state.set({ key: 'k', value: nested(6) }),
        () => narrow.state.append({ key: 'l', items: [nested(5)] }),
        () => narrow.state.merge({ key: 'k', patch: { 'a.b.c.d.e.f': 1 } }),
        () => narrow.state.patch({ patch: { 'k.a.b.c.d.e.f': 1 } }),
        () => narrow.state.init({ initial_state: { a: nested(5) } }),
      ]
      for (const ask of asks) expect(await refused(ask())).toMatchObject({ code: 'too_deep', details })
      await narrow.state.set({ key: 'k', value: nested(5) })
      const operations = [{ op: 'add', path: '/a/a/a/a/a', value: {} }]
      expect(await refused(narrow.state.jsonPatch({ key: 'k', operations }))).toMatchObject({ code: 'too_deep' })
      expect((await narrow.state.get({ key: 'deep', at: 2 })).value).toEqual(nested(100))
      expect(await narrow.state.merge({ key: 'deep', patch: { z: 1 } })).toMatchObject({ version: 3 })
    })
  })

  describe(`settings on ${kind.name}`, () => {
    const store = freshStore(kind)

    async function configured(settings: unknown): Promise<Cairn> {
      mkdirSync(store().home, { recursive: true })
      writeFileSync(join(store().home, 'config.json'), JSON.stringify(settings))
      return (await newRoot(store())).cairn
    }

    it('U8 reads limits from config.json, by their names', async () => {
      const cairn = await configured({ limits: { valueBytes: 10, batch: 1 } })
      expect(await refused(cairn.state.set({ key: 'k', value: bytes(11) }))).toMatchObject({
        details: { limit: 'valueBytes', limit_value: 10 },
      })
      const options = { limits: { valueBytes: 11 } }
      const wider = (await newRoot(store(), options)).cairn
      expect(await wider.state.set({ key: 'k', value: bytes(11) })).toMatchObject({ version: 1 })
      const operations = [1, 2].map(() => ({ op: 'increment' as const, key: 'n' }))
      expect(await refused(wider.state.batch({ operations }))).toMatchObject({ details: { limit: 'batch' } })
    })

    it('refuses a config.json that says what cannot be', async () => {
      const wrong = [{ limits: { values: 1 } }, { limits: { batch: 0 } }, { limits: { keys: '3' } }, { stor: 'x' }, []]
      for (const settings of wrong) {
        const refusal = await refused(configured(settings))
        expect(refusal).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('config.json') })
      }
      await configured({})
    })
  })
}
