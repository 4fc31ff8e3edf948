// Claiming, keeping, losing and giving back a lease, and writing under one.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

interface LeaseEvent {
  readonly seq: number
  readonly type: string
  readonly data: { readonly name: string; readonly epoch: number }
}

async function leaseEvents(cairn: Cairn): Promise<[type: string, name: string, epoch: number][]> {
  const { events } = await cairn.log.list({ limit: 1000 })
  const own = (events as unknown as LeaseEvent[]).filter(({ type }) => type.startsWith('lease_'))
  return own.map(({ type, data }) => [type, data.name, data.epoch])
}

/** A token of an epoch, whatever its secret. */
const tokenOf = (epoch: number) => expect.stringMatching(new RegExp(`^${epoch}\\.[0-9a-f]{32}$`))
/** One that nobody was given. */
const madeUp = (epoch: number) => `${epoch}.${'0'.repeat(32)}`

/** Claims as soon as it can be had, by whoever has it now running out. */
async function claimSoon(cairn: Cairn, name: string, ttl: string) {
  for (;;) {
    const claimed = await cairn.lease.claim({ name, ttl }).catch((error) => {
      if (error.code !== 'held_by_other') throw error
    })
    if (claimed) return claimed
    await sleep(10)
  }
}

for (const kind of STORES) {
  describe(`leases on ${kind.name}`, () => {
    const store = sharedStore(kind)
    let made = 0
    const newId = () => `lease request ${made++}`

    /** As after a long time: the lease has run out. */
    const runOut = (root: string, name: string) =>
      store().sql('UPDATE leases SET expires_at = 1 WHERE root = $1 AND name = $2', root, name)

    it('claims with growing epochs: after a release, and after it ran out', async () => {
      const { cairn, session } = await newRoot(store())
      const first = await cairn.lease.claim({ name: 'build', ttl: '1h', holder: 'ann' })
      expect(first).toMatchObject({ name: 'build', token: tokenOf(1), ttl_ms: 3_600_000 })
      expect(await cairn.lease.release({ name: 'build', token: first.token })).toEqual({
        name: 'build',
        token: first.token,
        released: true,
      })
      expect(await cairn.lease.claim({ name: 'build', ttl: '1h' })).toMatchObject({ token: tokenOf(2) })
      await runOut(session, 'build')
      expect(await cairn.lease.claim({ name: 'build', ttl: '1h', holder: 'bob' })).toMatchObject({ token: tokenOf(3) })
      expect(await cairn.lease.claim({ name: 'other', ttl: '1h' })).toMatchObject({ token: tokenOf(1) })
      expect(await leaseEvents(cairn)).toEqual([
        ['lease_claimed', 'build', 1],
        ['lease_released', 'build', 1],
        ['lease_claimed', 'build', 2],
        ['lease_lost', 'build', 2],
        ['lease_claimed', 'build', 3],
        ['lease_claimed', 'other', 1],
      ])
      await runOut(session, 'other')
      expect((await cairn.lease.list({})).leases).toEqual([
        { name: 'build', epoch: 3, holder: 'bob', held: true, expires_at: expect.any(String), ttl_ms: 3_600_000 },
        { name: 'other', epoch: 1, holder: expect.any(String), held: false, expires_at: null, ttl_ms: 3_600_000 },
      ])
    })

    it('refuses a lease that is held, and says who holds it and for how long', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'holder')
      await cairn.lease.claim({ session: child, name: 'l', ttl: '1h' })
      const before = await lastSeq(cairn)
      const refusal = await refused(cairn.lease.claim({ name: 'l', ttl: '1h' }))
      expect(refusal).toMatchObject({
        code: 'held_by_other',
        details: { name: 'l', holder: 'holder', holder_session_id: child },
      })
      const left = refusal.details.expires_in_ms as number
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(3_600_000)
      expect(refusal.message).toMatch(/ is held by holder for (?:59|60) min more\.$/)
      // Not even whoever holds it gets it twice.
      expect(await refused(cairn.lease.claim({ session: child, name: 'l', ttl: '1h' }))).toMatchObject({
        code: 'held_by_other',
      })
      expect(await lastSeq(cairn)).toBe(before)
    })

    it('a lease runs out by itself, and heartbeats keep it and leave no event', async () => {
      const { cairn } = await newRoot(store())
      const other = await store().open({ session: (await cairn.session.show({})).session_id })
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '20s' })
      const before = await lastSeq(cairn)
      for (let beat = 0; beat < 5; beat++) {
        expect(await cairn.lease.heartbeat({ name: 'l', token })).toEqual({
          name: 'l',
          token,
          ttl_ms: 20_000,
          expires_at: expect.any(String),
        })
      }
      expect(await lastSeq(cairn)).toBe(before)
      expect(await refused(other.lease.claim({ name: 'l', ttl: '1h' }))).toMatchObject({ code: 'held_by_other' })
      await cairn.lease.release({ name: 'l', token })

      const short = { name: 'short', token: (await cairn.lease.claim({ name: 'short', ttl: '200ms' })).token }
      expect(await claimSoon(other, 'short', '1h')).toMatchObject({ token: tokenOf(2) })
      expect(await refused(cairn.lease.heartbeat(short))).toMatchObject({
        code: 'fenced',
        details: { name: 'short', your_epoch: 1, current_epoch: 2 },
      })
      expect(await refused(cairn.lease.release(short))).toMatchObject({ code: 'fenced' })
    })

    it('a heartbeat counts from when it comes', async () => {
      const { cairn, session } = await newRoot(store())
      const expiry = async () =>
        Number((await store().sql('SELECT expires_at FROM leases WHERE root = $1', session))[0]?.expires_at)
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      const first = await expiry()
      await sleep(20)
      await cairn.lease.heartbeat({ name: 'l', token })
      expect((await expiry()) - first).toBeGreaterThanOrEqual(15)
    })

    it('U17 writes under a fence while the lease is held, and never after it was lost', async () => {
      const { cairn, session } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'a:b', ttl: '1h' })
      const fence = `a:b:${token}`
      await cairn.state.set({ key: 'k', value: 1, fence })
      await runOut(session, 'a:b')
      const seq = await lastSeq(cairn)
      const fenced = { code: 'fenced', details: { name: 'a:b', your_epoch: 1, current_epoch: 1 } }
      const writes = [
        () => cairn.state.set({ key: 'k', value: 2, fence }),
        () => cairn.state.increment({ key: 'k', fence }),
        () => cairn.state.delete({ key: 'k', fence }),
        () => cairn.state.batch({ operations: [{ op: 'set', key: 'k', value: 3 }], fence }),
        () => cairn.session.create({ topic: 't', parent: session, fence }),
        () => cairn.session.end({ fence }),
      ]
      for (const write of writes) expect(await refused(write())).toMatchObject(fenced)
      const { token: next } = await cairn.lease.claim({ name: 'a:b', ttl: '1h' })
      for (const write of writes) {
        expect(await refused(write())).toMatchObject({ code: 'fenced', details: { current_epoch: 2 } })
      }
      const under = (fence: string) => refused(cairn.state.set({ key: 'k', value: 2, fence }))
      // The right epoch is not enough: it stands in the log for all to read.
      expect(await under(`a:b:${madeUp(2)}`)).toMatchObject({ code: 'fenced', details: { current_epoch: 2 } })
      await cairn.lease.release({ name: 'a:b', token: next })
      expect(await under(`a:b:${next}`)).toMatchObject({ code: 'fenced' })
      expect(await under(`a:b:${madeUp(3)}`)).toMatchObject({ code: 'fenced' })
      expect(await under(`none:${madeUp(1)}`)).toMatchObject({ code: 'fenced', details: { current_epoch: 0 } })
      expect(await lastSeq(cairn)).toBe(seq + 3)
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 1, version: 1 })
    })

    it('gives a lease to one of many who claim at once, here and through another connection', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await store().open({ session })
      for (let round = 1; round <= 5; round++) {
        const claims = Array.from({ length: 10 }, (_, at) =>
          (at % 2 ? cairn : other).lease.claim({ name: 'l', ttl: '1h' }),
        )
        const outcomes = await Promise.allSettled(claims)
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
        expect(won.map(({ value }) => value.token)).toEqual([tokenOf(round)])
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'held_by_other' })
        }
        await cairn.lease.release({ name: 'l', token: won[0]?.value.token ?? '' })
      }
    })

    it('what comes at once is decided one after another: nothing goes on under a lease that was just given back', async () => {
      const { cairn } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      const outcomes = await Promise.allSettled([
        cairn.lease.release({ name: 'l', token }),
        cairn.lease.heartbeat({ name: 'l', token }),
        cairn.state.set({ key: 'k', value: 1, fence: `l:${token}` }),
        cairn.lease.claim({ name: 'l', ttl: '1h' }),
        cairn.lease.heartbeat({ name: 'l', token }),
        cairn.state.set({ key: 'k', value: 2 }),
      ])
      const shown = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'))
      expect(shown).toEqual(['done', 'fenced', 'fenced', 'done', 'fenced', 'done'])
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 2, version: 1 })
      expect((await cairn.lease.list({})).leases).toMatchObject([{ name: 'l', epoch: 2, held: true }])
    })

    it('U15 gives a repeated claim its first answer and no second token', async () => {
      const { cairn, session } = await newRoot(store())
      const request_id = newId()
      const first = await cairn.lease.claim({ name: 'l', ttl: '1h', request_id })
      expect(await cairn.lease.claim({ name: 'l', ttl: '1h', request_id })).toEqual(first)
      const again = await store().reopen({ session })
      expect(await again.lease.claim({ name: 'l', ttl: '1h', request_id })).toEqual(first)
      expect(await refused(again.lease.claim({ name: 'l', ttl: '2h', request_id }))).toMatchObject({
        code: 'idempotency_mismatch',
      })
      const released = { name: 'l', token: first.token, request_id: newId() }
      const answer = await again.lease.release(released)
      expect(await again.lease.release(released)).toEqual(answer)
      expect(await leaseEvents(again)).toEqual([
        ['lease_claimed', 'l', 1],
        ['lease_released', 'l', 1],
      ])
    })

    it('U15 repeats a write that was done under a lease, also after it was lost', async () => {
      const { cairn } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      const write = { key: 'n', fence: `l:${token}`, request_id: newId() }
      const first = await cairn.state.increment(write)
      await cairn.lease.release({ name: 'l', token })
      expect(await cairn.state.increment(write)).toEqual(first)
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 1 })
    })

    it.each(['49ms', '24h1s', '25h', '0s', '-1s', 'soon', '', '1e3', 'NaN'])('refuses a ttl of %j', async (ttl) => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.lease.claim({ name: 'l', ttl }))).toMatchObject({ code: 'invalid_input' })
      expect(await leaseEvents(cairn)).toEqual([])
    })

    const secret = 'a'.repeat(32)
    const fences = ['', 'l', 'l:', 'l:1', `:1.${secret}`, `l:0.${secret}`, `l:-1.${secret}`, `l:1.${secret}b`]
    it.each([
      ...fences,
      'l:1.5',
      `l:01.${secret}`,
      `l:1.${secret.toUpperCase()}`,
      `l:${'9'.repeat(17)}.${secret}`,
      `l:x.${secret}`,
    ])('refuses the fence %j', async (fence) => {
      const { cairn } = await newRoot(store())
      await cairn.lease.claim({ name: 'l', ttl: '1h' })
      expect(await refused(cairn.state.set({ key: 'k', value: 1, fence }))).toMatchObject({ code: 'invalid_input' })
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('S0-3 keeps a lease beyond the end of the process', async () => {
      const { cairn, session } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h', holder: 'ann' })
      const again = await store().reopen({ session })
      expect(await refused(again.lease.claim({ name: 'l', ttl: '1h' }))).toMatchObject({
        code: 'held_by_other',
        details: { holder: 'ann' },
      })
      await again.state.set({ key: 'k', value: 1, fence: `l:${token}` })
      await again.lease.heartbeat({ name: 'l', token })
      await again.lease.release({ name: 'l', token })
    })

    it('a lease from before the machine was started anew has run out', async () => {
      const { cairn, session } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '24h' })
      await store().sql('UPDATE leases SET boot = $1 WHERE root = $2', 'another life', session)
      expect(await refused(cairn.state.set({ key: 'k', value: 1, fence: `l:${token}` }))).toMatchObject({
        code: 'fenced',
      })
      expect(await refused(cairn.lease.heartbeat({ name: 'l', token }))).toMatchObject({ code: 'fenced' })
      const { token: next } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      expect(next).toEqual(tokenOf(2))
      await cairn.state.set({ key: 'k', value: 1, fence: `l:${next}` })
      expect((await leaseEvents(cairn)).map(([type]) => type)).toEqual(['lease_claimed', 'lease_lost', 'lease_claimed'])
    })

    it('U17 refuses claims of a session that has ended', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const { token } = await cairn.lease.claim({ session: child, name: 'l', ttl: '1h' })
      await cairn.session.end({ session: child })
      expect(await refused(cairn.lease.claim({ session: child, name: 'm', ttl: '1h' }))).toMatchObject({
        code: 'session_ended',
      })
      expect(await refused(cairn.lease.heartbeat({ session: child, name: 'l', token }))).toMatchObject({
        code: 'session_ended',
      })
    })
  })
}
