import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Cairn, openCairn } from '../../src/open.ts'
import { startActor } from '../setup/processes.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'
import { allAnswers, allRows, wholeLog } from './reading.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-backup-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A store of its own in a file, such as a backup is. */
async function openFile(path: string): Promise<Cairn> {
  const cairn = await openCairn({ home: folder, store: `sqlite:${path}` })
  onTestFinished(() => cairn.close())
  return cairn
}

/** Another empty store of either kind. */
async function another(kind: (typeof STORES)[number]): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
  return store
}

async function written(store: TestStore): Promise<{ cairn: Cairn; session: string }> {
  const { cairn, session } = await newRoot(store)
  await newChild(cairn, session, 'Kind ü')
  await cairn.state.init({ initial_state: { n: 1.5, o: { z: 1, a: [null] }, l: [], text: 'ü \u2028 "' } })
  for (let at = 0; at < 40; at++) await cairn.state.append({ key: 'l', items: [`${at} ${'.'.repeat(150)}`] })
  await cairn.state.merge({ key: 'o', patch: { a: null, b: true } })
  await cairn.state.delete({ key: 'text', request_id: 'deleted' })
  await cairn.project.use({ project: '/p' })
  await cairn.lease.claim({ name: 'l', ttl: '1h' })
  return { cairn, session }
}

for (const kind of STORES) {
  describe(`backup and restore on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('copies one moment while another process goes on writing', async () => {
      const session = await store().createRoot()
      const cairn = await store().open({ session })
      const filler = 'x'.repeat(20_000)
      const fill = Array.from({ length: 150 }, (_, at) => cairn.state.set({ key: `filler ${at}`, value: filler }))
      await Promise.all([...fill, ...['a', 'b'].map((key) => cairn.state.set({ key, value: 0 }))])
      const writer = (await startActor(store().options)).as(session).transfer(['a', 'b'])
      const start = (await cairn.state.all({})).version
      const file = join(folder, 'copy.db')
      const made = await cairn.store.backup({ file })
      const times = await writer.stop()
      expect(made).toEqual({ file, bytes: statSync(file).size, roots: 1 })
      expect(readdirSync(folder)).toEqual(['copy.db'])
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(times).toBeGreaterThan(0)

      const copy = await openFile(file)
      const { ok, checks } = await copy.store.doctor({})
      expect(
        checks.filter((check) => !check.ok && check.name !== 'modes'),
        String(ok),
      ).toEqual([])
      const [whole, prefix] = [await wholeLog(cairn, session), await wholeLog(copy, session)]
      expect(prefix).toEqual(whole.slice(0, prefix.length))
      const copied = await copy.state.all({ session })
      expect(copied.version).toBeGreaterThanOrEqual(start)
      const { a, b } = copied.state as { a: number; b: number }
      expect(a + b).toBe(0)
      expect(copied).toEqual(await cairn.state.all({ at: copied.seq }))
    })

    it('writes over nothing, and into no folder that is not there', async () => {
      const { cairn } = await written(store())
      const file = join(folder, 'mine.txt')
      writeFileSync(file, 'mine')
      expect(await refused(cairn.store.backup({ file }))).toMatchObject({ code: 'already_exists' })
      expect(readFileSync(file, 'utf8')).toBe('mine')
      for (const impossible of [join(folder, 'no', 'copy.db'), join(folder, 'x'.repeat(250))])
        expect(await refused(cairn.store.backup({ file: impossible }))).toMatchObject({ code: 'invalid_input' })
      expect(readdirSync(folder)).toEqual(['mine.txt'])
      expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: 2.5 })
    })

    it('restores into an empty store only, and nothing but a whole backup', async () => {
      const { cairn, session } = await written(store())
      const file = join(folder, 'copy.db')
      await cairn.store.backup({ file })
      const rows = await allRows(store())
      expect(await refused(cairn.store.restore({ file }))).toMatchObject({ code: 'already_exists' })
      expect(await allRows(store())).toEqual(rows)

      const empty = await another(kind)
      const target = await empty.open()
      const nothing = await allRows(empty)
      const missing = join(folder, 'missing.db')
      expect(await refused(target.store.restore({ file: missing }))).toMatchObject({ code: 'not_found' })
      expect(existsSync(missing)).toBe(false)
      const garbage = join(folder, 'garbage.db')
      writeFileSync(garbage, 'no store at all\n'.repeat(500))
      expect(await refused(target.store.restore({ file: garbage }))).toMatchObject({ code: 'storage_error' })
      expect(readFileSync(garbage, 'utf8')).toBe('no store at all\n'.repeat(500))
      const foreign = new DatabaseSync(join(folder, 'foreign.db'))
      foreign.exec('CREATE TABLE songs (name TEXT)')
      foreign.close()
      expect(await refused(target.store.restore({ file: join(folder, 'foreign.db') }))).toMatchObject({
        code: 'storage_error',
      })
      const newer = new DatabaseSync(file)
      const { user_version: format } = newer.prepare('PRAGMA user_version').get() as { user_version: number }
      newer.exec(`PRAGMA user_version = ${format + 1}`)
      expect(await refused(target.store.restore({ file }))).toMatchObject({ code: 'store_too_new' })
      newer.exec(`PRAGMA user_version = ${format}`)
      newer.close()
      expect(await allRows(empty)).toEqual(nothing)

      expect(await target.store.restore({ file })).toEqual({ file, roots: 1, events: rows.events?.length })
      expect(await allRows(empty)).toEqual(rows)
      await empty.verify()
      expect(await target.state.increment({ session, key: 'n' })).toMatchObject({ value: 2.5, version: 2 })
    })

    it.each(STORES)('gives the same answers to all reads after the way into $name', async (other) => {
      const { cairn, session } = await written(store())
      const file = join(folder, 'copy.db')
      await cairn.store.backup({ file })
      const target = await another(other)
      const restored = await target.open()
      await restored.store.restore({ file })
      expect(await allAnswers(restored, session)).toEqual(await allAnswers(cairn, session))
      // Leases run by the clock of their store: in another kind of store nobody holds them.
      const named = async (from: Cairn) =>
        (await from.lease.list({ session })).leases.map(({ held: _, expires_at: __, ...lease }) => lease)
      expect(await named(restored)).toEqual(await named(cairn))
      const repeat = { session, key: 'text', request_id: 'deleted' }
      expect(await restored.state.delete(repeat)).toEqual(await cairn.state.delete(repeat))
      const there = await target.open({ project: '/p' })
      expect((await there.state.all({})).root_session_id).toBe(session)
      for (const library of [cairn, restored]) await library.state.append({ session, key: 'l', items: ['more'] })
      const now = await restored.state.get({ session, key: 'l' })
      const wanted = await cairn.state.get({ session, key: 'l' })
      expect({ ...now, updated_at: '' }).toEqual({ ...wanted, updated_at: '' })
      await target.close()
      await target.verify()
    })

    it('U15 gives a repeat the first answer after compaction, reopening, backup and restore', async () => {
      const { cairn, session } = await newRoot(store())
      const ask = (library: Cairn) =>
        Promise.all([
          library.state.increment({ session, key: 'n', request_id: 'one' }),
          library.state.append({ session, key: 'l', items: [1], request_id: 'two' }),
          library.state.batch({ session, operations: [{ op: 'set', key: 'k', value: [1] }], request_id: 'three' }),
          library.session.create({ topic: 'child', parent: session, name: 'child', request_id: 'four' }),
        ])
      const answers = await ask(cairn)
      await cairn.state.increment({ key: 'n' })
      await cairn.store.compact({ session, older_than: '0s' })
      await cairn.store.gc({})
      const wanted = await cairn.state.all({})
      expect(await ask(cairn)).toEqual(answers)
      const again = await store().reopen({ session })
      expect(await ask(again)).toEqual(answers)
      const file = join(folder, 'copy.db')
      await again.store.backup({ file })
      const copy = await openFile(file)
      expect(await ask(copy)).toEqual(answers)
      const target = await another(kind)
      const restored = await target.open()
      await restored.store.restore({ file })
      expect(await ask(restored)).toEqual(answers)
      for (const library of [again, copy, restored]) expect(await library.state.all({ session })).toEqual(wanted)
      const changed = restored.state.increment({ session, key: 'n', delta: 2, request_id: 'one' })
      expect(await refused(changed)).toMatchObject({ code: 'idempotency_mismatch' })
    })
  })
}

for (const kind of STORES) {
  it(`a backup is not overwritten by roots whose numbers were drawn before it came, on ${kind.name}`, async () => {
    const [from, to] = [await kind.make(), await kind.make()]
    onTestFinished(() => Promise.all([from.remove(), to.remove()]).then(() => undefined))
    const first = await from.open()
    for (let at = 0; at < 20; at++) await first.session.create({ topic: `kept ${at}` })
    const file = join(from.home, '..', 'numbers.db')
    await first.store.backup({ file })
    const [restoring, other] = [await to.open(), await to.open()]
    for (const cairn of [restoring, other]) {
      const { session_id: session, slug } = await cairn.session.create({ topic: 'goes' })
      await cairn.store.remove({ session, confirm: slug, force: true })
    }
    await restoring.store.restore({ file })
    await restoring.session.create({ topic: 'new' })
    for (let tries = 0; tries < 40; tries++) await other.session.create({ topic: 'other' }).catch(() => undefined)
    const { sessions } = await restoring.session.list({ all: true, limit: 1000 })
    const kept = sessions.filter(({ topic }) => topic.startsWith('kept'))
    expect(kept).toHaveLength(20)
    await to.verify()
  })
}
