// The tokens of leases: a public epoch and a secret that is kept nowhere.
import { describe, expect, it } from 'vitest'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`tokens of leases on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('what is held is not claimed again, not even by its holder, who can take it back with another token', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await newChild(cairn, session)
      const claim = { name: 'l', ttl: '1h' }
      const first = await cairn.lease.claim(claim)
      expect(await refused(cairn.lease.claim(claim))).toMatchObject({ code: 'held_by_other' })
      expect(await refused(cairn.lease.claim({ ...claim, session: other, reclaim: true }))).toMatchObject({
        code: 'held_by_other',
      })
      const second = await cairn.lease.claim({ ...claim, reclaim: true })
      expect(second.token).toMatch(/^2\.[0-9a-f]{32}$/)
      const late = await refused(cairn.state.set({ key: 'k', value: 1, fence: `l:${first.token}` }))
      expect(late).toMatchObject({ code: 'fenced', details: { your_epoch: 1, current_epoch: 2 } })
      await cairn.state.set({ key: 'k', value: 1, fence: `l:${second.token}` })
      const { events } = await cairn.log.list({ stream: 'lease' })
      expect(events.map(({ type, data }) => [type, (data as { epoch: number }).epoch])).toEqual([
        ['lease_claimed', 1],
        ['lease_lost', 1],
        ['lease_claimed', 2],
      ])
      const key = await cairn.state.claim({ key: 'k', ttl: '1h' })
      expect(await cairn.state.claim({ key: 'k', ttl: '1h', reclaim: true })).not.toMatchObject({ token: key.token })
    })

    it('the secret of a token stands in no event, no list and no row', async () => {
      const { cairn } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'secret', ttl: '1h' })
      await cairn.state.set({ key: 'k', value: 1, fence: `secret:${token}` })
      await cairn.lease.heartbeat({ name: 'secret', token })
      const [, secret = ''] = token.split('.')
      expect(secret).toMatch(/^[0-9a-f]{32}$/)
      const shown = [
        await cairn.log.list({ limit: 1000 }),
        await cairn.lease.list({}),
        await cairn.state.why({ key: 'k' }),
      ]
      expect(JSON.stringify(shown)).not.toContain(secret)
      const rows = await store().sql('SELECT * FROM leases')
      rows.push(...(await store().sql('SELECT * FROM events')))
      const bytes = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
      expect(bytes.filter((each) => each.includes(secret))).toEqual([])
      expect((await cairn.lease.claim({ name: 'next', ttl: '1h' })).token).not.toContain(secret)
    })
  })
}
