// Short batches that would be much work: what they touch is bounded, and so is what they answer.
import { describe, expect, it } from 'vitest'
import type { Changes } from '../../src/domain/state/past/changes.ts'
import type { Cairn } from '../../src/index.ts'
import { methodsOf } from '../../src/open.ts'
import { stateChanges } from '../../src/operations/state/changes.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const names = (count: number) => Array.from({ length: count }, (_, at) => `member ${at}`)
/** About 900 kB. */
const large = () => Object.fromEntries(names(9000).map((name) => [name, 'v'.repeat(80)]))

/** Changes of one large value, many times in one batch, each a few bytes long. */
const REPEATS = [
  { op: 'merge', make: (at: number) => ({ patch: { [`member ${at}`]: at } }) },
  { op: 'json_patch', make: (at: number) => ({ operations: [{ op: 'add', path: `/new ${at}`, value: at }] }) },
] as const

async function largeSet(cairn: Cairn, key: string, count: number): Promise<void> {
  await cairn.state.setAdd({ key, items: names(count) })
}

for (const kind of STORES) {
  describe(`batches on ${kind.name}`, () => {
    const store = sharedStore(kind)

    for (const { op, make } of REPEATS) {
      it(`U53 of many ${op} on one large value are refused by what they would write, and change nothing`, async () => {
        const { cairn } = await newRoot(store())
        await cairn.state.set({ key: 'large', value: large() })
        const operations = (count: number) =>
          Array.from({ length: count }, (_, at) => ({ op, key: 'large', ...make(at) })) as never
        const refusal = await refused(cairn.state.batch({ operations: operations(100) }))
        expect(refusal).toMatchObject({
          code: 'invalid_input',
          details: { limit: 'batchBytes', applied: false },
          hint: expect.stringContaining('smaller batches'),
        })
        expect((await cairn.state.get({ key: 'large' })).version).toBe(1)
        const done = await cairn.state.batch({ operations: operations(5) })
        expect(done.results.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6])
        expect(done.results.every((result) => 'value_omitted' in result && !('value' in result))).toBe(true)
        expect(JSON.stringify(done).length).toBeLessThan(5000)
      })
    }

    it('U53 of many set_add on one large set are refused too', async () => {
      const { cairn } = await newRoot(store())
      await largeSet(cairn, 'set', 20_000)
      const add = (at: number) => ({ op: 'set_add' as const, key: 'set', items: [`new ${at}`] })
      const operations = Array.from({ length: 500 }, (_, at) => add(at))
      expect(await refused(cairn.state.batch({ operations }))).toMatchObject({ details: { limit: 'batchBytes' } })
      const { results } = await cairn.state.batch({ operations: operations.slice(0, 3) })
      expect(results.at(-1)).toMatchObject({ length: 20_003, version: 4 })
    })

    it('U53 that only read a large value many times are refused too', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'large', value: large() })
      const operations = Array.from({ length: 100 }, () => ({ op: 'set_if_absent' as const, key: 'large', value: 1 }))
      expect(await refused(cairn.state.batch({ operations }))).toMatchObject({ details: { limit: 'batchBytes' } })
    })

    it('U53 of small values answer with them, as before', async () => {
      const { cairn } = await newRoot(store())
      const operations = names(500).map((key) => ({ op: 'set' as const, key, value: [key] }))
      const { results } = await cairn.state.batch({ operations })
      expect(results[499]).toMatchObject({ key: 'member 499', value: ['member 499'], status: 'success' })
    })
  })

  describe(`the past of large sets and counters on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U53 is kept as differences: few bytes for each change, and every version is read right', async () => {
      const { cairn } = await newRoot(store())
      await largeSet(cairn, 'set', 3000)
      const model = new Set(names(3000))
      const past: string[][] = []
      for (let at = 0; at < 60; at++) {
        const items = [`new ${at}`, `member ${at * 7}`]
        if (at % 3 === 2) {
          await cairn.state.setRemove({ key: 'set', items })
          for (const item of items) model.delete(item)
        } else {
          await cairn.state.setAdd({ key: 'set', items })
          for (const item of items) model.add(item)
        }
        past.push([...model].sort())
      }
      const [{ bytes } = {}] = await store().sql(
        `SELECT sum(octet_length(body) + octet_length(traits)) AS bytes FROM state_versions WHERE key = 'set'`,
      )
      // Whole versions would come to eight megabytes.
      expect(Number(bytes)).toBeLessThan(1_000_000)
      for (const at of [0, 1, 17, 31, 32, 33, 58, 59]) {
        const { value } = await cairn.state.get({ key: 'set', at: 3 + at })
        expect([...(value as string[])].sort()).toEqual(past[at])
      }
      const { versions } = await cairn.state.history({ key: 'set', limit: 5 })
      expect(versions).toHaveLength(5)
    })

    it('U53 survives a fork at a difference, compaction and reopening', async () => {
      const { cairn, session } = await newRoot(store())
      await largeSet(cairn, 'set', 300)
      for (let at = 0; at < 10; at++) await cairn.state.setAdd({ key: 'set', items: [`new ${at}`] })
      for (let at = 0; at < 90; at++) await cairn.state.counterAdd({ key: 'count', value: 1, replica: `replica-${at}` })
      const at = 2 + 6
      const then = await cairn.state.get({ key: 'set', at })
      const fork = await cairn.session.fork({ session, at })
      const inFork = { session: fork.session_id }
      expect((await cairn.state.get({ ...inFork, key: 'set' })).value).toEqual(then.value)
      await cairn.state.setRemove({ ...inFork, key: 'set', items: ['new 3', 'member 0'] })
      expect((await cairn.state.get({ ...inFork, key: 'set' })).value).toHaveLength(304)
      await cairn.store.compact({ session, older_than: '0s' })
      const again = await store().reopen({ session })
      expect((await again.state.get({ key: 'set' })).value).toHaveLength(310)
      await again.state.setAdd({ key: 'set', items: ['last'] })
      expect((await again.state.get({ key: 'set' })).value).toHaveLength(311)
      expect((await again.state.get({ key: 'count' })).value).toBe(90)
    })

    it('U53 tells the feed small values and leaves out large ones, whatever they were made of', async () => {
      const session = await store().createRoot()
      const { log, caller } = await store().openLog({ session })
      const { state } = methodsOf({ log, caller })
      const value = { keep: 'k'.repeat(2000), ...Object.fromEntries(names(100).map((name) => [name, 'v'.repeat(80)])) }
      await state.set({ key: 'object', value })
      await state.merge({ key: 'object', patch: { one: 1 } })
      await state.merge({ key: 'object', patch: Object.fromEntries(names(100).map((name) => [name, null])) })
      await state.merge({ key: 'object', patch: { two: 2 } })
      const { events } = (await log.execute(stateChanges, { session, after: 1 }, caller)) as Changes
      const small = { keep: 'k'.repeat(2000), one: 1 }
      expect(events.map(({ keys }) => keys?.[0])).toEqual([
        { key: 'object', version: 1, value_omitted: true },
        { key: 'object', version: 2, value_omitted: true },
        { key: 'object', version: 3, value: small },
        { key: 'object', version: 4, value: { ...small, two: 2 } },
      ])
    })
  })
}
