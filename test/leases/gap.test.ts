// The clock that leases run by jumps, as after the sleep of a machine: whoever held one has its time once more.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Cairn, openCairn } from '../../src/open.ts'
import { LeaseClock } from '../../src/store/postgres/lease-clock.ts'
import { freshDatabase } from '../setup/postgres-server.ts'
import { refused } from '../setup/roots.ts'

const day = 86_400_000

/** A database whose clock can be put forward: a function of ours is found before its own. */
async function jumpingDatabase(): Promise<{ url: string; jump(ms: number): Promise<void> }> {
  const { url, drop } = await freshDatabase(inject('postgres'))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  await client.query(`CREATE SCHEMA jumping; CREATE TABLE jumping.ahead (ms BIGINT); INSERT INTO jumping.ahead VALUES (0);
    CREATE FUNCTION jumping.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.clock_timestamp() + ms * interval '1 ms' FROM jumping.ahead $$`)
  const there = new URL(url)
  there.searchParams.set('options', '-c search_path=jumping,pg_catalog,public')
  const jump = async (ms: number) => {
    await client.query('UPDATE jumping.ahead SET ms = ms + $1', [ms])
  }
  return { url: there.href, jump }
}

async function open(store: string, session?: string): Promise<Cairn> {
  const home = mkdtempSync(join(tmpdir(), 'cairn-gap-'))
  const cairn = await openCairn({ home, store, ...(session && { session }) })
  onTestFinished(async () => {
    await cairn.close()
    rmSync(home, { recursive: true, force: true })
  })
  return cairn
}

describe('a jump of the clock on Postgres', () => {
  it('U23 gives every lease that was held its time once more', async () => {
    const { url, jump } = await jumpingDatabase()
    const { session_id: session } = await (await open(url)).session.create({ topic: 'leases' })
    const [holder, rival] = [await open(url, session), await open(url, session)]
    const { token } = await holder.lease.claim({ name: 'a', ttl: '10m' })
    const { token: second } = await holder.lease.claim({ name: 'b', ttl: '10m' })
    expect(await refused(rival.lease.claim({ name: 'a', ttl: '10m' }))).toMatchObject({ code: 'held_by_other' })
    await jump(day)
    for (const name of ['a', 'b']) {
      const refusal = await refused(rival.lease.claim({ name, ttl: '10m' }))
      expect(refusal).toMatchObject({ code: 'held_by_other' })
      expect(refusal.details.expires_in_ms).toBeLessThanOrEqual(600_000)
    }
    expect(await holder.state.set({ key: 'k', value: 1, fence: `a:${token}` })).toMatchObject({ version: 1 })
    await holder.lease.heartbeat({ name: 'a', token })
    await holder.lease.release({ name: 'a', token })
    expect(await rival.lease.claim({ name: 'a', ttl: '10m' })).toMatchObject({ token: expect.stringMatching(/^2\./) })
    // Another process has not seen the jump: it takes over what has run out, and the late holder is refused.
    const newcomer = await open(url, session)
    expect(await newcomer.lease.claim({ name: 'b', ttl: '10m' })).toMatchObject({
      token: expect.stringMatching(/^2\./),
    })
    expect(await refused(holder.state.set({ key: 'k', value: 2, fence: `b:${second}` }))).toMatchObject({
      code: 'fenced',
    })
  })

  it('U23 is told from time that passes, and from answers that come late', () => {
    const clock = new LeaseClock()
    expect(clock.at(1000, 50)).toEqual({ ms: 1000, boot: '', gap: undefined })
    expect(clock.at(1000 + day, 50 + day).gap).toBeUndefined()
    expect(clock.at(5000 + day, 60 + day).gap).toBeUndefined()
    expect(clock.at(1000, 70 + day).gap).toBeUndefined()
    const gap = { before: 1010, after: 1010 + day }
    expect(clock.at(1010 + day, 80 + day).gap).toEqual(gap)
    expect(clock.at(1020 + day, 90 + day).gap).toEqual(gap)
  })
})
