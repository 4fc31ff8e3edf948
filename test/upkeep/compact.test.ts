import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { allAnswers, allRows, wholeLog } from './reading.ts'

const day = 86_400_000
const items = 120

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

/** More than a kilobyte, so that its merges are kept as differences. */
function large(n: number): { [key: string]: Json } {
  return Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, `${n} ${'*'.repeat(50)}`]))
}

/** Every kind of value and of change; a part of it twice, so that chains of differences lead from one time into the other. */
async function part(cairn: Cairn, round: number): Promise<void> {
  await cairn.state.set({ key: 'word', value: `${round}` })
  await cairn.state.increment({ key: 'n', delta: 3 })
  await cairn.state.append({ key: 'short', items: [round, { round }] })
  for (let at = 0; at < 5; at++) await cairn.state.merge({ key: 'o', patch: { [`m${at}`]: round, extra: at } })
  await cairn.state.set({ key: 'gone', value: round })
  await cairn.state.delete({ key: 'gone' })
  await cairn.state.set({ key: `only ${round}`, value: null })
  const more = Array.from({ length: items }, (_, at) => `item ${round} ${at} ${'.'.repeat(20)}`)
  await Promise.all(more.map((item) => cairn.state.append({ key: 'long', items: [item] })))
}

/** Written for 40 days, then for 10; the end of the first time is what `older_than: 30d` finds. */
async function written(store: TestStore): Promise<{ cairn: Cairn; session: string; floor: number }> {
  const { cairn, session } = await newRoot(store)
  await newChild(cairn, session, 'child')
  await cairn.state.init({ initial_state: { o: large(0), still: ['as', 'it', 'was'] } })
  await part(cairn, 1)
  await cairn.state.replace({ state: { ...(await cairn.state.all({})).state, replaced: true } })
  const floor = (await wholeLog(cairn, session)).length
  vi.setSystemTime(Date.now() + 40 * day)
  await part(cairn, 2)
  return { cairn, session, floor }
}

async function doctorOk(cairn: Cairn): Promise<void> {
  const { ok, checks } = await cairn.store.doctor({})
  expect(ok, JSON.stringify(checks)).toBe(true)
}

/** Rows of one root. */
async function rowsOf(store: TestStore, root: string): Promise<Record<string, Record<string, unknown>[]>> {
  const [all, number] = [Object.entries(await allRows(store)), await rootNumber(store, root)]
  return Object.fromEntries(all.map(([table, rows]) => [table, rows.filter((row) => Number(row.root) === number)]))
}

for (const kind of STORES) {
  describe(`compact on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-107 U48 removes bodies and versions before the floor and nothing else', async () => {
      const { cairn, session, floor } = await written(store())
      const [before, rows] = [await allAnswers(cairn, session, floor - 1, 4), await rowsOf(store(), session)]
      const removed = await cairn.store.compact({ session })
      expect(removed).toEqual({ root_session_id: session, events: floor - 2, versions: expect.any(Number), floor })
      expect(removed.versions).toBeGreaterThan(items / 2)

      const after = await rowsOf(store(), session)
      expect(after.events?.length).toBe(rows.events?.length)
      for (const [at, event] of (after.events ?? []).entries()) {
        const old = rows.events?.[at] as Record<string, unknown>
        const gone = event.stream === 'state' && (event.seq as number) <= floor
        expect(event).toEqual(gone ? { ...old, data: null, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } : old)
      }
      const { sessions, session_names, state_keys } = rows
      expect(after).toMatchObject({ sessions, session_names, state_keys })
      const isOld = (row: Record<string, unknown>) => (row.seq as number) <= floor
      expect(after.state_versions?.filter((row) => !isOld(row))).toEqual(
        rows.state_versions?.filter((row) => !isOld(row)),
      )
      const left = after.state_versions?.filter(isOld) ?? []
      expect(left.filter((row) => row.key === 'n').map((row) => row.body)).toEqual(['3'])
      expect(left.filter((row) => row.key === 'gone').map((row) => row.kind)).toEqual(['gone'])
      expect(left.filter((row) => row.key === 'long').length).toBeLessThan(3 * 16)
      expect(left.length + removed.versions).toBe(rows.state_versions?.filter(isOld).length)

      for (const reader of [cairn, await store().open({ session })]) {
        const { log, mutations, ...now } = await allAnswers(reader, session, floor - 1, 4)
        const { log: _log, mutations: _mutations, ...then } = before
        expect(now).toEqual(then)
        expect((log as { seq: number }[]).map(({ seq }) => seq)).toEqual(Array.from(log as object[], (_, at) => at + 1))
        expect(mutations).toMatchObject({ refused: 'compacted' })
        await doctorOk(reader)
      }
    })

    it('U49 tells readers of the removed past where to start', async () => {
      const { cairn, session, floor } = await written(store())
      await cairn.store.compact({ session })
      const version = floor - 2
      const points = [{ at: floor - 1 }, { at: 2 }, { at_sequence: version - 1 }, { at_sequence: 1 }]
      for (const point of points) {
        const told = { code: 'compacted', details: { floor } }
        expect(await refused(cairn.state.all(point))).toMatchObject(told)
        expect(await refused(cairn.state.get({ key: 'long', ...point }))).toMatchObject(told)
      }
      expect(await cairn.state.get({ key: 'n', at: floor })).toMatchObject({ value: 3 })
      expect(await cairn.state.get({ key: 'n', at_sequence: version })).toMatchObject({ value: 3 })

      const told = await refused(cairn.state.events({ limit: 1000 }))
      expect(told).toMatchObject({ code: 'compacted', details: { resume_since: version } })
      const { events } = await cairn.state.events({ since: version, limit: 1000 })
      expect(events[0]).toMatchObject({ seq: version + 1, type: 'set', value: '2' })

      const feed = cairn.follow({ since: 2 })
      const stopped = await refused(feed.next())
      expect(stopped).toMatchObject({ code: 'compacted', details: { root_session_id: session } })
      const resume = cairn.follow({ since: floor })
      expect((await resume.next()).value).toMatchObject({ seq: floor + 1, data: { value: '2' } })
      await resume.return()
      const listed = await cairn.log.list({ since: floor - 1, limit: 2 })
      expect(listed.events).toMatchObject([{ seq: floor, data: null, body: 'removed' }, { seq: floor + 1 }])
      expect(listed.events[1]).not.toHaveProperty('body')
    })

    it('goes on after it: values whose differences cross the floor grow, and another process sees it', async () => {
      const { cairn, session } = await written(store())
      const other = await store().open({ session })
      await other.state.append({ key: 'long', items: ['by the other'] })
      await other.state.merge({ key: 'o', patch: { other: 1 } })
      const whole = (await cairn.state.get({ key: 'long' })).value as Json[]
      const object = (await cairn.state.get({ key: 'o' })).value as object
      vi.setSystemTime(Date.now() + day)
      await cairn.store.compact({ session, older_than: '35d' })
      for (const [at, library] of [other, cairn, await store().open({ session })].entries()) {
        const more = Array.from({ length: 40 }, (_, n) => `more ${at} ${n}`)
        for (const item of more) await library.state.append({ key: 'long', items: [item] })
        whole.push(...more)
        expect(await library.state.merge({ key: 'o', patch: { at } })).toMatchObject({ value: { ...object, at } })
        expect((await library.state.get({ key: 'long' })).value).toEqual(whole)
        expect(await library.state.set({ key: 'gone', value: at })).toMatchObject({ version: 5 + 2 * at })
        await library.state.delete({ key: 'gone' })
        await doctorOk(library)
      }
      expect((await (await store().reopen({ session })).state.get({ key: 'long' })).value).toEqual(whole)
    })

    it('is harmless twice, and does nothing where nothing is old', async () => {
      const { cairn, session, floor } = await written(store())
      const fresh = await rowsOf(store(), session)
      const nothing = { root_session_id: session, events: 0, versions: 0, floor: 0 }
      expect(await cairn.store.compact({ session, older_than: '300d' })).toEqual(nothing)
      expect(await rowsOf(store(), session)).toEqual(fresh)
      await cairn.store.compact({ session })
      const once = await rowsOf(store(), session)
      expect(await cairn.store.compact({ session })).toEqual({ ...nothing, floor })
      expect(await cairn.store.compact({ session, older_than: '300d' })).toEqual({ ...nothing, floor })
      expect(await rowsOf(store(), session)).toEqual(once)
      const { floor: end } = await cairn.store.compact({ session, older_than: '0s' })
      expect(end).toBe((await wholeLog(cairn, session)).length)
      expect(await cairn.state.get({ key: 'n', at: end })).toMatchObject({ value: 6 })
      expect(await cairn.state.increment({ key: 'n' })).toEqual({ key: 'n', value: 7, version: 3 })
      expect(await refused(cairn.store.compact({ session, older_than: 'long' }))).toMatchObject({
        code: 'invalid_input',
      })
      const empty = await newRoot(store())
      expect(await empty.cairn.store.compact({ session: empty.session, older_than: '0s' })).toMatchObject({ events: 0 })
    })

    it('finishes what a compaction that was interrupted has left', async () => {
      const { session, floor } = await written(store())
      await store().sql(`UPDATE streams SET floor = $1, base = $1 WHERE root = $2 AND stream = 'state'`, floor, session)
      const again = await store().reopen({ session })
      await doctorOk(again)
      expect(await refused(again.state.all({ at: floor - 1 }))).toMatchObject({ code: 'compacted' })
      expect(await again.store.compact({ session })).toMatchObject({ events: floor - 2, floor })
      await doctorOk(again)
    })

    it('U48 works on a log so long that its versions have been indexed by key', async () => {
      const { cairn, session } = await newRoot(store())
      const operations = Array.from({ length: 400 }, (_, at) => ({ op: 'increment' as const, key: `k${at % 2}` }))
      for (let round = 0; round < 3; round++) await cairn.state.batch({ operations })
      // What is done behind the writes is done before it closes.
      const reader = await store().reopen({ session })
      const [filled] = await store().sql('SELECT upto FROM indexing WHERE root = $1', session)
      expect(Number(filled?.upto)).toBeGreaterThan(1000)
      vi.setSystemTime(Date.now() + 40 * day)
      await reader.state.increment({ key: 'k0' })
      await reader.store.compact({ session })
      await doctorOk(reader)
      expect(await reader.state.all({ at: 1201 })).toMatchObject({ state: { k0: 600, k1: 600 } })
      expect(await reader.state.get({ key: 'k0' })).toMatchObject({ value: 601, version: 601 })
    })

    it('works on a state that began with its root', async () => {
      const library = await store().open()
      const { session_id: session } = await library.session.create({ topic: 't', initial_state: { a: 1, l: [1] } })
      await library.state.increment({ session, key: 'a' })
      await library.store.compact({ session, older_than: '0s' })
      expect((await library.state.all({ session })).state).toEqual({ a: 2, l: [1] })
      await library.state.append({ session, key: 'l', items: [2] })
      expect((await library.state.all({ session })).state).toEqual({ a: 2, l: [1, 2] })
    })
  })
}
