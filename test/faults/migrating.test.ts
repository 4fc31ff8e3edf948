// Old stores are brought to the newest format whatever happens meanwhile.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { migrations, newest, statementsOf } from '../../src/store/migrations.ts'
import { sandbox as makeSandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { runChild } from './children.ts'
import { examine, newFolder } from './stores.ts'

const processes = 20
const fixture = readFileSync('test/fixtures/format-1.sql', 'utf8')
const written = JSON.parse(readFileSync('test/fixtures/format-1.json', 'utf8'))

function emptyHome(): string {
  return join(newFolder(), 'home')
}

/** A store as the first format had it. */
function oldHome(): string {
  const home = emptyHome()
  mkdirSync(home, { mode: 0o700 })
  const db = new DatabaseSync(join(home, 'cairn.db'))
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`BEGIN; ${fixture.replace(/PRAGMA[^;]*;/g, '')} COMMIT`)
  for (const [pragma] of fixture.matchAll(/PRAGMA[^;]*;/g)) db.exec(pragma)
  db.close()
  return home
}

async function expectMigrated(home: string): Promise<void> {
  const { problems, checks } = await examine(home)
  expect(problems).toEqual([])
  expect(checks.filter(({ name, ok }) => !ok && name !== 'modes')).toEqual([])
  expect(checks).toContainEqual({ name: 'format', ok: true, detail: String(newest) })
}

async function expectAsWritten(home: string): Promise<void> {
  const cairn = await openCairn({ home })
  for (const [session, seen] of [
    [written.session, written.of_root],
    [written.child, written.of_child],
  ]) {
    expect(await cairn.state.all({ session })).toEqual(seen.state)
    expect(await cairn.log.list({ session, limit: 1000 })).toEqual(seen.log)
    expect(await cairn.state.get({ session, key: 'list' })).toEqual(seen.list)
  }
  await cairn.close()
}

describe('a store of an old format', () => {
  it('C20 S0-134 reads the same and verifies clean in the newest one, and can be written to', async () => {
    const home = oldHome()
    await expectAsWritten(home)
    await expectMigrated(home)
    const cairn = await openCairn({ home, session: written.session })
    expect(await cairn.state.set({ key: 'text', value: 'other', request_id: 'r2' }).catch((error) => error.code)).toBe(
      'idempotency_mismatch',
    )
    await cairn.state.append({ key: 'list', items: ['d'] })
    expect((await cairn.state.get({ key: 'list' })).value).toEqual(['a', 'b', { c: null }, 'd'])
    await cairn.close()
    await expectMigrated(home)
  })

  it.each([
    ['an empty store', emptyHome],
    ['an old store', oldHome],
  ])('C20 %s is made new once, however many processes start at once', async (_, make) => {
    const home = make()
    const starts = Array.from({ length: processes }, () => runChild({ home, do: 'open' }))
    for (const { errors, refused, raw, code } of await Promise.all(starts)) {
      expect([errors, refused, raw, code]).toEqual(['', [], [], 0])
    }
    await expectMigrated(home)
    if (make === oldHome) await expectAsWritten(home)
  })

  const steps = migrations.map((migration) => statementsOf(migration).length)
  const allSteps = steps.reduce((sum, each) => sum + each, 0)
  it.each([
    ['an empty store', emptyHome, allSteps],
    ['an old store', oldHome, allSteps - (steps[0] ?? 0)],
  ] as const)('C20 %s that was killed in any step is finished by the next start', async (_, make, count) => {
    for (let step = 1; step <= count + 1; step += process.env.CAIRN_LONG === undefined && count > 8 ? 4 : 1) {
      const home = make()
      const { signal } = await runChild({ home, do: 'open' }, { env: { CAIRN_FAILPOINT: `migrate:kill@${step}` } })
      expect(signal, `step ${step} of ${count}`).toBe(step <= count ? 'SIGKILL' : null)
      await expectMigrated(home)
      if (make === oldHome) await expectAsWritten(home)
    }
  })
})

describe('a store of a newer format', () => {
  const sandbox = makeSandbox()

  it('C20 U56 is refused by library and command, which ends with 6, and is left alone', async () => {
    const home = oldHome()
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
