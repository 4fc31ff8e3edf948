import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { drawing } from '../setup/random-steps.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})

afterEach(() => {
  vi.useRealTimers()
})

function iso(second: number, ms = 0): string {
  return new Date(start + second * 1000 + ms).toISOString()
}

/** Sets `k` to the second at each of these seconds. The root itself is made at second 0. */
async function written(cairn: Cairn, seconds: readonly number[]): Promise<void> {
  for (const second of seconds) {
    vi.setSystemTime(start + second * 1000)
    await cairn.state.set({ key: 'k', value: second })
  }
}

for (const kind of STORES) {
  describe(`the state at a time on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('is that of the last event which is not later', async () => {
      const { cairn } = await newRoot(store())
      const seconds = Array.from({ length: 37 }, (_, at) => 10 + at * 10)
      await written(cairn, seconds)
      for (const second of seconds) {
        for (const time of [iso(second), iso(second, 1), iso(second, 9999)]) {
          expect(await cairn.state.get({ key: 'k', at_time: time }), time).toMatchObject({ value: second })
        }
      }
      expect(await cairn.state.all({ at_time: iso(15) })).toMatchObject({ state: { k: 10 }, version: 1, seq: 2 })
      expect(await cairn.state.all({ at_time: iso(99_999) })).toMatchObject({ state: { k: 370 }, version: 37 })
      const local = await cairn.state.get({ key: 'k', at_time: '2026-01-01T01:00:20+01:00' })
      expect(local).toMatchObject({ value: 20 })
      expect(await refused(cairn.state.get({ key: 'k', at_time: iso(9) }))).toMatchObject({ code: 'key_not_found' })
      expect(await refused(cairn.state.all({ at_time: '2025-01-01' }))).toMatchObject({ code: 'state_not_found' })
    })

    it('never goes back for a later time, though the clock went back', async () => {
      const { cairn } = await newRoot(store())
      const draw = drawing(5)
      const seconds = Array.from({ length: 60 }, (_, at) => 1 + at + (draw(4) === 0 ? -draw(Math.min(at + 1, 20)) : 0))
      await written(cairn, seconds)
      const { events } = await cairn.log.list({ limit: 1000 })
      const times = events.map(({ at }) => Date.parse(at))
      let last = 0
      for (let second = 0; second <= 62; second++) {
        const { seq } = await cairn.state.why({ key: 'k', at_time: iso(second) }).then(
          (why) => why.events[0] as { seq: number },
          () => ({ seq: 1 }),
        )
        expect(seq).toBeGreaterThanOrEqual(last)
        expect(times[seq - 1]).toBeLessThanOrEqual(start + second * 1000)
        expect(times[seq] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(start + second * 1000)
        last = seq
      }
      expect(last).toBe(times.length)
    })

    it('refuses what is no time, and two points at once', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      for (const at_time of ['yesterday', '2026-01-01T00:00:00', '2026-13-01', '', '12', '2026-01-01T25:00:00Z']) {
        expect(await refused(cairn.state.get({ key: 'k', at_time })), at_time).toMatchObject({ code: 'invalid_input' })
      }
      const both = cairn.state.all({ at: 1, at_time: iso(1) })
      expect(await refused(both)).toMatchObject({ code: 'invalid_input' })
    })
  })
}
