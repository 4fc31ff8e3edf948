// A root that somebody else holds for too long: who is refused because of it can go on at once when it is free.
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../setup/postgres-server.ts'
import { openAt, problemsAt, refusedReadably, rootAt, withParameters } from './trouble.ts'

/** Holds the head of a root until it is told to let go. */
async function holderOf(url: string, root: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT root FROM roots WHERE id = $1 FOR UPDATE', [root])
  onTestFinished(() => client.end())
  return () => client.end()
}

describe('a root that is held for too long', () => {
  it('refuses its writers as busy, and every call after that is answered', async () => {
    const { url, drop } = await freshDatabase(inject('postgres'))
    onTestFinished(drop)
    const { session: held } = await rootAt(url)
    const { session: other } = await rootAt(url)
    const cairn = await openAt(withParameters(url, { lock_timeout: 200 }))
    for (const session of [held, other]) await cairn.state.set({ session, key: 'n', value: 0 })
    let counted = 0
    // The first change of a process goes the way with a lock, as does one of a key it does not know; the others go at once.
    for (const change of ['n', 'n', 'unknown']) {
      const letGo = await holderOf(url, held)
      const refusal = await refusedReadably(cairn.state.increment({ session: held, key: change }))
      expect(refusal.code).toBe('busy')
      for (let times = 0; times < 5; times++) {
        expect(await cairn.state.increment({ session: other, key: 'n' })).toMatchObject({ value: ++counted })
        expect(await cairn.state.get({ session: held, key: 'n' })).toBeDefined()
      }
      await letGo()
      const more = Array.from({ length: 20 }, () => cairn.state.increment({ session: held, key: `after ${change}` }))
      expect(await Promise.all(more)).toHaveLength(20)
      expect(await cairn.state.all({ session: held })).toBeDefined()
      expect(await cairn.store.doctor({})).toMatchObject({ ok: true })
    }
    expect(await cairn.state.get({ session: held, key: 'n' })).toMatchObject({ value: 0 })
    expect(await problemsAt(url)).toEqual([])
  })
})
