// A fork is what its origin was at an event, and goes on by itself.
import { describe, expect, it } from 'vitest'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { wholeLog } from '../upkeep/reading.ts'
import { deeds, doAll, pastOf, pictureOf, presentOf, removeRoot } from './pictures.ts'

for (const kind of STORES) {
  describe(`forks on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U37 a fork at an event has what its origin had then, and its past', async () => {
      const { cairn, session } = await newRoot(store())
      const pictures = await doAll(cairn, session)
      for (const [at, picture] of pictures) {
        const { session_id: fork } = await cairn.session.fork({ session, at })
        expect(await presentOf(cairn, fork), `at ${at}`).toEqual(picture)
        if (at % 4 > 0) continue
        expect(await pastOf(cairn, fork, at), `at ${at}`).toEqual(await pastOf(cairn, session, at))
        expect(await lastSeq(await store().open({ session: fork }))).toBe(at)
      }
    })

    it('U37 a fork of a fork has what that had then, from before and after it was forked', async () => {
      const { cairn, session } = await newRoot(store())
      const before = await doAll(cairn, session)
      const points = [...before.keys()]
      const cut = points[15] as number
      const { session_id: fork } = await cairn.session.fork({ session, at: cut })
      const after = await doAll(cairn, fork)
      const pictures = new Map([...[...before].filter(([at]) => at <= cut), ...after])
      for (const [at, picture] of [...pictures].filter((_, place) => place % 4 === 3)) {
        const { session_id: second } = await cairn.session.fork({ session: fork, at })
        expect(await presentOf(cairn, second), `at ${at}`).toEqual(picture)
        expect(await pastOf(cairn, second, at), `at ${at}`).toEqual(await pastOf(cairn, fork, at))
      }
    })

    it('a fork and its origin do not see what the other does', async () => {
      const { cairn, session } = await newRoot(store())
      await doAll(cairn, session)
      const { session_id: fork } = await cairn.session.fork({ session, at: 12 })
      const { session_id: same } = await cairn.session.fork({ session })
      const [early, late] = [await pictureOf(cairn, fork), await pictureOf(cairn, same)]
      for (const deed of deeds(cairn, session)) await deed()
      expect(await pictureOf(cairn, fork)).toEqual(early)
      expect(await pictureOf(cairn, same)).toEqual(late)
      const origin = await pictureOf(cairn, session)
      for (const deed of deeds(cairn, fork)) await deed()
      for (const deed of deeds(cairn, same)) await deed()
      expect(await pictureOf(cairn, session)).toEqual(origin)
    })

    it('adds no event: its first own one follows, with the versions of streams and keys and the chain of hashes going on', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 4; at++) await cairn.state.increment({ key: 'n' })
      const made = await cairn.session.fork({ at: 3 })
      expect(made).toEqual({
        session_id: expect.stringMatching(/^sess_[0-9a-f]{32}$/),
        root_session_id: made.session_id,
        origin_session_id: session,
        at: 3,
        status: 'running',
      })
      const fork = await store().open({ session: made.session_id })
      const shared = (await wholeLog(cairn, session)).slice(0, 3)
      const own = { session_id: made.session_id, session_no: 0 }
      expect(await wholeLog(fork, made.session_id)).toEqual(shared.map((event) => ({ ...event, ...own })))
      expect(await fork.state.increment({ key: 'n' })).toMatchObject({ value: 3, version: 3 })
      const [, , , fourth] = await wholeLog(fork, made.session_id)
      expect(fourth).toMatchObject({ seq: 4, stream: 'state', version: 3, ...own })
      expect((await cairn.session.fork({})).at).toBe(5)
    })

    it('U37 sessions keep their numbers and given names, and have ids of their own, which a rebuild finds again', async () => {
      const { cairn, session } = await newRoot(store())
      const named = await newChild(cairn, session, 'worker')
      const unnamed = await newChild(cairn, named)
      await cairn.state.set({ session: unnamed, key: 'k', value: 1 })
      const { session_id: fork } = await cairn.session.fork({})
      await newChild(cairn, fork)
      const tree = await cairn.session.tree({ session: fork })
      const [child] = tree.children
      expect(child).toMatchObject({ session_name: 'worker', root_session_id: fork, parent_session_id: fork })
      const ids = [tree, ...tree.children, ...(child?.children ?? [])].map(({ session_id }) => session_id)
      expect(new Set([...ids, session, named, unnamed]).size).toBe(7)
      expect((await cairn.state.get({ session: fork, key: 'k' })).updated_by).toBe(child?.children[0]?.session_id)
      expect(
        (await wholeLog(cairn, fork)).map((event) => (event as unknown as { session_no: number }).session_no),
      ).toEqual([0, 0, 1, 2, 0])
      await store().sql('DELETE FROM sessions WHERE root = $1 AND no > 0', fork)
      await store().sql(`UPDATE state_keys SET value = '7' WHERE root = $1`, fork)
      expect(await cairn.store.doctor({})).toMatchObject({ ok: false })
      expect(await cairn.store.doctor({ repair: true })).toMatchObject({ ok: true })
      expect(await (await store().open()).session.tree({ session: fork })).toEqual(tree)
    })

    it('a name is taken in the root that has it, and in no other', async () => {
      const { cairn, session } = await newRoot(store())
      const { session_id: before } = await cairn.session.fork({})
      await newChild(cairn, session, 'namesake')
      const { session_id: after } = await cairn.session.fork({})
      await newChild(cairn, before, 'Namesake')
      expect(await refused(newChild(cairn, after, 'NAMESAKE'))).toMatchObject({ code: 'already_exists' })
      // Whoever works by names in a root that is forked goes on as before.
      expect(await (await store().open()).session.show({ session: 'namesake' })).toMatchObject({
        root_session_id: session,
      })
      const inFork = await store().open({ session: after })
      expect(await inFork.session.show({ session: 'namesake' })).toMatchObject({ root_session_id: after })
    })

    it('of a root that has ended is at its end ended, and before it is not', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'child')
      await cairn.session.end({ session, status: 'failed', reason: 'no way' })
      const { session_id: ended } = await cairn.session.fork({})
      expect(await refused(cairn.state.set({ session: ended, key: 'k', value: 1 }))).toMatchObject({
        code: 'session_ended',
      })
      const { session_id: open } = await cairn.session.fork({ at: 2 })
      await cairn.state.set({ session: open, key: 'k', value: 1 })
      expect(await cairn.session.tree({ session: open })).toMatchObject({
        status: 'running',
        reason: null,
        ended_at: null,
        children: [{ session_name: 'child', status: 'running' }],
      })
      expect((await cairn.session.show({ session: child })).status).toBe('cancelled')
    })

    it('is refused where there is nothing to fork, with the events at which there is', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 4; at++) await cairn.state.increment({ key: 'n' })
      for (const at of [0, 6, Number.MAX_SAFE_INTEGER]) {
        const told = await refused(cairn.session.fork({ at }))
        expect(told).toMatchObject({ code: 'bad_cut', details: { at, first: 1, last: 5 } })
        expect(told.message).toContain('from 1 to 5')
      }
      for (const at of [-1, 1.5, '3']) {
        expect(await refused(cairn.session.fork({ at: at as number }))).toMatchObject({ code: 'invalid_input' })
      }
      await cairn.store.compact({ session, older_than: '0s' })
      await cairn.state.increment({ key: 'n' })
      expect(await refused(cairn.session.fork({ at: 4 }))).toMatchObject({
        code: 'bad_cut',
        details: { at: 4, first: 5, last: 6 },
      })
      const { session_id: fork } = await cairn.session.fork({ at: 5 })
      expect(await cairn.state.get({ session: fork, key: 'n' })).toMatchObject({ value: 4, version: 4 })
      expect(await refused(cairn.state.get({ session: fork, key: 'n', at: 4 }))).toMatchObject({ code: 'compacted' })
      expect(await refused(cairn.session.fork({ session: 'nobody here' }))).toMatchObject({ code: 'session_not_found' })
      expect((await cairn.session.tree({ session, forks: true })).forks).toHaveLength(1)
    })

    it('is refused under a lease that is not held, and of a root that another process has removed', async () => {
      const { cairn, session } = await newRoot(store())
      const { token } = await cairn.lease.claim({ name: 'turn', ttl: '1h' })
      const wrong = [token.replace('1.', '2.'), `1.${'0'.repeat(32)}`]
      expect(await cairn.session.fork({ fence: `turn:${token}` })).toMatchObject({ at: 2 })
      for (const each of wrong)
        expect(await refused(cairn.session.fork({ fence: `turn:${each}` }))).toMatchObject({ code: 'fenced' })
      const other = await store().open()
      await removeRoot(other, session)
      expect(await refused(cairn.session.fork({}))).toMatchObject({ code: 'session_not_found' })
      expect(await refused(cairn.session.fork({ at: 1 }))).toMatchObject({ code: 'session_not_found' })
    })

    it('U15 a repeated request gets the fork that it made, and another request of the same id is refused', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.increment({ key: 'n' })
      const ask = (at: number) => cairn.session.fork({ at, request_id: `fork on ${kind.name}` })
      const answers = await Promise.all([
        ask(1),
        ask(1),
        (await store().open({ session })).session.fork({ at: 1, request_id: `fork on ${kind.name}` }),
      ])
      expect(new Set(answers.map(({ session_id }) => session_id)).size).toBe(1)
      await cairn.state.increment({ key: 'n' })
      expect(await ask(1)).toEqual(answers[0])
      expect(await refused(ask(2))).toMatchObject({ code: 'idempotency_mismatch' })
      expect((await cairn.session.tree({ session, forks: true })).forks).toHaveLength(1)
    })

    it('U37 shows where it came from, and a root which forks it has, those of forks and removed ones too', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 4; at++) await cairn.state.increment({ key: 'n' })
      const { session_id: late } = await cairn.session.fork({ at: 4 })
      const { session_id: early } = await cairn.session.fork({ at: 2 })
      await cairn.state.increment({ session: late, key: 'n' })
      const { session_id: own } = await cairn.session.fork({ session: late, at: 5 })
      const { session_id: shared } = await cairn.session.fork({ session: late, at: 1 })
      const forkOf = (id: string | null, at: number, forks: object[] = []) =>
        expect.objectContaining({ session_id: id, at, forks, status: id === null ? 'removed' : 'running' })
      const below = [forkOf(shared, 1), forkOf(own, 5)]
      expect((await cairn.session.tree({ session, forks: true })).forks).toEqual([
        forkOf(early, 2),
        forkOf(late, 4, below),
      ])
      expect((await cairn.session.tree({ session: late, forks: true })).forks).toEqual(below)
      expect((await cairn.session.tree({ session: own, forks: true })).forks).toEqual([])
      expect(await cairn.session.tree({ session })).not.toHaveProperty('forks')
      expect(await cairn.session.show({ session: own })).toMatchObject({ forked_from: { session_id: late, at: 5 } })
      expect(await cairn.session.show({ session: shared })).toMatchObject({ forked_from: { session_id: late, at: 1 } })
      expect(await cairn.session.show({ session })).not.toHaveProperty('forked_from')
      await removeRoot(cairn, late)
      expect((await cairn.session.tree({ session, forks: true })).forks).toEqual([
        forkOf(early, 2),
        forkOf(null, 4, below),
      ])
      for (const [fork, at] of [
        [own, 5],
        [shared, 1],
      ] as const)
        expect(await cairn.session.show({ session: fork })).toMatchObject({ forked_from: { session_id: null, at } })
      expect((await cairn.session.list({})).sessions.map(({ session_id }) => session_id)).not.toContain(late)
    })
  })
}
