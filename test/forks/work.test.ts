// Work in a fork: what it has from its origin is there to be worked on, and what was of the moment is not.
import { describe, expect, it } from 'vitest'
import { methodsOf } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from '../together/own-log.ts'
import { newFamily } from '../tokens/family.ts'

for (const kind of STORES) {
  describe(`work in forks on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('restores what was there before it was forked, and what was in the fork that it is of', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'list', value: [] })
      for (let at = 0; at < 20; at++) await cairn.state.append({ key: 'list', items: [`${at} ${'x'.repeat(400)}`] })
      await cairn.state.set({ key: 'gone', value: 'soon' })
      const { session_id: fork } = await cairn.session.fork({ at: 18 })
      const then = await cairn.state.get({ key: 'list', at: 9 })
      await cairn.state.set({ session: fork, key: 'list', value: 'else' })
      expect(await cairn.state.restore({ session: fork, to: 9 })).toMatchObject({
        to: 9,
        changed: [{ key: 'list', version: 19 }],
      })
      expect((await cairn.state.get({ session: fork, key: 'list' })).value).toEqual(then.value)
      const { session_id: second } = await cairn.session.fork({ session: fork })
      await cairn.state.append({ session: second, key: 'list', items: ['last'] })
      expect(await cairn.state.restore({ session: second, to: 19 })).toMatchObject({
        changed: [{ key: 'list', version: 21 }],
      })
      expect((await cairn.state.get({ session: second, key: 'list' })).value).toBe('else')
      const { versions } = await cairn.state.history({ session: second, key: 'list', limit: 100 })
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, at) => 21 - at))
      expect(await refused(cairn.state.history({ session: second, key: 'gone' }))).toMatchObject({
        code: 'key_not_found',
      })
      expect(await cairn.state.diff({ session: second, from: 9, to: 20 })).toMatchObject({ changes: [] })
      expect(session).not.toBe(second)
    })

    it('appends to a long array of its origin, whose items stay where they are', async () => {
      const { cairn } = await newRoot(store())
      for (let at = 0; at < 40; at++) await cairn.state.append({ key: 'list', items: [`${at} ${'x'.repeat(300)}`] })
      const { session_id: fork } = await cairn.session.fork({ at: 37 })
      const { session_id: second } = await cairn.session.fork({ session: fork, at: 30 })
      for (const of of [fork, second]) {
        const before = (await cairn.state.get({ session: of, key: 'list' })).value as string[]
        for (let at = 0; at < 20; at++) await cairn.state.append({ session: of, key: 'list', items: [`own ${at}`] })
        const after = (await cairn.state.get({ session: of, key: 'list' })).value as string[]
        expect(after).toEqual([...before, ...Array.from({ length: 20 }, (_, at) => `own ${at}`)])
        expect((await cairn.state.get({ session: of, key: 'list', at: 25 })).value).toEqual(before.slice(0, 24))
      }
    })

    it('writes on the version that a key had, and batches are all or nothing', async () => {
      const { cairn } = await newRoot(store())
      for (let at = 0; at < 5; at++) await cairn.state.set({ key: 'k', value: at })
      const { session_id: session } = await cairn.session.fork({ at: 4 })
      const set = (version: number) => cairn.state.set({ session, key: 'k', value: 'new', version })
      expect(await refused(set(5))).toMatchObject({ code: 'version_conflict', details: { current_version: 3 } })
      expect(await set(3)).toMatchObject({ version: 4, seq: 5 })
      const stale = { op: 'set' as const, key: 'k', value: 0, if_match: 3 }
      const operations = [{ op: 'increment' as const, key: 'n' }, stale]
      expect(await refused(cairn.state.batch({ session, operations }))).toMatchObject({ code: 'version_conflict' })
      expect(await refused(cairn.state.get({ session, key: 'n' }))).toMatchObject({ code: 'key_not_found' })
      await cairn.state.batch({ session, operations: [operations[0] as typeof stale, { ...stale, if_match: 4 }] })
      expect((await cairn.state.all({ session })).state).toEqual({ k: 0, n: 1 })
    })

    it('conflict-free values go on from what they kept inside', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.counterAdd({ key: 'c', value: 2, replica: 'a' })
      await cairn.state.setAdd({ key: 's', items: ['x', 'y'] })
      await cairn.state.registerSet({ key: 'r', value: 1 })
      const { session_id: fork } = await cairn.session.fork({})
      for (const of of [session, fork]) {
        await cairn.state.counterAdd({ session: of, key: 'c', value: of === fork ? 5 : 1, replica: 'a' })
        await cairn.state.setRemove({ session: of, key: 's', items: [of === fork ? 'x' : 'y'] })
        await cairn.state.registerSet({ session: of, key: 'r', value: of })
      }
      expect((await cairn.state.all({ session: fork })).state).toEqual({ c: 7, s: ['y'], r: fork })
      expect((await cairn.state.all({ session })).state).toEqual({ c: 3, s: ['x'], r: session })
    })

    it('keys go when their session ends there, or their time is over, whatever became of them in the origin', async () => {
      const { cairn, session, pass } = await ownLog(store())
      const { session_id: child } = await cairn.session.create({ topic: 'a child', parent: session })
      await cairn.state.set({ session: child, key: 'own', value: 1, ephemeral: true })
      await cairn.state.set({ key: 'short', value: 1, ttl: '1h' })
      await cairn.state.set({ key: 'stays', value: 1, ttl: '1h' })
      const { session_id: before } = await cairn.session.fork({})
      await cairn.session.end({ session: child })
      await cairn.state.set({ key: 'stays', value: 2 })
      const { session_id: after } = await cairn.session.fork({})
      const { session_id: again } = await cairn.session.fork({ at: 5 })
      const stateOf = async (of: string) => (await cairn.state.all({ session: of })).state
      expect(await stateOf(before)).toEqual({ own: 1, short: 1, stays: 1 })
      expect(await stateOf(after)).toEqual({ short: 1, stays: 2 })
      expect(await stateOf(again)).toEqual(await stateOf(before))
      pass(3_600_000)
      expect(await stateOf(before)).toEqual({ own: 1 })
      expect(await stateOf(after)).toEqual({ stays: 2 })
      const [inFork = ''] = (await cairn.session.show({ session: before })).children
      await cairn.session.end({ session: inFork })
      expect(await stateOf(before)).toEqual({})
      expect(await stateOf(again)).toEqual({ own: 1 })
      await cairn.store.gc({})
      expect(await cairn.state.get({ session: again, key: 'short', at: 5 })).toMatchObject({ value: 1 })
    })

    it('U37 schemas hold as they were', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.schema.set({ target: 'n', schema: { type: 'integer' } })
      const { session_id: strict } = await cairn.session.fork({})
      await cairn.schema.delete({ target: 'n' })
      await cairn.schema.set({ target: 'task/', prefix: true, schema: { type: 'string' } })
      const { session_id: loose } = await cairn.session.fork({})
      const { session_id: early } = await cairn.session.fork({ session: loose, at: 2 })
      const set = (of: string, key: string, value: string | number) => cairn.state.set({ session: of, key, value })
      for (const of of [strict, early]) {
        expect(await refused(set(of, 'n', 'text'))).toMatchObject({
          code: 'invalid_input',
          details: { schema: { target: 'n' } },
        })
        await set(of, 'task/1', 1)
      }
      for (const of of [session, loose]) {
        await set(of, 'n', 'text')
        expect(await refused(set(of, 'task/1', 1))).toMatchObject({
          code: 'invalid_input',
          details: { schema: { target: 'task/' } },
        })
      }
    })

    it('U37 leases, requests and tokens stay behind: what was held in the origin is free', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'child')
      await cairn.lease.claim({ name: 'turn', ttl: '1h' })
      await cairn.state.set({ key: 'task', value: 'open' })
      const { token } = await cairn.state.claim({ session: child, key: 'task', ttl: '1h' })
      const fence = `key/task:${token}`
      const request_id = `once on ${kind.name}`
      await cairn.state.increment({ key: 'n', request_id })
      await cairn.token.create({ kind: 'agent', session: child })
      const { session_id: fork } = await cairn.session.fork({})
      expect((await cairn.lease.list({ session: fork })).leases).toEqual([])
      const writing = cairn.state.set({ session: fork, key: 'task', value: 1, fence })
      expect(await refused(writing)).toMatchObject({ code: 'fenced' })
      expect(await cairn.lease.claim({ session: fork, name: 'turn', ttl: '1h' })).toMatchObject({ name: 'turn' })
      expect(await cairn.state.claim({ session: fork, key: 'task', ttl: '1h' })).toMatchObject({ key: 'task' })
      expect(await refused(cairn.lease.claim({ name: 'turn', ttl: '1h' }))).toMatchObject({ code: 'held_by_other' })
      expect(await refused(cairn.state.increment({ session: fork, key: 'n', request_id }))).toMatchObject({
        code: 'idempotency_mismatch',
      })
      expect(await cairn.state.increment({ key: 'n', request_id })).toMatchObject({ value: 1 })
      expect(await cairn.state.increment({ session: fork, key: 'n' })).toMatchObject({ value: 2 })
      expect((await cairn.token.list({})).tokens.map(({ session_id }) => session_id)).not.toContain(fork)
    })

    it('U2 an agent forks nothing, and its token reaches no fork of its root', async () => {
      const opened = await store().openLog()
      const family = await newFamily(opened)
      const agent = methodsOf({ log: opened.log, caller: family.agent })
      const owner = methodsOf(opened)
      for (const session of [family.self, family.child, undefined]) {
        expect(await refused(agent.session.fork(session === undefined ? {} : { session }))).toMatchObject({
          code: 'forbidden',
        })
      }
      const { session_id: fork } = await owner.session.fork({ session: family.self })
      expect(await refused(agent.session.show({ session: fork }))).toMatchObject({ code: 'forbidden' })
      const [inFork = ''] = (await owner.session.show({ session: fork })).children
      expect(await refused(agent.state.set({ session: inFork, key: 'k', value: 1 }))).toMatchObject({
        code: 'forbidden',
      })
    })
  })
}
