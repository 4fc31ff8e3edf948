// Keys have expired and nobody has noticed: whatever is asked next finds them gone, and everything else as it was.
import { describe, expect, it } from 'vitest'
import { lastSeq, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from './own-log.ts'

const ttl = '1h'
const hourMs = 3_600_000

for (const kind of STORES) {
  describe(`what has expired unnoticed on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** A root with some keys, the last of which expires; `seqs` events in all, and then an hour goes by. */
    async function begin(seqs = 0) {
      const made = await ownLog(store())
      await made.cairn.state.set({ key: 'a', value: 1 })
      await made.cairn.state.set({ key: 'list', value: ['x'] })
      for (let at = 0; at < 9; at++) await made.cairn.state.append({ key: 'list', items: ['y'.repeat(600)] })
      while ((await lastSeq(made.cairn)) < seqs) await made.cairn.state.increment({ key: 'n' })
      await made.cairn.state.set({ key: 'gone', value: 1, ttl })
      made.pass(hourMs)
      return made
    }

    it('S0-99 does not change what a restore by time means', async () => {
      // The lapse is event 32: the search for a time would begin with other steps than before it.
      const { cairn, now } = await begin(30)
      expect(await lastSeq(cairn)).toBe(31)
      const { state } = await cairn.state.all({ at: 31 })
      // As far as the log knew at that time the key was there.
      const answer = await cairn.state.restore({ to: new Date(now()).toISOString() })
      expect(answer).toMatchObject({ to: 31, changed: [{ key: 'gone' }] })
      expect((await cairn.state.all({})).state).toEqual({ ...state, gone: 1 })
    })

    it('comes back with a restore to when it was there', async () => {
      const { cairn } = await begin()
      const answer = await cairn.state.restore({ to: await lastSeq(cairn) })
      expect(answer.changed).toMatchObject([{ key: 'gone' }])
      expect(await cairn.state.get({ key: 'gone' })).toMatchObject({ value: 1 })
    })

    it('can be given a schema by a process that has just begun', async () => {
      const { open } = await begin()
      const fresh = await open()
      expect(await fresh.schema.set({ target: 'gone', schema: { type: 'string' } })).toMatchObject({ broken: [] })
      expect(await fresh.schema.set({ target: 'go', prefix: true, schema: { type: 'string' } })).toMatchObject({
        broken: [],
      })
    })

    it('is not left out under the version in which it was there, though it expires while the document is read', async () => {
      const { cairn, asked, pass } = await ownLog(store())
      await cairn.state.set({ key: 'a', value: 1 })
      const { version } = await cairn.state.set({ key: 'b', value: 1, ttl }).then(() => cairn.state.all({}))
      const note = asked.push.bind(asked)
      asked.push = (question) => {
        if (question === 'next_lapse_of') pass(hourMs)
        return note(question)
      }
      expect(await cairn.state.all({})).toMatchObject({ version, state: { a: 1, b: 1 } })
      const { version: after, state } = await cairn.state.all({})
      expect([after, state]).toEqual([version + 1, { a: 1 }])
    })

    it('comes before a patch of other keys: its answer has the version after it', async () => {
      const { cairn } = await begin()
      const { version, seq } = await cairn.state.patch({ patch: { a: 2 } })
      const { version: now, state } = await cairn.state.all({})
      expect([now, Object.keys(state)]).toEqual([version, ['a', 'list']])
      expect((await cairn.state.all({ at: seq })).state).toEqual(state)
    })

    it('S0-35 U18 does not make the version of a document stale that was just read', async () => {
      const { cairn } = await begin()
      const { version, state } = await cairn.state.all({})
      expect(state).not.toHaveProperty('gone')
      await cairn.state.patch({ patch: { gone: 2, list: null }, version })
      expect((await cairn.state.all({})).state).toEqual({ a: 1, gone: 2 })
    })

    it('S0-35 is not counted in the version that a refusal names, which shows all of the document', async () => {
      const { cairn, open } = await begin()
      const { version, state } = await cairn.state.all({})
      const fresh = await open()
      const refusal = await refused(fresh.state.replace({ state: {}, version: version + 5 }))
      expect(refusal.details).toMatchObject({ current_version: version, current_state: state })
    })

    it('is gone in a difference from any point to now, and there where only the log is asked', async () => {
      const { cairn, pass } = await ownLog(store())
      await cairn.state.set({ key: 'é', value: 'before', ttl })
      await cairn.state.set({ key: 'b', value: 1 })
      const from = await lastSeq(cairn)
      await cairn.state.set({ key: 'a', value: 'since', ttl })
      await cairn.state.set({ key: 'c', value: 2 })
      const to = await lastSeq(cairn)
      pass(hourMs)
      const added = { key: 'c', path: '', op: 'added', after: 2 }
      const removed = { key: 'é', path: '', op: 'removed', before: 'before' }
      expect((await cairn.state.diff({ from, to: 'now' })).changes).toEqual([added, removed])
      expect((await cairn.state.diff({ from: 'now', to: from })).changes).toEqual([
        { key: 'c', path: '', op: 'removed', before: 2 },
        { key: 'é', path: '', op: 'added', after: 'before' },
      ])
      expect((await cairn.state.diff({ from: 'now', to: 'now' })).changes).toEqual([])
      expect((await cairn.state.diff({ from, to })).changes).toEqual([
        { key: 'a', path: '', op: 'added', after: 'since' },
        added,
      ])
      const first = await cairn.state.diff({ from, to: 'now', limit: 1 })
      expect(first).toMatchObject({ changes: [added], has_more: true, next_after: 'c' })
      expect(await cairn.state.diff({ from, to: 'now', limit: 1, after: 'c' })).toMatchObject({
        changes: [removed],
        has_more: false,
      })
    })

    it('S0-98 U9 is said to have expired by the history and the reasons of the key, until the log says it', async () => {
      const { cairn, now, pass } = await ownLog(store())
      await cairn.state.set({ key: 'k', value: 1, ttl })
      const { seq } = await cairn.state.get({ key: 'k' })
      expect(await cairn.state.history({ key: 'k' })).not.toHaveProperty('expired_at')
      pass(hourMs)
      const history = await cairn.state.history({ key: 'k' })
      expect(history.versions).toMatchObject([{ version: 1, value: 1 }])
      expect(Date.parse(String(history.expired_at))).toBeLessThanOrEqual(now())
      expect(await cairn.state.why({ key: 'k' })).toMatchObject({ expired_at: history.expired_at as string })
      expect(await cairn.state.why({ key: 'k', at: seq })).not.toHaveProperty('expired_at')
      await cairn.state.set({ key: 'k', value: 2, version: 0 })
      const later = await cairn.state.history({ key: 'k' })
      expect(later).not.toHaveProperty('expired_at')
      expect(later.versions).toMatchObject([{ value: 2 }, { deleted: true, type: 'lapsed' }, { value: 1 }])
    })

    it('S0-99 is not brought back by a restore to now', async () => {
      const { cairn } = await begin()
      expect((await cairn.state.restore({ to: 'now' })).changed).toEqual([])
      expect((await cairn.state.all({})).state).not.toHaveProperty('gone')
    })

    it('is said in the order of the names where a change looks at all keys, whatever is remembered', async () => {
      const { cairn, pass } = await ownLog(store())
      for (const key of ['b', 'c', 'a']) await cairn.state.set({ key, value: 1, ttl })
      const since = await lastSeq(cairn)
      pass(hourMs)
      await cairn.state.replace({ state: {} })
      const { events } = await cairn.log.list({ since })
      expect(events.map(({ key, type }) => [key, type])).toEqual([
        ['a', 'lapsed'],
        ['b', 'lapsed'],
        ['c', 'lapsed'],
        [null, 'full_replace'],
      ])
    })

    it('S0-114 is not in a summary, however much of it there is', async () => {
      const { cairn, pass } = await ownLog(store())
      await cairn.state.set({ key: 'live', value: 1 })
      const expiring = Array.from({ length: 600 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: 1, ttl }))
      await cairn.state.batch({ operations: expiring.slice(0, 300) })
      await cairn.state.batch({ operations: expiring.slice(300) })
      pass(hourMs)
      expect((await cairn.state.summary({})).summary).toEqual({ live: 1 })
    })
  })

  describe(`keys that were to lapse on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('stay when the document is replaced by one that has them', async () => {
      const { cairn, pass } = await ownLog(store())
      await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.replace({ state: { a: 1 } })
      pass(hourMs)
      expect((await cairn.state.all({})).state).toEqual({ a: 1 })
    })
  })
}
