// A process that removes a root it has just written below remembers nothing of it: what it writes next is refused.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { allRows } from './reading.ts'

for (const kind of STORES) {
  describe(`a root removed by the process that wrote it, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** Made and written by the one who removes it: nobody else commits in between, so all of it is in memory. */
    async function removed(cairn: Cairn, ended: boolean): Promise<string> {
      const { session_id: session, slug: confirm } = await cairn.session.create({ topic: 'to be removed' })
      for (const value of [1, 2, 3]) await cairn.state.set({ session, key: 'k', value })
      if (ended) await cairn.session.end({ session })
      await cairn.store.remove({ session, confirm, force: !ended })
      return session
    }

    it.each([false, true])('is not written to any more (ended before: %s)', async (ended) => {
      const cairn = await store().open()
      const session = await removed(cairn, ended)
      const rows = await allRows(store())
      const writes = [
        () => cairn.state.set({ session, key: 'k', value: 4 }),
        () => cairn.state.set({ session, key: 'new', value: 1 }),
        () => cairn.session.create({ topic: 'below what is gone', parent: session }),
        () => cairn.lease.claim({ session, name: 'l', ttl: '1h' }),
      ]
      for (const write of writes) expect(await refused(write())).toMatchObject({ code: 'session_not_found' })
      expect(await allRows(store())).toEqual(rows)
      const { ok, checks } = await cairn.store.doctor({})
      expect(ok, JSON.stringify(checks)).toBe(true)
    })

    it('is either written before it goes or not at all by what is asked at the same moment', async () => {
      const cairn = await store().open()
      const { session_id: session, slug: confirm } = await cairn.session.create({ topic: 'to be removed' })
      await cairn.state.set({ session, key: 'n', value: 0 })
      const counting = Array.from({ length: 20 }, () =>
        cairn.state.increment({ session, key: 'n' }).then(
          () => 'answered',
          ({ code }) => String(code),
        ),
      )
      await cairn.store.remove({ session, confirm, force: true })
      for (const outcome of await Promise.all(counting)) expect(['answered', 'session_not_found']).toContain(outcome)
      expect(await refused(cairn.state.increment({ session, key: 'n' }))).toMatchObject({ code: 'session_not_found' })
      expect(JSON.stringify(await allRows(store()))).not.toContain(session)
    })
  })
}
