import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const VALUES = {
  text: 'a "quoted" text \u{1f600} \u2028',
  empty: '',
  integer: -9007199254740991,
  fraction: 0.1,
  small: 5e-324,
  large: [1e21, -1.5e300],
  yes: true,
  no: false,
  nothing: null,
  array: [1, [2, [3, []]], { a: [null] }],
  object: { b: { c: { d: [true, 'x'] } }, 'a.b': 1, '': 2, constructor: 3 },
}

for (const kind of STORES) {
  describe(`keys on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-135 creates, reads, updates and deletes keys', async () => {
      const { cairn, session } = await newRoot(store())
      const made = await cairn.state.set({ key: 'k', value: 'one' })
      expect(made).toMatchObject({ key: 'k', value: 'one', version: 1, updated_by: session, seq: 2 })
      expect(made.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(await cairn.state.get({ key: 'k' })).toEqual(made)
      expect(await cairn.state.set({ key: 'k', value: 'two' })).toMatchObject({ version: 2, seq: 3 })
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 'two', version: 2 })
      expect(await cairn.state.delete({ key: 'k' })).toEqual({ key: 'k', version: 3, deleted: true, seq: 4 })
      expect(await refused(cairn.state.get({ key: 'k' }))).toMatchObject({
        code: 'key_not_found',
        details: { key: 'k' },
      })
      expect(await refused(cairn.state.delete({ key: 'k' }))).toMatchObject({ code: 'key_not_found' })
      expect((await cairn.state.all({})).state).toEqual({})
      expect(await lastSeq(cairn)).toBe(4)
    })

    it('S0-139 S0-3 S0-4 U9 keeps any JSON value, null among them, beyond the end of the process', async () => {
      const { cairn, session } = await newRoot(store())
      for (const [key, value] of Object.entries(VALUES)) await cairn.state.set({ key, value })
      expect((await cairn.state.all({})).state).toEqual(VALUES)
      const again = await store().reopen({ session })
      expect((await again.state.all({})).state).toEqual(VALUES)
      for (const [key, value] of Object.entries(VALUES)) {
        expect(await again.state.get({ key })).toMatchObject({ key, value, version: 1 })
      }
    })

    it('S0-136 S0-60 writes at the version that was seen and refuses every other', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 'a' })
      await cairn.state.set({ key: 'k', value: 'b', version: 1 })
      const before = await lastSeq(cairn)
      for (const version of [0, 1, 3]) {
        const attempts = [
          () => cairn.state.set({ key: 'k', value: 'c', version }),
          () => cairn.state.delete({ key: 'k', version }),
          () => cairn.state.merge({ key: 'k', patch: { a: 1 }, version }),
        ]
        for (const attempt of attempts) {
          expect(await refused(attempt())).toMatchObject({
            code: 'version_conflict',
            details: { key: 'k', current_version: 2, your_version: version, current_value: 'b' },
          })
        }
      }
      expect(await lastSeq(cairn)).toBe(before)
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 'b', version: 2 })
      expect(await cairn.state.delete({ key: 'k', version: 2 })).toMatchObject({ version: 3 })
    })

    it('S0-136 takes version 0 for a key that does not exist', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.state.set({ key: 'k', value: 1, version: 4 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 0, your_version: 4, current_value: null },
      })
      expect(await refused(cairn.state.delete({ key: 'k', version: 1 }))).toMatchObject({ code: 'version_conflict' })
      expect(await refused(cairn.state.delete({ key: 'k', version: 0 }))).toMatchObject({ code: 'key_not_found' })
      expect(await cairn.state.set({ key: 'k', value: 1, version: 0 })).toMatchObject({ version: 1 })
      expect(await refused(cairn.state.set({ key: 'k', value: 2, version: 0 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 1, current_value: 1 },
      })
    })

    it('C8 C10 writes without a check when no version is given', async () => {
      const { cairn } = await newRoot(store())
      const other = await store().open()
      const { session_id: session } = await cairn.session.show({})
      await cairn.state.set({ key: 'k', value: { a: 1 } })
      await other.state.set({ session, key: 'k', value: { a: 2 } })
      expect(await cairn.state.set({ key: 'k', value: { a: 3 } })).toMatchObject({ version: 3 })
      expect(await cairn.state.merge({ key: 'k', patch: { b: 1 } })).toMatchObject({
        value: { a: 3, b: 1 },
        version: 4,
      })
      expect(await cairn.state.delete({ key: 'k' })).toMatchObject({ version: 5 })
    })

    it('U18 S0-37 S0-39 updates by version: reads again after each lost race, until its deadline', async () => {
      const { cairn, session } = await newRoot(store())
      const rival = await store().open({ session })
      let calls = 0
      const rivals = (times: number) => Array.from({ length: times }, (_, at) => `rival ${at + 1}`)
      /** The rival is faster for the first so many times. */
      const losing = (times: number) => async (current: Json | undefined) => {
        calls++
        if (calls <= times) await rival.state.append({ key: 'l', items: [`rival ${calls}`] })
        return [...((current ?? []) as Json[]), 'mine']
      }
      expect(await cairn.state.update({ key: 'l', fn: losing(7) })).toMatchObject({ version: 8 })
      expect(calls).toBe(8)
      expect((await cairn.state.get({ key: 'l' })).value).toEqual([...rivals(7), 'mine'])
      calls = 0
      const hopeless = cairn.state.update({ key: 'l', fn: losing(Number.POSITIVE_INFINITY), deadlineMs: 300 })
      expect(await refused(hopeless)).toMatchObject({ code: 'version_conflict', details: { key: 'l' } })
      expect(calls).toBeGreaterThan(2)
      expect((await cairn.state.get({ key: 'l' })).value).toHaveLength(8 + calls)
      calls = 0
      expect((await refused(cairn.state.update({ key: 'l', fn: losing(1), deadlineMs: 0 }))).code).toBe(
        'version_conflict',
      )
      expect(calls).toBe(1)
      const failing = cairn.state.update({ key: 'l', fn: () => Promise.reject(new Error('of the caller')) })
      await expect(failing).rejects.toThrow('of the caller')
    })

    it('U13 goes on with the version of a deleted key, so that none comes twice', async () => {
      const { cairn } = await newRoot(store())
      const seen: number[] = []
      for (let life = 0; life < 4; life++) {
        seen.push((await cairn.state.set({ key: 'k', value: life, version: 0 })).version)
        seen.push((await cairn.state.increment({ key: 'k' })).version)
        seen.push((await cairn.state.delete({ key: 'k' })).version)
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      // Whoever saw the third life must not write over the fifth.
      expect(await refused(cairn.state.set({ key: 'k', value: 'late', version: 8 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 12, current_value: null },
      })
      expect(await cairn.state.set({ key: 'k', value: 'after', version: 12 })).toMatchObject({ version: 13 })
      await cairn.state.delete({ key: 'k' })
      expect(await cairn.state.append({ key: 'k', items: [1] })).toEqual({ key: 'k', length: 1, version: 15 })
      await cairn.state.delete({ key: 'k' })
      expect(await cairn.state.merge({ key: 'k', patch: { a: 1 } })).toMatchObject({ value: { a: 1 }, version: 17 })
    })

    it('creates only where nothing lives with create_only', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.set({ key: 'k', value: 1, create_only: true })).toMatchObject({ version: 1 })
      expect(await refused(cairn.state.set({ key: 'k', value: 2, create_only: true }))).toMatchObject({
        code: 'already_exists',
        details: { key: 'k', current_version: 1, current_value: 1 },
      })
      await cairn.state.delete({ key: 'k' })
      expect(await cairn.state.set({ key: 'k', value: 3, create_only: true })).toMatchObject({ version: 3 })
      expect(await cairn.state.set({ key: 'k', value: 4, create_only: false })).toMatchObject({ version: 4 })
    })

    it('S0-60 shows the whole current value in a conflict, also of an array too long for its row', async () => {
      const { cairn } = await newRoot(store())
      const items = Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(150)}`)
      for (const item of items) await cairn.state.append({ key: 'long', items: [item] })
      const refusal = await refused(cairn.state.set({ key: 'long', value: 0, version: 1 }))
      expect(refusal.details).toMatchObject({ current_version: 40, current_value: items })
      expect(await refused(cairn.state.set({ key: 'long', value: 0, create_only: true }))).toMatchObject({
        code: 'already_exists',
        details: { current_value: items },
      })
    })

    it('reads the keys that begin with a prefix, in the order of their code points', async () => {
      const { cairn } = await newRoot(store())
      const keys = [
        'a',
        'a/',
        'a/b c',
        'a/é',
        'a/\u{1f600}',
        'a/\u{10ffff}',
        'a/\u{10ffff}z',
        'a0',
        'b',
        'A/',
        '\u{10ffff}q',
      ]
      for (const key of keys) await cairn.state.set({ key, value: key })
      const read = async (prefix?: string) => Object.keys((await cairn.state.all(prefix ? { prefix } : {})).keys)
      expect(await read('a/')).toEqual(['a/', 'a/b c', 'a/é', 'a/\u{1f600}', 'a/\u{10ffff}', 'a/\u{10ffff}z'])
      expect(await read('a')).toEqual(['a', 'a/', 'a/b c', 'a/é', 'a/\u{1f600}', 'a/\u{10ffff}', 'a/\u{10ffff}z', 'a0'])
      expect(await read('\u{10ffff}')).toEqual(['\u{10ffff}q'])
      expect(await read('nowhere')).toEqual([])
      expect(await read()).toHaveLength(keys.length)
      const past = await cairn.state.all({ prefix: 'a/', at: await lastSeq(cairn) })
      expect(Object.keys(past.keys)).toEqual(await read('a/'))
    })
  })

  describe(`the whole document on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('C11 S0-133 has no state before the first write', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.state.all({}))).toMatchObject({ code: 'state_not_found' })
      expect(await refused(cairn.state.all({ at: 1 }))).toMatchObject({ code: 'state_not_found' })
      expect(await refused(cairn.state.get({ key: 'k' }))).toMatchObject({ code: 'key_not_found' })
      expect(await cairn.state.events({})).toEqual({ events: [], has_more: false })
      await refused(cairn.state.delete({ key: 'k' }))
      expect(await refused(cairn.state.all({}))).toMatchObject({ code: 'state_not_found' })
    })

    it('C11 S0-31 the first write makes the state without an event of its own', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.increment({ key: 'n' })
      expect(await cairn.state.all({})).toMatchObject({ state: { n: 1 }, version: 1, seq: 2 })
      await cairn.state.delete({ key: 'n' })
      expect(await cairn.state.all({})).toMatchObject({ state: {}, keys: {}, version: 2, seq: 3 })
    })

    it('C11 S0-30 S0-85 starts the state with a document once', async () => {
      const { cairn, session } = await newRoot(store())
      const made = await cairn.state.init({ initial_state: { a: 1, b: [null] } })
      expect(made).toMatchObject({ root_session_id: session, state: { a: 1, b: [null] }, version: 1, seq: 2 })
      expect(await cairn.state.all({})).toMatchObject({ state: { a: 1, b: [null] }, version: 1, seq: 2 })
      const again = await refused(cairn.state.init({ initial_state: {} }))
      expect(again).toMatchObject({ code: 'already_exists', details: { current_version: 1 } })
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('C11 starts empty when no document is given, and refuses to start after any write', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.init({})).toMatchObject({ state: {}, version: 1 })
      expect(await cairn.state.all({})).toMatchObject({ state: {}, version: 1 })
      const other = await newRoot(store())
      await other.cairn.state.set({ key: 'a', value: 1 })
      expect(await refused(other.cairn.state.init({}))).toMatchObject({ code: 'already_exists' })
    })

    it('gives a root its first state at creation, as an event of its own: version 1, readable as such for ever', async () => {
      const cairn = await store().open()
      const { session_id: session } = await cairn.session.create({ topic: 't', initial_state: { a: 1, list: [] } })
      expect(await cairn.state.all({ session })).toMatchObject({ state: { a: 1, list: [] }, version: 1, seq: 2 })
      expect(await refused(cairn.state.init({ session }))).toMatchObject({ code: 'already_exists' })
      await cairn.session.create({ topic: 'c', parent: session })
      await cairn.state.increment({ session, key: 'a' })
      for (const point of [{ at_sequence: 1 }, { at: 2 }, { at: 3 }]) {
        expect(await cairn.state.all({ session, ...point })).toMatchObject({ state: { a: 1, list: [] }, version: 1 })
      }
      expect(await cairn.state.all({ session, at: 2 })).toMatchObject({ seq: 2 })
      for (const point of [{ at_sequence: 0 }, { at: 1 }]) {
        expect(await refused(cairn.state.all({ session, ...point }))).toMatchObject({ code: 'state_not_found' })
      }
      expect(await cairn.log.list({ session, since: 0, limit: 2 })).toMatchObject({
        events: [
          { seq: 1, type: 'session_created', stream: 'session/0', version: 1 },
          { seq: 2, type: 'init', stream: 'state', version: 1, data: { payload: { a: 1, list: [] } } },
        ],
      })
      expect(await cairn.state.get({ session, key: 'a' })).toMatchObject({ value: 2, version: 2 })
    })

    it('S0-91 S0-34 replaces the document: unchanged keys keep their version, others go or move on', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { same: { x: [1, 2], y: null }, other: 1, gone: true } })
      await cairn.state.increment({ key: 'other' })
      const replaced = await cairn.state.replace({
        state: { same: { y: null, x: [1, 2] }, other: 5, fresh: 'f' },
        version: 2,
      })
      expect(replaced).toMatchObject({ version: 3, seq: 4, state: { other: 5 } })
      const all = await cairn.state.all({})
      expect(all.state).toEqual({ same: { x: [1, 2], y: null }, other: 5, fresh: 'f' })
      expect(all.keys).toMatchObject({ same: { version: 1 }, other: { version: 3 }, fresh: { version: 1 } })
      expect(await refused(cairn.state.get({ key: 'gone' }))).toMatchObject({ code: 'key_not_found' })
      await cairn.state.replace({ state: { gone: 'back' } })
      expect((await cairn.state.all({})).keys).toMatchObject({ gone: { value: 'back', version: 3 } })
      expect((await cairn.state.all({})).state).toEqual({ gone: 'back' })
    })

    it('S0-35 refuses to replace a document at another version, and shows the current one', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.state.replace({ state: {}, version: 1 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 0, your_version: 1, current_state: {} },
      })
      await cairn.state.replace({ state: { a: 1 }, version: 0 })
      await cairn.state.increment({ key: 'a' })
      expect(await refused(cairn.state.replace({ state: { a: 9 }, version: 1 }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: 2, your_version: 1, current_state: { a: 2 } },
      })
      expect(await cairn.state.all({})).toMatchObject({ state: { a: 2 }, version: 2 })
    })

    it('S0-91 replaces arrays that are too long for their row, and leaves equal ones alone', async () => {
      const { cairn } = await newRoot(store())
      const items = Array.from({ length: 60 }, (_, at) => ({ at, text: 'y'.repeat(100) }))
      for (const item of items) await cairn.state.append({ key: 'long', items: [item] })
      await cairn.state.replace({ state: { long: items, n: 1 } })
      expect(await cairn.state.get({ key: 'long' })).toMatchObject({ value: items, version: 60 })
      await cairn.state.replace({ state: { long: items.slice(1), n: 1 } })
      expect((await cairn.state.all({})).keys).toMatchObject({
        long: { value: items.slice(1), version: 61 },
        n: { version: 1 },
      })
    })

    it('S0-140 S0-141 S0-2 shares one state among the root and all below it', async () => {
      const { cairn, session } = await newRoot(store())
      const a = await newChild(cairn, session)
      const b = await newChild(cairn, a)
      await cairn.state.set({ key: 'plan', value: 'root' })
      expect(await cairn.state.get({ session: b, key: 'plan' })).toMatchObject({ value: 'root', updated_by: session })
      await cairn.state.set({ session: a, key: 'plan', value: 'a', version: 1 })
      expect(await cairn.state.increment({ session: b, key: 'n' })).toMatchObject({ value: 1 })
      for (const asked of [session, a, b]) {
        expect(await cairn.state.all({ session: asked })).toMatchObject({
          root_session_id: session,
          state: { plan: 'a', n: 1 },
          keys: { plan: { updated_by: a }, n: { updated_by: b } },
          version: 3,
        })
      }
    })

    it('S0-1 S0-68 keeps the states of two roots apart', async () => {
      const one = await newRoot(store())
      const two = await newRoot(store())
      await Promise.all([one, two].map(({ cairn }, at) => cairn.state.set({ key: 'k', value: at })))
      expect((await one.cairn.state.all({})).state).toEqual({ k: 0 })
      expect((await two.cairn.state.all({})).state).toEqual({ k: 1 })
    })
  })
}
