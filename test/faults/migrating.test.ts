// Old stores are brought to the newest format whatever happens meanwhile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { migrations, newest, statementsOf } from '../../src/store/migrations.ts'
import { sandbox as makeSandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { runChild } from './children.ts'
import { fillOld, written } from './old-stores.ts'

const processes = 20
const isLong = process.env.CAIRN_LONG !== undefined

/** How many places there are to be killed at: before each statement of each migration. */
const steps = migrations.map((migration) => statementsOf(migration).length)
const allSteps = steps.reduce((sum, each) => sum + each, 0)

async function newStore(kind: StoreKind): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
  return store
}

/** A store as the first format had it. */
async function oldStore(kind: StoreKind): Promise<TestStore> {
  const store = await newStore(kind)
  await fillOld(store)
  return store
}

/** One store of the newest format, with the tables of that. */
async function expectMigrated(store: TestStore): Promise<void> {
  await store.verify()
  const cairn = await store.open()
  const { checks } = await cairn.store.doctor({})
  expect((checks as { name: string; ok: boolean }[]).filter(({ name, ok }) => !ok && name !== 'modes')).toEqual([])
  expect(checks).toContainEqual({ name: 'format', ok: true, detail: String(newest) })
  if (store.kind === 'Postgres') {
    expect(await store.sql('SELECT format FROM cairn_format')).toEqual([{ format: String(newest) }])
  }
  await store.close()
}

async function expectAsWritten(store: TestStore): Promise<void> {
  const cairn = await store.open()
  for (const [session, seen] of [
    [written.session, written.of_root],
    [written.child, written.of_child],
  ]) {
    expect(await cairn.state.all({ session })).toEqual(seen.state)
    expect(await cairn.log.list({ session, limit: 1000 })).toEqual(seen.log)
    expect(await cairn.state.get({ session, key: 'list' })).toEqual(seen.list)
  }
  await store.close()
}

for (const kind of STORES) {
  describe(`a store of an old format on ${kind.name}`, () => {
    it('C20 S0-134 reads the same and verifies clean in the newest one, and can be written to', async () => {
      const store = await oldStore(kind)
      await expectAsWritten(store)
      await expectMigrated(store)
      const cairn = await store.open({ session: written.session })
      expect(await refused(cairn.state.set({ key: 'text', value: 'other', request_id: 'r2' }))).toMatchObject({
        code: 'idempotency_mismatch',
      })
      await cairn.state.append({ key: 'list', items: ['d'] })
      expect((await cairn.state.get({ key: 'list' })).value).toEqual(['a', 'b', { c: null }, 'd'])
      await store.close()
      await expectMigrated(store)
    })

    it.each([
      ['an empty store', newStore],
      ['an old store', oldStore],
    ])('C20 %s is made new once, however many processes start at once', async (_, make) => {
      const store = await make(kind)
      const starts = Array.from({ length: processes }, () => runChild({ ...store.options, do: 'open' }))
      for (const { errors, refused, raw, code } of await Promise.all(starts)) {
        expect([errors, refused, raw, code]).toEqual(['', [], [], 0])
      }
      await expectMigrated(store)
      if (make === oldStore) await expectAsWritten(store)
    })

    it.each([
      ['an empty store', newStore, allSteps],
      ['an old store', oldStore, allSteps - (steps[0] ?? 0)],
    ] as const)('C20 %s that was killed in any step is finished by the next start', async (_, make, count) => {
      for (let step = 1; step <= count + 1; step += !isLong && count > 8 ? 4 : 1) {
        const store = await make(kind)
        const env = { CAIRN_FAILPOINT: `migrate:kill@${step}` }
        const { signal } = await runChild({ ...store.options, do: 'open' }, { env })
        expect(signal, `step ${step} of ${count}`).toBe(step <= count ? 'SIGKILL' : null)
        await expectMigrated(store)
        if (make === oldStore) await expectAsWritten(store)
      }
    })

    it('C20 is made new by some while others are killed in a step of it', async () => {
      const store = await oldStore(kind)
      const starts = Array.from({ length: 8 }, (_, at) => {
        const env = at % 2 === 0 ? { CAIRN_FAILPOINT: `migrate:kill@${at + 1}` } : {}
        return runChild({ ...store.options, do: 'open' }, { env })
      })
      const ends = await Promise.all(starts)
      for (const { errors, refused, raw, code } of ends.filter(({ signal }) => signal === null)) {
        expect([errors, refused, raw, code]).toEqual(['', [], [], 0])
      }
      expect(ends.filter(({ signal }) => signal === null).length).toBeGreaterThanOrEqual(4)
      await expectMigrated(store)
      await expectAsWritten(store)
    })
  })
}

describe('a store of a newer format', () => {
  const sandbox = makeSandbox()

  it('C20 U56 is refused by library and command, which ends with 6, and is left alone', async () => {
    const { home } = await oldStore(STORES[0] as StoreKind)
    const db = new DatabaseSync(join(home, 'cairn.db'))
    db.exec(`PRAGMA user_version = ${newest + 1}; CREATE TABLE of_the_future (x TEXT)`)
    db.close()
    const before = readFileSync(join(home, 'cairn.db'))
    expect(await refused(openCairn({ home }))).toMatchObject({ code: 'store_too_new' })
    const { document, exit } = await sandbox.json(['ls'], { env: { CAIRN_HOME: home } })
    expect([document.error, exit]).toEqual(['store_too_new', 6])
    expect(readFileSync(join(home, 'cairn.db')).equals(before)).toBe(true)
  })
})
