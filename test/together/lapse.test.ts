// Keys that go by themselves: with their session, or when their time is over.
import { describe, expect, it } from 'vitest'
import type { Interface } from '../../src/client/interface.ts'
import { startActor } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from './own-log.ts'

interface Logged {
  readonly type: string
  readonly key: string | null
  readonly data: { readonly reason?: string; readonly expires_at?: string }
  readonly session_no: number
}

/** What the log says of keys that went by themselves. */
async function lapses(cairn: Interface, since = 0): Promise<[key: string | null, reason: string | undefined][]> {
  const { events } = await cairn.log.list({ since, limit: 1000 })
  const lapsed = (events as unknown as Logged[]).filter(({ type }) => type === 'lapsed')
  return lapsed.map(({ key, data }) => [key, data.reason])
}

const ttl = '1h'
const hourMs = 3_600_000

for (const kind of STORES) {
  describe(`keys that lapse on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('C14 say in the log until when they are there, as a time that people read too', async () => {
      const { cairn, pass } = await ownLog(store())
      await cairn.state.set({ key: 'k', value: 1, ttl })
      pass(hourMs)
      await cairn.state.all({})
      const [set, lapsed] = (await cairn.log.list({ since: 1 })).events as unknown as (Logged & { at: string })[]
      expect(set?.data.expires_at).toBe(new Date(Date.parse(String(set?.at)) + hourMs).toISOString())
      expect(lapsed?.data).toEqual({ reason: 'expired', expires_at: set?.data.expires_at })
    })

    it('C14 say in every answer about them when they go, and a key that stays says nothing of it', async () => {
      const { cairn, pass } = await ownLog(store())
      const { expires_at, updated_at } = await cairn.state.set({ key: 'k', value: { a: 1 }, ttl })
      expect(expires_at).toBe(new Date(Date.parse(updated_at) + hourMs).toISOString())
      expect(await cairn.state.merge({ key: 'k', patch: { b: 2 } })).toMatchObject({ expires_at })
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: { a: 1, b: 2 }, expires_at })
      expect(await cairn.state.get({ key: 'k', at: 2 })).toMatchObject({ value: { a: 1 }, expires_at })
      expect((await cairn.state.all({})).keys.k).toMatchObject({ expires_at })
      const stays = await cairn.state.set({ key: 'k', value: 1 })
      expect([stays, await cairn.state.get({ key: 'k' })].map((each) => 'expires_at' in each)).toEqual([false, false])
      pass(hourMs)
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 1 })
    })

    it('S0-78 go when the session that set them ends, and with those that end below it', async () => {
      const { cairn, session } = await newRoot(store())
      const parent = await newChild(cairn, session, 'parent')
      const child = await newChild(cairn, parent, 'child')
      const other = await newChild(cairn, session, 'other')
      await cairn.state.set({ session: child, key: 'c', value: 1, ephemeral: true })
      await cairn.state.set({ session: parent, key: 'p2', value: [1], ephemeral: true })
      await cairn.state.set({ session: parent, key: 'p1', value: {}, ephemeral: true })
      await cairn.state.set({ session: parent, key: 'stays', value: 1 })
      await cairn.state.set({ session: other, key: 'o', value: 1, ephemeral: true })
      // Changed by others it is still the key of the one who set it; set anew it is that of whoever did so.
      await cairn.state.increment({ session: other, key: 'c' })
      await cairn.state.append({ session: other, key: 'p2', items: [2] })
      await cairn.state.merge({ session: other, key: 'p1', patch: { a: 1 } })
      await cairn.state.set({ session: parent, key: 'kept', value: 1, ephemeral: true })
      await cairn.state.set({ session: other, key: 'kept', value: 2 })
      await cairn.state.set({ session: parent, key: 'moved', value: 1, ephemeral: true })
      await cairn.state.set({ session: other, key: 'moved', value: 2, ephemeral: true })
      await cairn.state.set({ session: parent, key: 'deleted', value: 1, ephemeral: true })
      await cairn.state.delete({ key: 'deleted' })
      await cairn.session.end({ session: parent, status: 'failed' })
      expect((await cairn.state.all({})).state).toEqual({ stays: 1, o: 1, kept: 2, moved: 2 })
      expect(await lapses(cairn)).toEqual([
        ['c', 'session_ended'],
        ['p1', 'session_ended'],
        ['p2', 'session_ended'],
      ])
      await cairn.session.end({ session })
      expect((await cairn.state.all({})).state).toEqual({ stays: 1, kept: 2 })
    })

    it('go also when another process ends the session', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const actor = await startActor(store().options, child)
      await actor.call('state.set', [[{ key: 'a', value: 1, ephemeral: true }]])
      const gone = cairn.state.wait({ key: 'a', condition: 'absent' })
      const before = await cairn.state.get({ key: 'a' })
      await actor.call('session.end', [[{ session: child }]])
      expect(await gone).toEqual({ key: 'a', absent: true })
      expect(await cairn.state.get({ key: 'a', at: before.seq })).toEqual(before)
    })

    it('read as gone everywhere when their time is over, before the log says so', async () => {
      const { cairn, pass } = await ownLog(store())
      await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.set({ key: 'b', value: 1, ttl: '2h' })
      const seq = await lastSeq(cairn)
      expect(await cairn.state.get({ key: 'a' })).toMatchObject({ value: 1 })
      pass(hourMs)
      expect(await refused(cairn.state.get({ key: 'a' }))).toMatchObject({ code: 'key_not_found' })
      expect((await cairn.state.summary({})).summary).toEqual({ b: 1 })
      expect(await refused(cairn.state.wait({ key: 'a', timeout: '0' }))).toMatchObject({ code: 'timeout' })
      expect(await lastSeq(cairn)).toBe(seq)
      // What was is not changed by that.
      expect((await cairn.state.all({ at: seq })).state).toEqual({ a: 1, b: 1 })
      expect(await lastSeq(cairn)).toBe(seq)
      // Whoever reads the whole document is told a version, and that must have moved.
      expect(await cairn.state.all({})).toMatchObject({ state: { b: 1 }, version: 3, seq: seq + 1 })
      expect((await cairn.log.list({ since: seq })).events).toMatchObject([
        { type: 'lapsed', key: 'a', actor: 'cairn' },
      ])
    })

    it('wake whoever waits for them to be gone, though nobody writes at that moment', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'a', value: 1, ttl: '100ms' })
      const seq = await lastSeq(cairn)
      expect(await cairn.state.wait({ key: 'a', condition: 'absent' })).toEqual({ key: 'a', absent: true })
      expect(await lastSeq(cairn)).toBe(seq)
    })

    it('are missing to whoever writes them after their time, and the log says why', async () => {
      const { cairn, pass } = await ownLog(store())
      const keys = ['set', 'increment', 'append', 'merge', 'create', 'batch']
      for (const key of keys) await cairn.state.set({ key, value: 'old', ttl })
      pass(hourMs)
      expect(await cairn.state.set({ key: 'set', value: 1, version: 0 })).toMatchObject({ version: 3 })
      expect(await cairn.state.increment({ key: 'increment' })).toEqual({ key: 'increment', value: 1, version: 3 })
      expect(await cairn.state.append({ key: 'append', items: [1] })).toMatchObject({ length: 1, version: 3 })
      expect(await cairn.state.merge({ key: 'merge', patch: { a: 1 } })).toMatchObject({ value: { a: 1 } })
      expect(await cairn.state.set({ key: 'create', value: 1, create_only: true })).toMatchObject({ version: 3 })
      const operations = [
        { op: 'increment' as const, key: 'batch' },
        { op: 'increment' as const, key: 'batch' },
      ]
      await cairn.state.batch({ operations })
      expect(await cairn.state.get({ key: 'batch' })).toMatchObject({ value: 2, version: 4 })
      expect(await lapses(cairn)).toEqual(keys.map((key) => [key, 'expired']))
    })

    it('S0-79 leave no trace of a refused write: neither the lapse nor a part of a batch', async () => {
      const { cairn, pass } = await ownLog(store())
      const { version } = await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.set({ key: 'b', value: 1 })
      const seq = await lastSeq(cairn)
      pass(hourMs)
      const conflict = { code: 'version_conflict', details: { key: 'a', current_value: null } }
      expect(await refused(cairn.state.set({ key: 'a', value: 2, version }))).toMatchObject(conflict)
      const operations = [
        { op: 'increment' as const, key: 'b' },
        { op: 'set' as const, key: 'a', value: 2, if_match: version },
      ]
      expect(await refused(cairn.state.batch({ operations }))).toMatchObject({
        code: 'version_conflict',
        details: { applied: false, results: [{ status: 'not_applied' }, { status: 'conflict' }] },
      })
      expect(await refused(cairn.state.delete({ key: 'a' }))).toMatchObject({ code: 'key_not_found' })
      expect(await lastSeq(cairn)).toBe(seq)
      expect((await cairn.state.all({})).state).toEqual({ b: 1 })
    })

    it('keep their time when they are changed, and lose it when they are set anew', async () => {
      const { cairn, pass } = await ownLog(store())
      for (const key of ['changed', 'anew', 'longer']) await cairn.state.set({ key, value: 1, ttl })
      await cairn.state.increment({ key: 'changed' })
      await cairn.state.set({ key: 'anew', value: 2 })
      await cairn.state.set({ key: 'longer', value: 2, ttl: '2h' })
      pass(hourMs)
      expect((await cairn.state.all({})).state).toEqual({ anew: 2, longer: 2 })
      await cairn.state.replace({ state: { a: 1 } })
      expect(await lapses(cairn)).toEqual([['changed', 'expired']])
    })

    it('S0-77 do not fill a root: what has expired makes room, whoever needs it', async () => {
      const { cairn, session, pass } = await ownLog(store(), { keys: 5, batch: 3 })
      for (let at = 0; at < 5; at++) await cairn.state.set({ key: `ttl ${at}`, value: at, ttl })
      expect(await refused(cairn.state.set({ key: 'more', value: 1 }))).toMatchObject({ code: 'too_many_keys' })
      pass(hourMs)
      await cairn.state.set({ key: 'more', value: 1 })
      expect((await cairn.state.all({})).state).toEqual({ more: 1 })
      expect(await lapses(cairn)).toHaveLength(5)
      const counted = `SELECT items FROM streams WHERE root = $1 AND stream = 'state'`
      expect(Number((await store().sql(counted, session))[0]?.items)).toBe(1)
    })

    it('are recorded by gc, also below a root that has ended', async () => {
      const { cairn, session, pass } = await ownLog(store())
      const operations = Array.from({ length: 501 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: at, ttl }))
      await cairn.state.batch({ operations: operations.slice(0, 500) })
      await cairn.state.batch({ operations: operations.slice(500) })
      await cairn.state.set({ key: 'stays', value: 1, ttl: '2h' })
      await cairn.session.end({ session })
      pass(hourMs)
      const { lapsed } = await cairn.store.gc({})
      expect(lapsed).toBeGreaterThanOrEqual(501)
      expect(await lapses(cairn, 500)).toHaveLength(501)
      const [left] = await store().sql(
        'SELECT count(*) AS n FROM state_lapses WHERE root = $1 AND expires_at IS NOT NULL',
        session,
      )
      expect(Number(left?.n)).toBe(1)
      expect((await cairn.state.all({})).state).toEqual({ stays: 1 })
    })

    it('can be erased after their time', async () => {
      const { cairn, session, pass } = await ownLog(store())
      await cairn.state.set({ key: 'a', value: 'secret', ttl })
      pass(hourMs)
      const { slug } = await cairn.session.show({})
      expect(await cairn.store.erase({ key: 'a', confirm: slug })).toMatchObject({ versions: 1 })
      expect(await cairn.store.erase({ key: 'never', confirm: slug })).toMatchObject({ versions: 0 })
      expect(await store().sql('SELECT type, value FROM state_keys WHERE root = $1', session)).toEqual([
        { type: 'gone', value: null },
      ])
    })

    it('are refused with a time of nothing, a negative one, or none at all', async () => {
      const { cairn } = await newRoot(store())
      const seq = await lastSeq(cairn)
      for (const bad of ['0', '0s', '-1s', '49ms', '366d', '1y', 'soon', '', 'NaN', '1e3s']) {
        const refusal = await refused(cairn.state.set({ key: 'a', value: 1, ttl: bad }))
        expect(refusal, bad).toMatchObject({ code: 'invalid_input' })
      }
      const ephemeral = 'yes' as unknown as boolean
      expect(await refused(cairn.state.set({ key: 'a', value: 1, ephemeral }))).toMatchObject({ code: 'invalid_input' })
      expect(await lastSeq(cairn)).toBe(seq)
    })

    it('survive a repair and a compaction, and doctor finds what is wrong with them', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      await cairn.state.set({ session: child, key: 'owned', value: 1, ephemeral: true, ttl: '1h' })
      await cairn.state.increment({ key: 'owned' })
      await cairn.state.set({ session: child, key: 'gone', value: 1, ephemeral: true })
      await cairn.state.delete({ key: 'gone' })
      const rows = () => store().sql('SELECT * FROM state_lapses WHERE root = $1 ORDER BY key', session)
      const before = await rows()
      expect(before).toMatchObject([{ key: 'gone', owner: null }, { key: 'owned' }])
      const damages = [
        'DELETE FROM state_lapses WHERE root = $1',
        'UPDATE state_lapses SET owner = 7 WHERE root = $1',
        "INSERT INTO state_lapses (root, key, owner) SELECT root, 'never', 1 FROM roots WHERE root = $1",
      ]
      for (const damage of damages) {
        await store().sql(damage, session)
        expect(await cairn.store.doctor({}), damage).toMatchObject({ ok: false })
        expect(await cairn.store.doctor({ repair: true })).toMatchObject({ ok: true })
        expect(await rows()).toEqual(before)
      }
      await cairn.store.compact({ session, older_than: '0' })
      expect(await cairn.store.doctor({})).toMatchObject({ ok: true })
      await store().sql("DELETE FROM state_lapses WHERE root = $1 AND key = 'owned'", session)
      expect(await cairn.store.doctor({ repair: true })).toMatchObject({ ok: true })
      expect(await rows()).toMatchObject([{ key: 'owned', owner: before[1]?.owner }])
      await cairn.session.end({ session: child })
      expect((await cairn.state.all({})).state).toEqual({})
      await cairn.session.end({ session })
      const { slug } = await cairn.session.show({ session })
      const number = await rootNumber(store(), session)
      await cairn.store.remove({ session, confirm: slug })
      expect(await store().sql('SELECT * FROM state_lapses WHERE root = $1', number)).toEqual([])
    })
  })
}
