import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { allRows, outcomeOf, wholeLog } from './reading.ts'

const day = 86_400_000
const secret = 'swordfish-4711'

/** Where a text still stands: tables, and for SQLite the bytes of the files. */
async function whereIs(text: string, store: TestStore): Promise<string[]> {
  const tables = Object.entries(await allRows(store)).filter(([, rows]) => JSON.stringify(rows).includes(text))
  const files = store.kind === 'SQLite' ? readdirSync(store.home) : []
  return [
    ...tables.map(([table]) => table),
    ...files.filter((file) => readFileSync(join(store.home, file)).includes(Buffer.from(text))),
  ]
}

for (const kind of STORES) {
  describe(`gc, erase and rm on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U15 gc forgets requests after seven days, and none before', async () => {
      const { cairn, session } = await newRoot(store())
      const ages = { old: 8 * day, almost: 7 * day - 60_000, young: 0 }
      for (const [id, age] of Object.entries(ages)) {
        await cairn.state.increment({ key: 'n', request_id: id })
        await store().sql('UPDATE requests SET at = at - $1 WHERE id = $2', age, id)
      }
      expect(await cairn.store.gc({})).toEqual({ lapsed: 0, requests: 1, uploads: 0, hidden: 0 })
      expect(await cairn.store.gc({})).toEqual({ lapsed: 0, requests: 0, uploads: 0, hidden: 0 })
      const left = await store().sql('SELECT id FROM requests WHERE root = $1 ORDER BY id', session)
      expect(left.map(({ id }) => id)).toEqual(['almost', 'young'])
      expect(await cairn.state.increment({ key: 'n', request_id: 'almost' })).toMatchObject({ value: 2 })
      expect(await cairn.state.increment({ key: 'n', request_id: 'old' })).toMatchObject({ value: 4 })
    })

    it('U50 erase asks twice', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const { slug } = await cairn.session.show({ session })
      for (const confirm of [undefined, 'yes', session]) {
        const asked = cairn.store.erase({ session, key: 'k', ...(confirm && { confirm }) })
        const told = await refused(asked)
        expect(told).toMatchObject({ code: 'precondition_required', details: { confirm: slug } })
        expect(told.hint).toContain(`confirm: ${slug}`)
      }
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 1, version: 1 })
    })

    it('U50 U13 erase leaves the value nowhere, and everything else as it was', async () => {
      const library = await store().open()
      const made = await library.session.create({
        topic: 't',
        initial_state: { k: { a: secret }, other: [1] },
        request_id: `made on ${kind.name}`,
      })
      const session = made.session_id
      const cairn = await store().open({ session })
      const other = await store().open({ session })
      await newChild(cairn, session, 'child')
      await cairn.state.merge({ key: 'k', patch: { b: `${secret} twice` }, request_id: 'r1' })
      await cairn.state.append({ key: 'other', items: [2], request_id: 'r2' })
      await cairn.state.set({ key: 'k', value: secret, request_id: 'r3' })
      await cairn.state.replace({ state: { k: [secret], other: [1, 2], third: 'stays' }, request_id: 'r4' })
      await cairn.state.batch({
        operations: [
          { op: 'append', key: 'k', items: [secret] },
          { op: 'increment', key: 'n' },
        ],
        request_id: 'r5',
      })
      await cairn.state.delete({ key: 'k' })
      await cairn.state.set({ key: 'k', value: { [secret]: true } })
      await other.state.append({ key: 'k2', items: ['before'] })
      const past = await cairn.state.get({ key: 'other', at: 2 })
      expect(await whereIs(secret, store())).toContain('events')

      const erased = await cairn.store.erase({ session, key: 'k', confirm: made.slug })
      expect(erased).toMatchObject({ key: 'k', events: 8, versions: 6, answers: 4 })
      expect(erased.beyond_reach).toEqual(expect.arrayContaining(['backups', 'copies of the data folder']))
      expect(erased.beyond_reach.length).toBe(kind.name === 'SQLite' ? 3 : 4)
      expect(await whereIs(secret, store())).toEqual([])

      for (const reader of [cairn, other, await store().open({ session })]) {
        const { ok, checks } = await reader.store.doctor({})
        expect(ok, JSON.stringify(checks)).toBe(true)
        expect((await reader.state.all({})).state).toEqual({ other: [1, 2], third: 'stays', n: 1, k2: ['before'] })
        expect(await reader.state.get({ key: 'other', at: 2 })).toEqual(past)
        for (let at = 1; at <= 13; at++) {
          expect(await outcomeOf(reader.state.get({ key: 'k', at })), `at ${at}`).toEqual({
            refused: 'key_not_found',
            key: 'k',
          })
        }
        expect(await refused(reader.state.events({}))).toMatchObject({ code: 'compacted' })
        expect((await wholeLog(reader, session)).map(({ seq }) => seq)).toEqual(
          Array.from({ length: 13 }, (_, at) => at + 1),
        )
      }
      expect(await cairn.state.append({ key: 'other', items: [2], request_id: 'r2' })).toEqual({
        key: 'other',
        length: 2,
        version: 2,
      })
      expect(JSON.stringify(await cairn.state.set({ key: 'k', value: secret, request_id: 'r3' }))).not.toContain(secret)
      expect(await other.state.set({ key: 'k', value: 'back' })).toMatchObject({ version: 9 })
      expect(await other.state.append({ key: 'k2', items: ['after'] })).toMatchObject({ length: 2 })
      expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: 2, version: 2 })
      expect(await cairn.session.show({ session })).toMatchObject({ slug: made.slug, topic: 't' })
    })

    it('U50 erase of a key that was deleted before, of one that never was, and twice', async () => {
      const { cairn, session } = await newRoot(store())
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.state.set({ key: 'k', value: 'pass phrase' })
      await cairn.state.delete({ key: 'k' })
      expect(await cairn.store.erase({ session, key: 'never', confirm })).toMatchObject({ events: 0, versions: 0 })
      expect(await cairn.store.erase({ session, key: 'k', confirm })).toMatchObject({ events: 2, versions: 1 })
      expect(await cairn.store.erase({ session, key: 'k', confirm })).toMatchObject({ events: 0, versions: 0 })
      expect(await whereIs('pass phrase', store())).toEqual([])
      expect(await cairn.state.set({ key: 'k', value: 1 })).toMatchObject({ version: 3 })
      await cairn.store.compact({ session, older_than: '0s' })
      await cairn.store.erase({ session, key: 'k', confirm })
      expect(await cairn.state.set({ key: 'k', value: 2 })).toMatchObject({ version: 5 })
    })

    it('U50 erase works on a root that has ended, and leaves it ended', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'child')
      await cairn.state.set({ session: child, key: 'k', value: `${secret} of an ended root` })
      await cairn.state.set({ key: 'other', value: 1 })
      await cairn.session.end({ session })
      const { slug, status } = await cairn.session.show({ session })
      const erased = await cairn.store.erase({ session, key: 'k', confirm: slug })
      expect(erased).toMatchObject({ key: 'k', events: 2, versions: 1 })
      expect(await whereIs(`${secret} of an ended root`, store())).toEqual([])
      expect((await cairn.state.all({})).state).toEqual({ other: 1 })
      expect((await cairn.session.show({ session })).status).toBe(status)
      expect(await refused(cairn.state.delete({ key: 'other' }))).toMatchObject({ code: 'session_ended' })
      expect(await cairn.store.erase({ session, key: 'k', confirm: slug })).toMatchObject({ events: 0, versions: 0 })
    })

    it('rm asks twice, wants sessions ended, and leaves no row of the root and every row of others', async () => {
      const kept = await newRoot(store())
      await kept.cairn.state.set({ key: 'k', value: 1, request_id: `kept on ${kind.name}` })
      const { cairn, session } = await newRoot(store())
      const { slug: confirm } = await cairn.session.show({ session })
      const child = await newChild(cairn, session, 'child')
      await cairn.state.set({ key: 'k', value: 2, request_id: `gone on ${kind.name}` })
      await cairn.lease.claim({ session, name: 'l', ttl: '1h' })
      await cairn.project.use({ session: child, project: '/of the root' })
      await kept.cairn.project.use({ project: '/of another' })
      const other = await store().open({ session })
      await other.state.increment({ key: 'n' })
      const [before, number] = [await allRows(store()), await rootNumber(store(), session)]

      expect(await refused(cairn.store.remove({ session }))).toMatchObject({
        code: 'precondition_required',
        details: { confirm },
      })
      expect(await refused(cairn.store.remove({ session, confirm: 'no' }))).toMatchObject({
        code: 'precondition_required',
      })
      expect(await refused(cairn.store.remove({ session, confirm }))).toMatchObject({
        code: 'illegal_transition',
        details: { open: 2 },
      })
      expect(await allRows(store())).toEqual(before)

      expect(await cairn.store.remove({ session, confirm, force: true })).toMatchObject({
        root_session_id: session,
        events: 5,
      })
      const after = await allRows(store())
      expect(JSON.stringify(after)).not.toContain(session.slice('sess_'.length))
      expect(JSON.stringify(after)).not.toContain(child.slice('sess_'.length))
      for (const [table, rows] of Object.entries(before)) {
        const left = rows.filter((row) => Number(row.root) !== number)
        expect(after[table], table).toEqual(
          table === 'projects' ? left.map((row) => (row.session === child ? { ...row, session: null } : row)) : left,
        )
      }
      for (const library of [cairn, other]) {
        expect(await refused(library.state.increment({ key: 'n' }))).toMatchObject({ code: 'session_not_found' })
        expect(await refused(library.state.get({ key: 'k' }))).toMatchObject({
          code: expect.stringMatching(/not_found$/),
        })
      }
      expect(await allRows(store())).toEqual(after)
      expect(await kept.cairn.state.increment({ key: 'k' })).toMatchObject({ value: 2 })
      const there = await store().open({ project: '/of the root' })
      expect(await refused(there.state.all({}))).toMatchObject({ code: 'no_session' })
    })

    it('rm leaves values and blobs in no file, but what forks share, and says which those are', async () => {
      const word = `${secret} of a removed root`
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: word })
      await cairn.blob.put({ content: Buffer.from(`${word}${'.'.repeat(3000)}`) })
      const { session_id: fork } = await cairn.session.fork({ session })
      const { slug: confirm } = await cairn.session.show({ session })
      const shared = `what 1 fork shares from before the fork: ${fork}`
      expect((await refused(cairn.store.remove({ session, force: true }))).message).toContain(shared)
      const removed = await cairn.store.remove({ session, confirm, force: true })
      expect(removed.beyond_reach).toContain(shared)
      expect(await whereIs(word, store())).toContain('events')
      const last = await cairn.session.show({ session: fork })
      const gone = await cairn.store.remove({ session: fork, confirm: last.slug, force: true })
      expect(gone.beyond_reach.join()).not.toContain('parted')
      expect(gone.beyond_reach.length).toBe(kind.name === 'SQLite' ? 3 : 4)
      expect(await whereIs(word, store())).toEqual([])
    })

    it('rm needs no force once everything has ended', async () => {
      const { cairn, session } = await newRoot(store())
      await newChild(cairn, session)
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.session.end({ session })
      expect(await cairn.store.remove({ session, confirm })).toMatchObject({ root_session_id: session })
      expect(await refused(cairn.session.show({ session }))).toMatchObject({ code: 'session_not_found' })
    })
  })
}
