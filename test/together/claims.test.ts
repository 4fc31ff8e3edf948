// Claims of keys: who may, for how long, and what a late holder can still do.
import { describe, expect, it } from 'vitest'
import { startActor } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`claims of keys on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const tokenOf = (epoch: number) => expect.stringMatching(new RegExp(`^${epoch}\\.[0-9a-f]{32}$`))
    const madeUp = `1.${'0'.repeat(32)}`

    /** As after a long time: the claim has run out. */
    const runOut = (root: string, key: string) =>
      store().sql('UPDATE leases SET expires_at = 1 WHERE root = $1 AND name = $2', root, `key/${key}`)

    it('a key is claimed by one, kept, given back, and claimed again with a higher epoch', async () => {
      const { cairn } = await newRoot(store())
      const first = await cairn.state.claim({ key: 'task/1', ttl: '1h', holder: 'ann' })
      expect(first).toEqual({ key: 'task/1', token: tokenOf(1), ttl_ms: 3_600_000, expires_at: expect.any(String) })
      expect(await cairn.state.heartbeat({ key: 'task/1', token: first.token })).toEqual({
        ...first,
        expires_at: expect.any(String),
      })
      expect(await cairn.state.release({ key: 'task/1', token: first.token })).toEqual({
        key: 'task/1',
        token: first.token,
        released: true,
      })
      expect(await cairn.state.claim({ key: 'task/1', ttl: '1h' })).toMatchObject({ token: tokenOf(2) })
      expect(await cairn.state.claim({ key: 'task/2', ttl: '1h' })).toMatchObject({ token: tokenOf(1) })
      expect(await cairn.lease.list({})).toMatchObject({ leases: [{ name: 'key/task/1' }, { name: 'key/task/2' }] })
    })

    it('refuses a claimed key with who holds it and for how long, also to another process', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'worker')
      await cairn.state.claim({ session: child, key: 'a', ttl: '1h' })
      const seq = await lastSeq(cairn)
      const refusal = await refused(cairn.state.claim({ key: 'a', ttl: '1h' }))
      expect(refusal).toMatchObject({
        code: 'held_by_other',
        details: { key: 'a', name: 'key/a', holder: 'worker', holder_session_id: child },
      })
      expect(refusal.details.expires_in_ms).toBeGreaterThan(0)
      const other = await startActor(store().options, session)
      expect(await other.call('state.claim', [[{ key: 'a', ttl: '1h' }]])).toMatchObject([
        [{ refused: 'held_by_other' }],
      ])
      expect(await lastSeq(cairn)).toBe(seq)
    })

    it('U17 S0-49 a holder whose claim was taken over writes nothing more with its fence', async () => {
      const { cairn, session } = await newRoot(store())
      const { token } = await cairn.state.claim({ key: 'a', ttl: '1h' })
      const fence = `key/a:${token}`
      await cairn.state.set({ key: 'a', value: 'first', fence })
      await runOut(session, 'a')
      const { token: next } = await cairn.state.claim({ key: 'a', ttl: '1h' })
      expect(next).toEqual(tokenOf(2))
      const late = [
        cairn.state.set({ key: 'a', value: 'late', fence }),
        cairn.state.batch({ operations: [{ op: 'increment', key: 'n' }], fence }),
        cairn.state.heartbeat({ key: 'a', token }),
        cairn.state.release({ key: 'a', token }),
      ]
      for (const each of await Promise.all(late.map((promise) => refused(promise)))) {
        expect(each).toMatchObject({ code: 'fenced', details: { your_epoch: 1, current_epoch: 2 } })
      }
      await cairn.state.set({ key: 'a', value: 'second', fence: `key/a:${next}` })
      // A claim is an agreement among those who ask for it: whoever does not, writes.
      expect(await cairn.state.set({ key: 'a', value: 'third' })).toMatchObject({ version: 3 })
    })

    it('refuses names of claims to leases, times out of range, and keys that are none', async () => {
      const { cairn } = await newRoot(store())
      const seq = await lastSeq(cairn)
      const bad = [
        () => cairn.lease.claim({ name: 'key/a', ttl: '1h' }),
        () => cairn.lease.claim({ name: 'key/', ttl: '1h' }),
        () => cairn.state.claim({ key: 'a', ttl: '0' }),
        () => cairn.state.claim({ key: 'a', ttl: '-5s' }),
        () => cairn.state.claim({ key: 'a', ttl: '25h' }),
        () => cairn.state.claim({ key: 'a', ttl: 'long' }),
        () => cairn.state.claim({ key: '', ttl: '1h' }),
        () => cairn.state.claim({ key: '_a', ttl: '1h' }),
        () => cairn.state.release({ key: 'a', token: '0' }),
        () => cairn.state.release({ key: 'a', token: '1' }),
      ]
      for (const ask of bad) expect(await refused(ask())).toMatchObject({ code: 'invalid_input' })
      for (const ask of [cairn.state.release, cairn.state.heartbeat]) {
        expect(await refused(ask({ key: 'a', token: madeUp }))).toMatchObject({
          code: 'fenced',
          details: { key: 'a', current_epoch: 0 },
        })
      }
      expect(await lastSeq(cairn)).toBe(seq)
    })

    it('claims a key of the longest name, and a session that has ended claims nothing', async () => {
      const { cairn, session } = await newRoot(store())
      const key = 'k'.repeat(256)
      const { token } = await cairn.state.claim({ key, ttl: '1h' })
      await cairn.state.set({ key, value: 1, fence: `key/${key}:${token}` })
      const child = await newChild(cairn, session)
      await cairn.session.end({ session: child })
      const claiming = cairn.state.claim({ session: child, key: 'a', ttl: '1h' })
      expect(await refused(claiming)).toMatchObject({ code: 'session_ended' })
    })
  })
}
