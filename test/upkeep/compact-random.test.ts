import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { NaiveState, type Step } from '../setup/naive-state.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { outcomeOf } from './reading.ts'

const runs = process.env.CAIRN_LONG ? 40 : 3
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

const word = fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\0', ' '))
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.integer(),
  word,
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
)
const members = Array.from({ length: 30 }, (_, at) => [`m${at}`, '*'.repeat(45)] as const)
const largeObject = fc.integer().map((n) => ({ ...Object.fromEntries(members), n }))
const part: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, { $increment: 1 }, { $set: 7 }, { $delete: true }),
  fc.integer(),
)
const patch = fc.dictionary(fc.constantFrom('m1', 'm2', 'x', 'n'), part, { maxKeys: 2 })
const operation: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ op: fc.constant('add'), path: fc.constantFrom('/m1', '/x', '/0'), value: fc.integer() }),
  fc.constantFrom<Json>(
    { op: 'remove', path: '/m2' },
    { op: 'remove', path: '/0' },
    { op: 'copy', from: '/m1', path: '/x' },
  ),
) as fc.Arbitrary<Json>

/** Keys begin with the type that they have, so that few steps are refused; those that are do nothing. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('append' as const),
      key: fc.constantFrom('l1', 'l2'),
      items: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('merge' as const), key: fc.constantFrom('o1', 'o2'), patch }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('json_patch' as const),
      key: fc.constantFrom('o1', 'o2', 'o1', 'l2'),
      operations: fc.array(operation, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('increment' as const),
      key: fc.constantFrom('n1', 'n2'),
      delta: fc.integer({ min: -9, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('set' as const), key: fc.constantFrom('x', 'l2'), value }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('set' as const), key: fc.constantFrom('o1', 'o2'), value: largeObject }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('delete' as const), key: fc.constantFrom('l2', 'o2', 'n2', 'x') }),
  },
)

/** Steps, then a compaction so many steps back; again and again. */
const history = fc.array(fc.record({ steps: fc.array(step, { minLength: 20, maxLength: 60 }), back: fc.nat(30) }), {
  minLength: 2,
  maxLength: 3,
})

async function play(cairn: Cairn, state: NaiveState, steps: readonly Step[]): Promise<void> {
  for (const each of steps) {
    const wanted = state.apply([each])
    const done = (await outcomeOf(cairn.state.batch({ operations: [each] }))) as { refused?: string }
    expect(done.refused, JSON.stringify(each)).toBe(wanted)
    vi.setSystemTime(Date.now() + minute)
  }
}

async function checkReads(cairn: Cairn, state: NaiveState, floor: number): Promise<void> {
  for (let version = 1; version <= state.version; version++) {
    const found = (await outcomeOf(cairn.state.all({ at_sequence: version }))) as {
      keys?: Record<string, { value: Json; version: number }>
    }
    // The state is all there is below this root besides its own first event.
    if (version + 1 < floor) expect(found, `version ${version}`).toMatchObject({ refused: 'compacted', floor })
    else {
      const keys = Object.entries(found.keys ?? {}).map(([key, { value, version: of }]) => [
        key,
        { value, version: of },
      ])
      expect(Object.fromEntries(keys), `version ${version}`).toEqual(JSON.parse(state.points[version] as string))
    }
  }
}

for (const kind of STORES) {
  describe(`random histories on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U49 after a compaction anywhere all reads from the floor on are those of a naive model, again and again', async () => {
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const { cairn, session } = await newRoot(store())
          const other = await store().open({ session })
          const state = new NaiveState()
          let floor = 0
          for (const { steps, back } of rounds) {
            await play(cairn, state, steps)
            const done = await other.store.compact({ session, older_than: `${back * minute}ms` })
            expect(done.floor).toBeGreaterThanOrEqual(floor)
            floor = done.floor
            await checkReads(cairn, state, floor)
            expect(await other.store.doctor({})).toMatchObject({ ok: true })
          }
          await play(other, state, rounds[0]?.steps ?? [])
          await checkReads(cairn, state, floor)
          expect((await cairn.state.all({})).state).toEqual(state.document())
          expect(await cairn.store.doctor({})).toMatchObject({ ok: true })
          await Promise.all([cairn.close(), other.close()])
        }),
        { numRuns: runs, seed: 7, endOnFailure: true },
      )
    })
  })
}
