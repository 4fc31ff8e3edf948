// Processes that are killed while they restore: the store is empty afterwards or has everything, and can be restored into again.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { allRows } from '../upkeep/reading.ts'
import { runChild } from './children.ts'
import { newFolder } from './stores.ts'

/** A backup with some pages of rows of most tables. */
async function backupOf(kind: StoreKind): Promise<{ file: string; rows: object }> {
  const store = await newStore(kind)
  const session = await store.createRoot()
  const writer = await store.open({ session })
  const operations = Array.from({ length: 500 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: at }))
  for (let turn = 0; turn < 3; turn++) await writer.state.batch({ operations, request_id: `r${turn}` })
  // What is done behind the writes is done before it closes: the backup has it too.
  const cairn = await store.reopen({ session })
  await cairn.lease.claim({ name: 'l', ttl: '1h' })
  await cairn.project.use({ project: '/p' })
  const file = join(newFolder(), 'backup.db')
  expect(await cairn.store.backup({ file })).toMatchObject({ roots: 1 })
  return { file, rows: await allRows(store) }
}

async function newStore(kind: StoreKind): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
  return store
}

const moments = ['append:kill', 'append:kill@2', 'project:kill', 'project:kill@4', 'project:kill@9', 'commit:kill']

for (const kind of STORES) {
  describe(`restoring on ${kind.name}`, () => {
    it('U19 can be begun again after it was killed at any moment', async () => {
      const { file, rows } = await backupOf(kind)
      const store = await newStore(kind)
      await (await store.open()).close()
      const nothing = await allRows(store)
      const job = { ...store.options, do: 'restore', from: file } as const
      for (const moment of moments) {
        const killed = await runChild(job, { env: { CAIRN_FAILPOINT: moment } })
        expect([killed.signal, killed.acked], moment).toEqual(['SIGKILL', ['1.1']])
        expect(await allRows(store), moment).toEqual(nothing)
      }
      const done = await runChild(job)
      expect([done.acked, done.refused, done.raw]).toEqual([['1.1', '10'], [], []])
      expect(await allRows(store)).toEqual(rows)
      await store.verify()
      const again = await runChild(job)
      expect(again.refused).toMatchObject([{ id: '10', code: 'already_exists' }])
      expect(await allRows(store)).toEqual(rows)
    })

    it('U19 of two at once only one is done, and nobody reads the half of it', async () => {
      const { file, rows } = await backupOf(kind)
      const store = await newStore(kind)
      const [one, two, reader] = [await store.open(), await store.open(), await store.open()]
      let settled = false
      const both = Promise.allSettled([one.store.restore({ file }), two.store.restore({ file })]).finally(() => {
        settled = true
      })
      const counts = new Set<number>()
      while (!settled) {
        counts.add((await reader.session.list({ all: true })).sessions.length)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect([...counts].every((count) => count <= 1)).toBe(true)
      const [first, second] = await both
      expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected'])
      expect(await allRows(store)).toEqual(rows)
    })

    it('U19 refuses a store that has rows of any table, be they without a root', async () => {
      const { file } = await backupOf(kind)
      const store = await newStore(kind)
      const cairn = await store.open()
      await store.sql(`INSERT INTO projects (dir, session, updated_at) VALUES ('/q', NULL, 1)`)
      expect(await refused(cairn.store.restore({ file }))).toMatchObject({ code: 'already_exists' })
      const other = await openCairn({ home: join(newFolder(), 'home') })
      expect(await other.store.restore({ file })).toMatchObject({ roots: 1 })
      await other.close()
    })
  })
}
