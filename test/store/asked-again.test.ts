// What was asked before is answered from memory where that can be: nobody may notice.
import { describe, expect, it } from 'vitest'
import { openCairn } from '../../src/index.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`a read that was asked before, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U13 sees what was written since: by itself, by another connection, and past the program', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await openCairn(store().options)
      const seen = async () => [
        (await cairn.state.get({ session, key: 'k' })).value,
        (await cairn.state.get({ session, key: 'k' })).value,
      ]
      for (let round = 0; round < 5; round++) {
        await cairn.state.set({ session, key: 'k', value: `own ${round}` })
        expect(await seen()).toEqual([`own ${round}`, `own ${round}`])
        await other.state.set({ session, key: 'k', value: `other ${round}` })
        expect(await seen()).toEqual([`other ${round}`, `other ${round}`])
        await store().sql(`UPDATE state_keys SET value = '"past"' WHERE root = $1 AND key = 'k'`, session)
        expect(await seen()).toEqual(['past', 'past'])
      }
      await cairn.state.delete({ session, key: 'k' })
      await expect(seen()).rejects.toMatchObject({ refusal: { code: 'key_not_found' } })
      await other.state.set({ session, key: 'k', value: 1 })
      expect(await seen()).toEqual([1, 1])
      await other.close()
      await store().sql(`UPDATE state_keys SET value = '1' WHERE root = $1 AND key = 'k'`, session)
    })

    it('is not touched by what was made of the answer before', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ session, key: 'k', value: { list: [1] } })
      const first = await cairn.state.get({ session, key: 'k' })
      ;(first.value as { list: number[] }).list.push(2)
      expect((await cairn.state.get({ session, key: 'k' })).value).toEqual({ list: [1] })
    })
  })
}
