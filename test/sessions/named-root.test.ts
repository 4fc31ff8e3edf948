// Where a root is named, nothing outside of it is meant: not even a session that this process has met before.
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const { show } = operations.session
const { set } = operations.state

for (const kind of STORES) {
  describe(`a named root on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-9 keeps out sessions of other roots by their ids, also those that were found before', async () => {
      const [one, two] = [await newRoot(store()), await newRoot(store())]
      const [inside, outside] = [await newChild(one.cairn, one.session), await newChild(two.cairn, two.session)]
      const { log, caller } = await store().openLog()
      for (const session of [inside, outside, two.session]) await log.execute(show, { session }, caller)
      const within = { ...caller, root: one.session }
      expect(await log.execute(show, { session: inside }, within)).toMatchObject({ session_id: inside })
      for (const session of [outside, two.session]) {
        const asked = [
          () => log.execute(show, { session }, within),
          () => log.execute(set, { session, key: 'k', value: 1 }, within),
          () => log.execute(show, {}, { ...within, session }),
        ]
        for (const ask of asked) expect(await refused(ask())).toMatchObject({ code: 'session_not_found' })
      }
    })
  })
}
