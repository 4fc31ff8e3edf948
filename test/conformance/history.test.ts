import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { NaiveState } from '../setup/naive-state.ts'
import { drawing, randomStep } from '../setup/random-steps.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type Version = { version: number; value?: Json; deleted?: true; value_omitted?: true; change?: Json; seq: number }
type Entries = Record<string, { value: Json; version: number } | undefined>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

/** All pages of a history, one after the other. */
async function wholeHistory(cairn: Cairn, key: string, limit: number): Promise<Version[]> {
  const all: Version[] = []
  for (let more = true; more; ) {
    const before = all.at(-1)?.version
    const page = await cairn.state.history({ key, limit, ...(before === undefined ? {} : { before }) })
    all.push(...(page.versions as unknown as Version[]))
    more = page.has_more
  }
  return all
}

/** The versions of a key as a copy of every point tells them, newest first; undefined for a deletion. */
function versionsTold(state: NaiveState, key: string): (Json | undefined)[] {
  const told: (Json | undefined)[] = []
  let last: string | undefined
  for (const point of state.points) {
    const entry = (JSON.parse(point) as Entries)[key]
    const text = entry === undefined ? undefined : JSON.stringify([entry.version, entry.value])
    if (text !== last) told.unshift(entry?.value)
    last = text
  }
  return told
}

for (const kind of STORES) {
  describe(`the history of a key on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-74 lists what a key was and who changed it, newest first', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'worker')
      await cairn.state.set({ key: 'k', value: { a: 1 } })
      await cairn.state.merge({ session: child, key: 'k', patch: { b: 2 }, request_id: 'r1' })
      await cairn.state.delete({ key: 'k' })
      await cairn.state.append({ session: child, key: 'k', items: ['x'] })
      const { versions, ...rest } = await cairn.state.history({ key: 'k' })
      expect(rest).toEqual({ key: 'k', has_more: false })
      const by = { actor: expect.any(String), cause: null, request: null, updated_at: expect.any(String) }
      const { session_name } = await cairn.session.show({ session })
      const own = { ...by, updated_by: session, session_name }
      const others = { ...by, updated_by: child, session_name: 'worker' }
      expect(versions).toEqual([
        { version: 4, seq: 6, type: 'append', value: ['x'], ...others },
        { version: 3, seq: 5, type: 'delete', deleted: true, ...own },
        { version: 2, seq: 4, type: 'patch', value: { a: 1, b: 2 }, ...others, request: 'r1' },
        { version: 1, seq: 3, type: 'set', value: { a: 1 }, ...own },
      ])
    })

    it('S0-46 S0-127 has every version of a random history, page by page', async () => {
      const { cairn } = await newRoot(store())
      const draw = drawing(seedOf(3))
      const state = new NaiveState()
      for (let step = 0; step < 300; step++) {
        const one = randomStep(draw, state)
        if (state.apply([one]) === undefined) await cairn.state.batch({ operations: [one] })
        else await refused(cairn.state.batch({ operations: [one] }))
      }
      for (const key of ['n1', 'l1', 'o1', 'x1', 'l-endless']) {
        const told = versionsTold(state, key)
        const listed = await wholeHistory(cairn, key, 7)
        expect(listed.map(({ version }) => version)).toEqual(told.map((_, at) => told.length - at))
        for (const [at, { value, deleted, value_omitted: omitted, change, seq }] of listed.entries()) {
          const wanted = told[at]
          if (deleted) expect(wanted).toBeUndefined()
          else if (!omitted) expect(value).toEqual(wanted)
          else {
            expect(JSON.stringify(wanted).length).toBeGreaterThan(2000)
            expect(change ?? (await cairn.state.get({ key, at: seq })).value).toBeDefined()
            expect((await cairn.state.get({ key, at: seq })).value).toEqual(wanted)
          }
        }
      }
    })

    it('leaves long values out and shows what was appended to them', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: ['*'.repeat(5000)] })
      await cairn.state.append({ key: 'k', items: [1, 2] })
      const { versions } = await cairn.state.history({ key: 'k' })
      expect(versions).toMatchObject([
        { version: 2, value_omitted: true, change: { items: [1, 2] } },
        { version: 1, value_omitted: true },
      ])
      expect(versions.every((each) => !('value' in each))).toBe(true)
    })

    it('shows keys that came with a document', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, b: 2 } })
      await cairn.state.replace({ state: { a: 3 } })
      const types = async (key: string) => (await cairn.state.history({ key })).versions.map(({ type }) => type)
      expect(await types('a')).toEqual(['full_replace', 'init'])
      expect((await cairn.state.history({ key: 'b' })).versions[0]).toMatchObject({
        type: 'full_replace',
        deleted: true,
      })
    })

    it('refuses a key that never was, and ends at version 1', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.state.history({ key: 'none' }))).toMatchObject({ code: 'key_not_found' })
      expect(await refused(cairn.state.history({ key: 'none', before: 3 }))).toMatchObject({ code: 'key_not_found' })
      await cairn.state.set({ key: 'k', value: 1 })
      expect(await cairn.state.history({ key: 'k', before: 1 })).toEqual({ key: 'k', versions: [], has_more: false })
      expect((await cairn.state.history({ key: 'k', before: 99 })).versions).toHaveLength(1)
      expect(await refused(cairn.state.history({ key: 'k', before: 0 }))).toMatchObject({ code: 'invalid_input' })
      expect(await refused(cairn.state.history({ key: 'k', limit: 0 }))).toMatchObject({ code: 'invalid_input' })
    })

    it('ends where the past was compacted, and says where it begins', async () => {
      const { cairn } = await newRoot(store())
      for (let n = 0; n < 40; n++) await cairn.state.append({ key: 'k', items: [n, '.'.repeat(200)] })
      vi.setSystemTime(Date.now() + 40 * 86_400_000)
      for (let n = 0; n < 3; n++) await cairn.state.append({ key: 'k', items: [n] })
      const { floor } = await cairn.store.compact({ older_than: '30d' })
      const page = await cairn.state.history({ key: 'k' })
      expect(page.versions.map(({ version }) => version)).toEqual([43, 42, 41, 40])
      expect(page).toMatchObject({ has_more: false, compacted_before: 40 })
      const gone = { code: 'compacted', details: { floor, before: 41 } }
      expect(await refused(cairn.state.history({ key: 'k', before: 40 }))).toMatchObject(gone)
      expect(await refused(cairn.state.history({ key: 'k', before: 2 }))).toMatchObject(gone)
      expect((await cairn.state.history({ key: 'k', before: 41 })).versions).toHaveLength(1)
      expect(await refused(cairn.state.diff({ from: 3, to: 'now' }))).toMatchObject({ code: 'compacted' })
      expect(await refused(cairn.state.restore({ to: 3 }))).toMatchObject({ code: 'compacted' })
    })
  })

  describe(`why a key has its value on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('goes back to the event that set the value, and the deletion before it', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'worker')
      await cairn.state.set({ key: 'n', value: 'old' })
      await cairn.state.delete({ key: 'n' })
      await cairn.state.set({ key: 'n', value: 5 })
      await cairn.state.increment({ session: child, key: 'n', delta: 2, request_id: 'r' })
      await cairn.state.increment({ key: 'n', delta: -1 })
      const { events, has_more } = await cairn.state.why({ key: 'n' })
      expect(has_more).toBe(false)
      expect(events).toMatchObject([
        { seq: 7, type: 'increment', did: 'added -1, which made 6', session_id: session, request: null },
        { seq: 6, type: 'increment', did: 'added 2, which made 7', session_name: 'worker', request: 'r', cause: null },
        { seq: 5, type: 'set', did: 'set it to 5', actor: expect.any(String), at: expect.any(String) },
        { seq: 4, type: 'delete', did: 'deleted it' },
      ])
      expect((await cairn.state.why({ key: 'n', at: 3 })).events).toMatchObject([{ seq: 3, did: 'set it to "old"' }])
      expect((await cairn.state.why({ key: 'n', at: 4 })).events).toMatchObject([{ seq: 4, did: 'deleted it' }])
    })

    it('tells each kind of change in one line', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { l: [], o: { a: 1 }, gone: 1 } })
      await cairn.state.append({ key: 'l', items: [1, 'x'] })
      await cairn.state.merge({ key: 'o', patch: { b: null } })
      await cairn.state.set({ key: 'long', value: '*'.repeat(9000) })
      await cairn.state.replace({ state: { o: { c: 1 } } })
      const did = async (key: string, at: number) => (await cairn.state.why({ key, at })).events.map((each) => each.did)
      expect(await did('l', 3)).toEqual(['appended [1,"x"]', 'started it as []'])
      expect(await did('o', 4)).toEqual(['merged {"b":null}', 'started it as {"a":1}'])
      expect(await did('long', 5)).toEqual(['set it to a long value'])
      expect(await did('o', 6)).toEqual(['replaced the document, with it as {"c":1}'])
      expect(await did('gone', 6)).toEqual(['deleted it (full_replace)'])
    })

    it('shows the newest reasons of a value that has many', async () => {
      const { cairn } = await newRoot(store())
      for (let n = 0; n < 30; n++) await cairn.state.increment({ key: 'n' })
      expect(await cairn.state.why({ key: 'n' })).toMatchObject({ has_more: true })
      expect((await cairn.state.why({ key: 'n' })).events).toHaveLength(20)
      const all = await cairn.state.why({ key: 'n', limit: 30 })
      expect(all.events).toHaveLength(30)
      expect(all.has_more).toBe(false)
    })

    it('refuses keys and points that are not there', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      expect(await refused(cairn.state.why({ key: 'none' }))).toMatchObject({ code: 'key_not_found' })
      expect(await refused(cairn.state.why({ key: 'k', at: 1 }))).toMatchObject({ code: 'key_not_found' })
      expect(await refused(cairn.state.why({ key: 'k', at: 9 }))).toMatchObject({ code: 'invalid_input' })
    })
  })
}
