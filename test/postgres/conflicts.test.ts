// Conflicts that Postgres resolves by ending a transaction are ours to repeat: nobody is told of them.
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../setup/postgres-server.ts'
import { openAt, problemsAt, rootAt } from './trouble.ts'

async function serializable(): Promise<string> {
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const name = new URL(url).pathname.slice(1)
  await admin.query(`ALTER DATABASE "${name}" SET default_transaction_isolation = 'serializable'`)
  await admin.end()
  return url
}

describe('a database that makes every transaction serializable', () => {
  it('FAULTS 52 lets 16 clients on two keys write, and none hears of a conflict', async () => {
    const url = await serializable()
    const { session } = await rootAt(url)
    const clients = await Promise.all(Array.from({ length: 4 }, () => openAt(url, { session })))
    const rounds = 15
    const writing = Array.from({ length: 16 }, async (_, at) => {
      const cairn = clients[at % clients.length] as (typeof clients)[number]
      for (let round = 0; round < rounds; round++) {
        await cairn.state.increment({ key: `k${round % 2}` })
        await cairn.state.batch({ operations: ['k0', 'k1'].map((key) => ({ op: 'increment' as const, key })) })
      }
    })
    await Promise.all(writing)
    const { state } = await (clients[0] as (typeof clients)[number]).state.all({})
    expect(Number(state.k0) + Number(state.k1)).toBe(16 * rounds * 3)
    expect(await problemsAt(url)).toEqual([])
  })
})

describe('a transaction that Postgres ends because of another', () => {
  it.each(['40001', '40P01'])('FAULTS 52 is done again after %s', async (state) => {
    const { url, drop } = await freshDatabase(inject('postgres'))
    onTestFinished(drop)
    const { cairn, session } = await rootAt(url)
    await cairn.state.set({ session, key: 'k', value: 0 })
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    // The first two writes of a version are ended; a sequence keeps its value when they are undone.
    await admin.query('CREATE SEQUENCE tries')
    await admin.query(`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '${state}'; END IF;
      RETURN NEW; END $$`)
    await admin.query(
      'CREATE TRIGGER conflict BEFORE INSERT ON state_versions FOR EACH ROW EXECUTE FUNCTION conflict()',
    )
    expect((await cairn.state.increment({ session, key: 'k' })).value).toBe(1)
    const { rows } = await admin.query('SELECT last_value FROM tries')
    expect(Number(rows[0].last_value)).toBe(3)
    await admin.query('DROP TRIGGER conflict ON state_versions')
    await admin.end()
    expect(await problemsAt(url)).toEqual([])
  })

  it('FAULTS 52 is given up as busy when it is always so, without a word of SQL', async () => {
    const { url, drop } = await freshDatabase(inject('postgres'))
    onTestFinished(drop)
    const { cairn, session } = await rootAt(url)
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`)
    await admin.query(
      'CREATE TRIGGER conflict BEFORE INSERT ON state_versions FOR EACH ROW EXECUTE FUNCTION conflict()',
    )
    const refused = cairn.state.set({ session, key: 'k', value: 1 })
    await expect(refused).rejects.toMatchObject({ code: 'busy', message: 'Too many conflicts with other writers.' })
    await admin.query('DROP TRIGGER conflict ON state_versions')
    await admin.end()
    expect((await cairn.state.set({ session, key: 'k', value: 2 })).version).toBe(1)
  })
})
