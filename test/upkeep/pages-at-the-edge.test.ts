// Pages that end just before, at, or just after what was removed.
import { describe, expect, it } from 'vitest'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from '../together/own-log.ts'

const hourMs = 3_600_000

for (const kind of STORES) {
  describe(`pages of mutations around an erased key, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('those before it are shown, one that holds it says where they begin again', async () => {
      const { cairn, session } = await newRoot(store())
      for (const key of ['a', 'b', 'erased', 'erased', 'c']) await cairn.state.set({ key, value: 1 })
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.store.erase({ session, key: 'erased', confirm })
      // The erasure begins with a deletion, whose body goes as well.
      await cairn.state.set({ key: 'd', value: 1 })
      const page = async (since: number, limit: number) => {
        const { events, has_more } = await cairn.state.events({ since, limit })
        return { keys: events.map(({ key }) => key), has_more }
      }
      const goOn = async (since: number, limit: number) => {
        const refusal = await refused(cairn.state.events({ since, limit }))
        expect(refusal.code).toBe('compacted')
        return refusal.details.resume_since
      }
      expect(await page(0, 1)).toEqual({ keys: ['a'], has_more: true })
      expect(await page(0, 2)).toEqual({ keys: ['a', 'b'], has_more: true })
      expect(await page(1, 1)).toEqual({ keys: ['b'], has_more: true })
      expect(await goOn(0, 3)).toBe(3)
      expect(await goOn(0, 4)).toBe(4)
      expect(await goOn(0, 5)).toBe(4)
      expect(await page(4, 1)).toEqual({ keys: ['c'], has_more: true })
      expect(await goOn(4, 2)).toBe(6)
      expect(await goOn(2, 100)).toBe(6)
      expect(await page(6, 1)).toEqual({ keys: ['d'], has_more: false })
      expect(await page(7, 1)).toEqual({ keys: [], has_more: false })
    })
  })

  describe(`pages of history around the base of a compaction, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** A key with six versions, of which so many are older than what is compacted. */
    async function compactedAfter(old: number) {
      const { cairn, session, pass } = await ownLog(store())
      for (let value = 1; value <= 6; value++) {
        await cairn.state.set({ key: 'k', value })
        if (value === old) pass(2 * hourMs)
      }
      await cairn.store.compact({ session, older_than: '1h' })
      const page = async (limit: number, before?: number) => {
        const asked = { key: 'k', limit, ...(before === undefined ? {} : { before }) }
        const { versions, key: _key, ...rest } = await cairn.state.history(asked)
        return { versions: versions.map(({ version }) => version), ...rest }
      }
      return { cairn, page }
    }

    it('end with it only where it is on them', async () => {
      const { cairn, page } = await compactedAfter(3)
      expect(await page(2)).toEqual({ versions: [6, 5], has_more: true })
      expect(await page(3)).toEqual({ versions: [6, 5, 4], has_more: true })
      for (const limit of [4, 5, 10]) {
        expect(await page(limit)).toEqual({ versions: [6, 5, 4, 3], has_more: false, compacted_before: 3 })
      }
      expect(await page(1, 5)).toEqual({ versions: [4], has_more: true })
      expect(await page(2, 5)).toEqual({ versions: [4, 3], has_more: false, compacted_before: 3 })
      for (const limit of [1, 2]) {
        expect(await page(limit, 4)).toEqual({ versions: [3], has_more: false, compacted_before: 3 })
      }
      for (const before of [3, 2, 1]) {
        const refusal = await refused(cairn.state.history({ key: 'k', before }))
        expect(refusal).toMatchObject({ code: 'compacted', details: { before: 4 } })
      }
    })

    it('say nothing of a compaction that removed no version of the key', async () => {
      const { page } = await compactedAfter(1)
      expect(await page(5)).toEqual({ versions: [6, 5, 4, 3, 2], has_more: true })
      for (const limit of [6, 7]) expect(await page(limit)).toEqual({ versions: [6, 5, 4, 3, 2, 1], has_more: false })
      expect(await page(1, 2)).toEqual({ versions: [1], has_more: false })
      expect(await page(1, 1)).toEqual({ versions: [], has_more: false })
    })

    it('have the newest version alone when all are old', async () => {
      const { cairn, page } = await compactedAfter(6)
      for (const limit of [1, 2]) {
        expect(await page(limit)).toEqual({ versions: [6], has_more: false, compacted_before: 6 })
      }
      await cairn.state.set({ key: 'k', value: 7 })
      expect(await page(1)).toEqual({ versions: [7], has_more: true })
      expect(await page(2)).toEqual({ versions: [7, 6], has_more: false, compacted_before: 6 })
    })

    it('do not count what was left only because later versions build on it', async () => {
      const { cairn, session, pass } = await ownLog(store())
      // Long enough to be kept as differences.
      await cairn.state.append({ key: 'k', items: Array.from({ length: 100 }, (_, at) => `item ${at} of the first`) })
      for (let at = 0; at < 5; at++) await cairn.state.append({ key: 'k', items: [at] })
      pass(2 * hourMs)
      for (let at = 0; at < 2; at++) await cairn.state.append({ key: 'k', items: [at] })
      await cairn.store.compact({ session, older_than: '1h' })
      const [left] = await store().sql('SELECT count(*) AS n FROM state_versions WHERE root = $1', session)
      expect(Number(left?.n)).toBeGreaterThan(3)
      for (const limit of [3, 4]) {
        const { versions, ...rest } = await cairn.state.history({ key: 'k', limit })
        expect(versions.map(({ version }) => version)).toEqual([8, 7, 6])
        expect(rest).toEqual({ key: 'k', has_more: false, compacted_before: 6 })
      }
      const { versions, has_more } = await cairn.state.history({ key: 'k', limit: 2 })
      expect([versions.map(({ version }) => version), has_more]).toEqual([[8, 7], true])
    })
  })
}
