// A store is brought to the newest format whatever happens meanwhile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { migrations, statementsOf } from '../../src/store/migrations.ts'
import { sandbox as makeSandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { runChild } from './children.ts'

const newest = migrations.length

const processes = 20
const isLong = process.env.CAIRN_LONG !== undefined

/** How many places there are to be killed at: before each statement of each migration. */
const allSteps = migrations.reduce((sum, migration) => sum + statementsOf(migration).length, 0)
/** All of them are in one transaction: an ordinary run takes eight. */
const stride = Math.ceil(allSteps / 8)

/** All is in the file itself afterwards: what a log beside it holds moves there whenever its last reader is let go. */
function changeFile(home: string, sql: string): void {
  const db = new DatabaseSync(join(home, 'cairn.db'))
  db.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}

async function newStore(kind: StoreKind): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
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

for (const kind of STORES) {
  describe(`a store that is being made on ${kind.name}`, () => {
    it('C20 is made once, however many processes start at once', async () => {
      const store = await newStore(kind)
      const starts = Array.from({ length: processes }, () => runChild({ ...store.options, do: 'open' }))
      for (const { errors, refused, raw, code } of await Promise.all(starts)) {
        expect([errors, refused, raw, code]).toEqual(['', [], [], 0])
      }
      await expectMigrated(store)
    })

    it('C20 and was killed in any step is finished by the next start', async () => {
      for (let step = 1; step <= allSteps + 1; step += isLong ? 1 : stride) {
        const store = await newStore(kind)
        const env = { CAIRN_FAILPOINT: `migrate:kill@${step}` }
        const { signal } = await runChild({ ...store.options, do: 'open' }, { env })
        expect(signal, `step ${step} of ${allSteps}`).toBe(step <= allSteps ? 'SIGKILL' : null)
        await expectMigrated(store)
      }
    })

    it('C20 is made by some while others are killed in a step of it', async () => {
      const store = await newStore(kind)
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
    })
  })
}

describe('a store of a newer format', () => {
  const sandbox = makeSandbox()

  it('C20 U56 is refused by library and command, which ends with 6, and is left alone', async () => {
    const store = await newStore(STORES[0] as StoreKind)
    await store.open()
    await store.close()
    const { home } = store
    changeFile(home, `PRAGMA user_version = ${newest + 1}; CREATE TABLE of_the_future (x TEXT)`)
    const before = readFileSync(join(home, 'cairn.db'))
    expect(await refused(openCairn({ home }))).toMatchObject({ code: 'store_too_new' })
    const { document, exit } = await sandbox.json(['ls'], { env: { CAIRN_HOME: home } })
    expect([document.error, exit]).toEqual(['store_too_new', 6])
    changeFile(home, '')
    expect(readFileSync(join(home, 'cairn.db')).equals(before)).toBe(true)
  })
})
