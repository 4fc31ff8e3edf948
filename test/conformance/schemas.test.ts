import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

/** A way to write that would break a schema: what is there before, the schema, the write, and where it breaks. */
interface Way {
  readonly before?: Json
  readonly schema: Json
  readonly write: (cairn: Cairn, key: string) => Promise<unknown>
  /** Within the value, or within the document where that is written. */
  readonly path: string
}

const small: Json = { type: 'number', maximum: 10 }
const texts: Json = { type: 'array', items: { type: 'string' }, maxItems: 3 }
const task: Json = { type: 'object', properties: { owner: { type: 'string' }, tries: small }, required: ['owner'] }
const ada: Json = { owner: 'ada', tries: 9 }

const WAYS: Record<string, Way> = {
  set: { schema: small, write: (cairn, key) => cairn.state.set({ key, value: 11 }), path: '$' },
  'set with a version': {
    before: 1,
    schema: small,
    write: (cairn, key) => cairn.state.set({ key, value: '1', version: 1 }),
    path: '$',
  },
  'set if absent': {
    schema: task,
    write: (cairn, key) => cairn.state.setIfAbsent({ key, value: { owner: 1 } }),
    path: '$.owner',
  },
  increment: { before: 10, schema: small, write: (cairn, key) => cairn.state.increment({ key }), path: '$' },
  'increment of nothing': {
    schema: { type: 'string' },
    write: (cairn, key) => cairn.state.increment({ key }),
    path: '$',
  },
  min: { before: 3, schema: { minimum: 2 }, write: (cairn, key) => cairn.state.min({ key, value: 1 }), path: '$' },
  max: { before: 3, schema: small, write: (cairn, key) => cairn.state.max({ key, value: 12 }), path: '$' },
  append: {
    before: ['a'],
    schema: texts,
    write: (cairn, key) => cairn.state.append({ key, items: ['b', 3] }),
    path: '$[2]',
  },
  'append of one too many': {
    before: ['a', 'b', 'c'],
    schema: texts,
    write: (cairn, key) => cairn.state.append({ key, items: ['d'] }),
    path: '$',
  },
  'append to nothing': { schema: texts, write: (cairn, key) => cairn.state.append({ key, items: [1] }), path: '$[0]' },
  merge: {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.merge({ key, patch: { tries: 11 } }),
    path: '$.tries',
  },
  'merge that removes': {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.merge({ key, patch: { owner: null } }),
    path: '$',
  },
  'JSON Patch': {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.jsonPatch({ key, operations: [{ op: 'replace', path: '/owner', value: null }] }),
    path: '$.owner',
  },
  'patch of the document': {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.patch({ patch: { [key]: { tries: [] } } }),
    path: '$["a/b"].tries',
  },
  'patch with an operator': {
    before: ['a'],
    schema: texts,
    write: (cairn, key) => cairn.state.patch({ patch: { [key]: { $append: [1] } } }),
    path: '$["a/b"][1]',
  },
  replace: {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.replace({ state: { other: 'x', [key]: {} } }),
    path: '$["a/b"]',
  },
  batch: {
    before: ada,
    schema: task,
    write: (cairn, key) =>
      cairn.state.batch({
        operations: [
          { op: 'set', key: 'other', value: 'x' },
          { op: 'merge', key, patch: { tries: 99 } },
        ],
      }),
    path: '$.tries',
  },
  'batch that mends it later': {
    before: 1,
    schema: small,
    write: (cairn, key) =>
      cairn.state.batch({
        operations: [
          { op: 'increment', key, delta: 10 },
          { op: 'increment', key, delta: -10 },
        ],
      }),
    path: '$',
  },
  'raw mutation': {
    before: ada,
    schema: task,
    write: (cairn, key) => cairn.state.mutate({ mutation: { type: 'set', key, value: [] } }),
    path: '$',
  },
  'counter, conflict-free': {
    schema: small,
    write: (cairn, key) => cairn.state.counterAdd({ key, value: 11 }),
    path: '$',
  },
  'set, conflict-free': { schema: texts, write: (cairn, key) => cairn.state.setAdd({ key, items: [1] }), path: '$[0]' },
  'register, conflict-free': {
    schema: task,
    write: (cairn, key) => cairn.state.registerSet({ key, value: {} }),
    path: '$',
  },
  update: { before: 1, schema: small, write: (cairn, key) => cairn.state.update({ key, fn: () => 11 }), path: '$' },
}

for (const kind of STORES) {
  describe(`schemas on ${kind.name}`, () => {
    const store = sharedStore(kind)

    for (const [name, { before, schema, write, path }] of Object.entries(WAYS)) {
      it(`refuse ${name} that would break them, and nothing changes`, async () => {
        const { cairn } = await newRoot(store())
        await cairn.state.set({ key: 'unrelated', value: 'x' })
        if (before !== undefined) await cairn.state.set({ key: 'a/b', value: before })
        for (const target of [{ target: 'a/b' }, { target: 'a/', prefix: true }, { target: '', prefix: true }]) {
          // All keys would mean the unrelated one as well.
          const applied = target.target === '' ? ({ if: { const: 'x' }, else: schema } as Json) : schema
          await cairn.schema.set({ ...target, schema: applied })
          const [seen, last] = [await cairn.state.all({}), await lastSeq(cairn)]
          const refusal = await refused(write(cairn, 'a/b'))
          expect(refusal).toMatchObject({ code: 'invalid_input', details: { key: 'a/b', path, schema: target } })
          expect(await cairn.state.all({})).toEqual(seen)
          expect(await lastSeq(cairn)).toBe(last)
          await cairn.schema.delete(target)
        }
        await write(cairn, 'a/b')
      })
    }

    it('refuse a restore to a value that breaks them now', async () => {
      const { cairn } = await newRoot(store())
      const { seq } = await cairn.state.set({ key: 'n', value: 'text' })
      await cairn.state.set({ key: 'n', value: 1 })
      await cairn.schema.set({ target: 'n', schema: small })
      expect(await refused(cairn.state.restore({ to: String(seq) }))).toMatchObject({
        code: 'invalid_input',
        details: { path: '$' },
      })
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 1 })
    })

    it('refuse an init that would break them', async () => {
      const { cairn } = await newRoot(store())
      await cairn.schema.set({ target: 'n', schema: small })
      expect(await refused(cairn.state.init({ initial_state: { m: 11, n: 11 } }))).toMatchObject({
        details: { key: 'n' },
      })
      expect(await refused(cairn.state.all({}))).toMatchObject({ code: 'state_not_found' })
      expect(await cairn.state.init({ initial_state: { m: 11, n: 10 } })).toMatchObject({ version: 1 })
    })

    it('let through what fits, deletions and keys they are not for', async () => {
      const { cairn } = await newRoot(store())
      await cairn.schema.set({ target: 'task/', prefix: true, schema: task })
      await cairn.schema.set({ target: 'task/1', schema: { properties: { owner: { minLength: 2 } } } })
      await cairn.state.set({ key: 'task/1', value: ada })
      await cairn.state.set({ key: 'task/2', value: { owner: 'b' } })
      await cairn.state.set({ key: 'task', value: 1 })
      const both = await refused(cairn.state.set({ key: 'task/1', value: { owner: 'b' } }))
      expect(both.details).toMatchObject({
        path: '$.owner',
        schema: { target: 'task/1', prefix: false, rule: '#/properties/owner/minLength' },
      })
      expect(both.message).toBe(
        'The value of "task/1" would violate the schema of its key: $.owner must have at least 2 characters.',
      )
      expect(await cairn.state.delete({ key: 'task/1' })).toMatchObject({ deleted: true })
    })

    it('check a long array whole, of which an append knows only the end', async () => {
      const { cairn } = await newRoot(store())
      const items = Array.from({ length: 400 }, (_, at) => `item number ${at}`)
      await cairn.state.append({ key: 'long', items: items.slice(0, 200) })
      for (let at = 200; at < 400; at += 10) await cairn.state.append({ key: 'long', items: items.slice(at, at + 10) })
      await cairn.schema.set({
        target: 'long',
        schema: { items: { type: 'string' }, uniqueItems: true, maxItems: 402 },
      })
      expect(await refused(cairn.state.append({ key: 'long', items: ['item number 7'] }))).toMatchObject({
        code: 'invalid_input',
      })
      expect(await refused(cairn.state.patch({ patch: { long: { $append: ['item number 8'] } } }))).toMatchObject({
        code: 'invalid_input',
      })
      const anew = await store().reopen({ session: (await cairn.session.list({})).sessions[0]?.session_id ?? '' })
      expect(await refused(anew.state.append({ key: 'long', items: ['item number 7'] }))).toMatchObject({
        details: { key: 'long', path: '$' },
      })
      expect(await anew.state.append({ key: 'long', items: ['a'] })).toMatchObject({ length: 401 })
      expect(await anew.state.append({ key: 'long', items: ['b'] })).toMatchObject({ length: 402 })
      expect(await refused(anew.state.append({ key: 'long', items: ['c'] }))).toMatchObject({ code: 'invalid_input' })
    })

    it('name the item of a batch that breaks one', async () => {
      const { cairn } = await newRoot(store())
      await cairn.schema.set({ target: 'n', schema: small })
      const operations = [
        { op: 'set' as const, key: 'a', value: 1 },
        { op: 'set' as const, key: 'n', value: 11 },
      ]
      expect((await refused(cairn.state.batch({ operations }))).details).toMatchObject({
        index: 1,
        applied: false,
        results: [
          { key: 'a', status: 'not_applied' },
          { key: 'n', status: 'refused', error: 'invalid_input', path: '$' },
        ],
      })
    })

    it('are refused while present values break them, by the keys that do, unless forced', async () => {
      const { cairn } = await newRoot(store())
      for (let at = 0; at < 12; at++) await cairn.state.set({ key: `n/${at}`, value: at < 11 ? { a: [at, 'x'] } : 1 })
      const schema = { items: { type: 'number' }, properties: { a: { items: { type: 'number' } } } }
      const refusal = await refused(cairn.schema.set({ target: 'n/', prefix: true, schema }))
      expect(refusal.code).toBe('invalid_input')
      expect(refusal.message).toMatch(/"n\/0" \(\$\.a\[1\] must be of type number\), and 10 more/)
      expect(refusal.details).toMatchObject({ broken_count: 11 })
      expect(refusal.details.broken).toHaveLength(10)
      expect((await cairn.schema.list({})).schemas).toEqual([])
      const forced = await cairn.schema.set({ target: 'n/', prefix: true, schema, force: true })
      expect(forced).toMatchObject({ target: 'n/', prefix: true, broken: refusal.details.broken })
      // What breaks it stays; what is written next must fit.
      expect(await cairn.state.get({ key: 'n/3' })).toMatchObject({ value: { a: [3, 'x'] } })
      expect(await refused(cairn.state.merge({ key: 'n/3', patch: { b: 1 } }))).toMatchObject({
        details: { path: '$.a[1]' },
      })
      expect(await cairn.state.merge({ key: 'n/3', patch: { a: [3] } })).toMatchObject({ value: { a: [3] } })
      expect(await refused(cairn.schema.set({ target: 'n/0', schema: false }))).toMatchObject({ code: 'invalid_input' })
    })

    it('do not move the version of the state, are listed, replaced and deleted, and are in the log', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'checker')
      await cairn.state.set({ key: 'n', value: 1 })
      const before = (await cairn.state.all({})).version
      await cairn.schema.set({ target: 'n', schema: { maximum: 3 }, session: child })
      await cairn.schema.set({ target: 'n', schema: { maximum: 5 }, session: child })
      await cairn.schema.set({ target: 'n', prefix: true, schema: true })
      expect((await cairn.schema.list({})).schemas).toMatchObject([
        { target: 'n', prefix: false, schema: { maximum: 5 }, updated_by: child },
        { target: 'n', prefix: true, schema: true, updated_by: session },
      ])
      expect(await cairn.state.set({ key: 'n', value: 5 })).toMatchObject({ version: 2 })
      expect(await cairn.schema.delete({ target: 'n' })).toMatchObject({ target: 'n', prefix: false, deleted: true })
      expect(await refused(cairn.schema.delete({ target: 'n' }))).toMatchObject({ code: 'not_found' })
      expect((await cairn.schema.list({})).schemas).toHaveLength(1)
      await cairn.state.set({ key: 'n', value: 6 })
      expect((await cairn.state.all({})).version).toBe(before + 2)
      const { events } = await cairn.log.list({ stream: 'schema' })
      expect(events.map(({ type, version }) => [type, version])).toEqual([
        ['schema_set', 1],
        ['schema_set', 2],
        ['schema_set', 3],
        ['schema_deleted', 4],
      ])
    })

    it('hold for every process: one that remembers the root sees a schema that another one set', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'n', value: 99 })
      const other = await store().open({ session })
      await other.schema.set({ target: 'n', schema: small, force: true })
      expect(await refused(cairn.state.increment({ key: 'n' }))).toMatchObject({ code: 'invalid_input' })
      await other.schema.delete({ target: 'n' })
      expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: 100 })
    })

    it('that are none, or are for no key, are refused with the path and nothing is recorded', async () => {
      const { cairn, session } = await newRoot(store())
      const last = await lastSeq(cairn)
      const bad: [target: string, prefix: boolean, schema: unknown, says: RegExp][] = [
        ['n', false, { type: 'text' }, /\$\.type must be one of/],
        ['n', true, { properties: { a: { pattern: '(' } } }, /\$\.properties\.a\.pattern is not a valid regular/],
        ['n', false, { $ref: 'https://example.org' }, /other documents/],
        ['n', false, { $ref: '#' }, /leads back to itself/],
        ['n', false, { title: 'a'.repeat(40_000) }, /the limit is 32768/],
        ['n', false, [], /must be a schema/],
        ['n', false, undefined, /schema is missing/],
        ['n', false, { default: Number.NaN }, /NaN/],
        ['', false, true, /A key is empty/],
        ['_n', true, true, /reserved/],
        ['a\nb', true, true, /control character/],
        ['x'.repeat(300), false, true, /300 bytes/],
      ]
      for (const [target, prefix, schema, says] of bad) {
        const refusal = await refused(cairn.schema.set({ target, prefix, schema: schema as Json }))
        expect(refusal.message).toMatch(says)
      }
      for (let at = 0; at < 64; at++) await cairn.schema.set({ target: `k${at}`, schema: true })
      expect(await refused(cairn.schema.set({ target: 'k64', schema: true }))).toMatchObject({
        details: { limit: 'schemas' },
      })
      expect(await cairn.schema.set({ target: 'k63', schema: false })).toMatchObject({ schema: false })
      expect(await lastSeq(cairn)).toBe(last + 65)
      await cairn.session.end({ session })
      expect(await refused(cairn.schema.delete({ target: 'k1' }))).toMatchObject({ code: 'session_ended' })
      expect(await refused(cairn.schema.set({ target: 'k1', schema: true }))).toMatchObject({ code: 'session_ended' })
    })

    it('are rebuilt from the log, found when they were changed past it, and removed with their root', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.schema.set({ target: 'n', schema: small })
      await cairn.schema.set({ target: 'm', schema: small })
      await cairn.schema.delete({ target: 'm' })
      const kept = await store().sql('SELECT * FROM state_schemas WHERE root = $1 ORDER BY target', session)
      expect(kept.map(({ target, schema }) => [target, schema])).toEqual([
        ['m', null],
        ['n', JSON.stringify(small)],
      ])
      await store().sql(`UPDATE state_schemas SET schema = 'true' WHERE root = $1 AND target = 'n'`, session)
      const { checks } = await cairn.store.doctor({})
      expect(checks.find(({ name }) => name === 'views')?.detail).toMatch(/state_schemas n\/0/)
      expect(await cairn.store.doctor({ repair: true })).toMatchObject({ ok: true })
      expect(await store().sql('SELECT * FROM state_schemas WHERE root = $1 ORDER BY target', session)).toEqual(kept)
      expect(await refused(cairn.state.set({ key: 'n', value: 11 }))).toMatchObject({ code: 'invalid_input' })
      const { slug } = await cairn.session.show({})
      const number = await rootNumber(store(), session)
      await cairn.store.remove({ session, confirm: slug, force: true })
      expect(await store().sql('SELECT * FROM state_schemas WHERE root = $1', number)).toEqual([])
    })

    it('of several the one with the longest name refuses, and broken values are named in order, whatever is remembered', async () => {
      const { cairn, session } = await newRoot(store())
      for (const key of ['tb', 'ta', 'tc']) await cairn.state.set({ key, value: 'x' })
      const broken = await refused(cairn.schema.set({ target: 't', prefix: true, schema: small }))
      expect((broken.details.broken as { key: string }[]).map(({ key }) => key)).toEqual(['ta', 'tb', 'tc'])
      await cairn.schema.set({ target: '', prefix: true, schema: small, force: true })
      await cairn.schema.set({ target: 'ta', prefix: true, schema: small, force: true })
      await cairn.schema.set({ target: 'ta', schema: small, force: true })
      await cairn.schema.set({ target: 't', prefix: true, schema: small, force: true })
      const fresh = await store().open({ session })
      for (const one of [cairn, fresh]) {
        const nearest = async (key: string) => (await refused(one.state.set({ key, value: 11 }))).details.schema
        expect(await nearest('ta')).toMatchObject({ target: 'ta', prefix: false })
        expect(await nearest('tab')).toMatchObject({ target: 'ta', prefix: true })
        expect(await nearest('tb')).toMatchObject({ target: 't', prefix: true })
      }
    })

    it('outlive a compaction of the state they are for', async () => {
      const { cairn } = await newRoot(store())
      await cairn.schema.set({ target: 'n', schema: small })
      for (let at = 0; at < 5; at++) await cairn.state.increment({ key: 'n' })
      await cairn.store.compact({ older_than: '0s' })
      expect(await refused(cairn.state.set({ key: 'n', value: 11 }))).toMatchObject({ code: 'invalid_input' })
      expect((await cairn.schema.list({})).schemas).toHaveLength(1)
    })
  })
}
