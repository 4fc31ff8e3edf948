// On SQLite long texts lie beside their rows. Nobody who asks may notice, and nothing of them may stay behind.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'

const sqlite = STORES[0] as (typeof STORES)[number]
const lengths = [0, 1, 740, 747, 748, 749, 750, 751, 752, 760, 5000, 100_000]
const tables = ['events', 'state_versions']

async function textsBeside(store: TestStore): Promise<number> {
  const counts = await Promise.all(tables.map((table) => store.sql(`SELECT count(*) AS count FROM ${table}_texts`)))
  return counts.reduce((sum, [row]) => sum + Number(row?.count), 0)
}

function filesHold(store: TestStore, text: string): boolean {
  return readdirSync(store.home).some((name) => readFileSync(join(store.home, name)).includes(text))
}

describe('texts of any length', () => {
  const store = freshStore(sqlite)

  it('are read as they were written, now, in the past, by the feed and after reopening', async () => {
    const { session } = await newRoot(store())
    let cairn = await store().open({ session })
    for (const length of lengths) await cairn.state.set({ key: 'k', value: 'é'.repeat(length) })
    cairn = await store().reopen({ session })
    const { events } = await cairn.log.list({ since: 1 })
    for (const [at, length] of lengths.entries()) {
      const value = 'é'.repeat(length)
      expect((await cairn.state.get({ key: 'k', at: at + 2 })).value).toBe(value)
      expect(events[at]).toMatchObject({ data: { value } })
    }
    expect(await textsBeside(store())).toBeGreaterThan(0)
    await store().verify()
  })

  it('are gone with their root, and with what is erased', async () => {
    const { cairn, session } = await newRoot(store())
    const words = ['first', 'second'].map((word) => `${word}-${'x'.repeat(2000)}`)
    for (const [at, value] of words.entries()) await cairn.state.set({ key: `k${at}`, value })
    const { slug } = await cairn.session.show({ session })
    await cairn.store.erase({ session, key: 'k0', confirm: slug })
    expect(filesHold(store(), words[0] as string)).toBe(false)
    expect(filesHold(store(), words[1] as string)).toBe(true)
    await store().verify()
    await cairn.store.remove({ session, confirm: slug, force: true })
    expect(await textsBeside(store())).toBe(0)
  })

  it('are copied for a fork whose origin is removed', async () => {
    const { cairn, session } = await newRoot(store())
    const value = 'x'.repeat(3000)
    await cairn.state.set({ key: 'k', value })
    const { session_id: fork } = await cairn.session.fork({ session })
    const { slug } = await cairn.session.show({ session })
    await cairn.store.remove({ session, confirm: slug, force: true })
    expect((await cairn.state.get({ session: fork, key: 'k', at: 2 })).value).toBe(value)
    await store().verify()
  })
})

describe('a text that was lost beside its row', () => {
  const store = freshStore(sqlite, { damaged: true })

  it.each(tables)('is noticed by doctor in %s', async (table) => {
    const { cairn, session } = await newRoot(store())
    await cairn.state.set({ session, key: 'k', value: 'x'.repeat(2000) })
    await store().sql(`DELETE FROM ${table}_texts`)
    const { ok } = await cairn.store.doctor({})
    expect(ok).toBe(false)
  })
})
