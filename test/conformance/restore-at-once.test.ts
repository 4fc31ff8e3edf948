// A restore that is decided together with the changes it goes back over, again and again: what one group was told of the past
// means nothing to the next.
import { describe, expect, it } from 'vitest'
import { lastSeq, newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`changes and a restore at once, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('go back to a value that the first of them made, and again later', async () => {
      const { cairn } = await newRoot(store())
      const place = (await lastSeq(cairn)) + 1
      for (let round = 1; round <= 3; round++) {
        const [, , restored] = await Promise.all([
          cairn.state.set({ key: 'k', value: `first of round ${round}` }),
          cairn.state.set({ key: 'k', value: `second of round ${round}` }),
          cairn.state.restore({ to: place, keys: ['k'] }),
        ])
        expect(restored, `round ${round}`).toMatchObject({ to: place, changed: [{ key: 'k', version: 3 * round }] })
        const value = 'first of round 1'
        expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value, version: 3 * round })
      }
    })

    it('go back with all keys, those that came meanwhile among them', async () => {
      const { cairn } = await newRoot(store())
      const place = (await lastSeq(cairn)) + 2
      for (const round of [1, 2, 3]) {
        await Promise.all([
          cairn.state.set({ key: 'a', value: round }),
          cairn.state.set({ key: 'b', value: round }),
          cairn.state.set({ key: `of round ${round}`, value: round }),
          cairn.state.set({ key: 'b', value: -round }),
          cairn.state.restore({ to: place }),
        ])
        expect((await cairn.state.all({})).state, `round ${round}`).toEqual({ a: 1, b: 1 })
      }
    })

    it('go back over what was changed just before, by a process that has all else still to load', async () => {
      const { cairn, session } = await newRoot(store())
      for (const key of ['a', 'b']) await cairn.state.set({ key, value: 1 })
      const place = await lastSeq(cairn)
      for (const round of [1, 2, 3]) {
        const fresh = await store().open({ session })
        await fresh.state.set({ key: 'c', value: round })
        const [, , restored] = await Promise.all([
          fresh.state.set({ key: 'a', value: -round }),
          fresh.state.delete({ key: 'b' }),
          fresh.state.restore({ to: place }),
        ])
        expect(restored.changed.map(({ key }) => key).sort(), `round ${round}`).toEqual(['a', 'b', 'c'])
        expect((await fresh.state.all({})).state).toEqual({ a: 1, b: 1 })
        await fresh.close()
      }
    })
  })
}
