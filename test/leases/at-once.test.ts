// Many claims in one turn of the event loop are one transaction: each must see what those before it made.
import { describe, expect, it } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`claims in one group on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U31 gives one of many that claim at once the lease, and the others who holds it', async () => {
      const { cairn } = await newRoot(store())
      const claims = Array.from({ length: 50 }, (_, at) =>
        cairn.lease.claim({ name: 'one', ttl: '1h', holder: `${at}` }),
      )
      const outcomes = await Promise.allSettled(claims)
      const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'claimed' : outcome.reason.code))
      expect(codes.filter((code) => code === 'claimed')).toHaveLength(1)
      expect(codes.filter((code) => code === 'held_by_other')).toHaveLength(49)
    })

    it('U17 fences in the same group in which the lease was given back', async () => {
      const { cairn } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'one', ttl: '1h' })
      const write = (key: string) => cairn.state.set({ key, value: 1, fence: `one:${token}` })
      const outcomes = await Promise.allSettled([write('a'), cairn.lease.release({ name: 'one', token }), write('b')])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
      expect((await cairn.state.all({})).state).toEqual({ a: 1 })
    })
  })
}
