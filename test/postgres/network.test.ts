// The wire between a program and its database is cut, slow or dead.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { CairnRefusal } from '../../src/index.ts'
import { startProgram } from '../leases/program.ts'
import { freshDatabase, startPostgres } from '../setup/postgres-server.ts'
import { lastSeq } from '../setup/roots.ts'
import { startWire, type Trap, type Wire } from './proxy.ts'
import { changed, newHome, openAt, problemsAt, refusedReadably, rootAt, withParameters } from './trouble.ts'

/** Long enough for anything that is answered at all. */
const quick = { query_timeout: 4000 }

async function behindWire(parameters: Record<string, number> = {}) {
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  const { cairn: direct, session } = await rootAt(url)
  const proxy = await startWire(withParameters(url, parameters))
  const cairn = await openAt(proxy.url, { session })
  return { url, direct, session, proxy, cairn }
}

/** As after the repair of the wire. */
function mend(proxy: Wire): void {
  proxy.cut()
  proxy.trap = undefined
  proxy.hanging = false
}

/** Connections that were idle when the wire was mended may still be found dead: whoever has a request id asks again. */
async function settled<Out>(ask: () => Promise<Out>): Promise<Out> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof CairnRefusal) || !['unavailable', 'outcome_unknown'].includes(error.code)) throw error
      await sleep(20)
    }
  }
}

describe('a wire to Postgres', () => {
  const caught: [way: string, text: (value: string) => string, then: Trap['then']][] = [
    ['the commit arrives and its answer does not', () => 'COMMIT\0', 'unanswered'],
    ['the commit does not arrive', () => 'COMMIT\0', 'lost'],
    ['rows arrive and nothing comes back', (value) => value, 'unanswered'],
    ['rows do not arrive', (value) => value, 'lost'],
    ['rows arrive and the wire hangs', (value) => value, 'hangs'],
  ]
  it.each(caught)(
    'U15 that breaks in a change, where %s: the outcome is unknown, and a repeat settles it',
    async (_, text, then) => {
      const { proxy, cairn, direct, url } = await behindWire(quick)
      // A first change goes the way with a lock; those after it, of a root that nobody else writes to, go at once.
      for (const [key, atOnce] of [
        ['first', false],
        ['second', true],
      ] as const) {
        if (atOnce) for (let at = 0; at < 3; at++) await cairn.state.set({ key, value: at })
        const value = `marked ${key}`
        const ask = () => cairn.state.append({ key: 'list', items: [value], request_id: `request ${key}` })
        if (atOnce && text(value) === 'COMMIT\0') continue
        proxy.trap = { text: text(value), then }
        expect((await refusedReadably(ask())).code).toBe('outcome_unknown')
        mend(proxy)
        const answer = await settled(ask)
        expect(await ask()).toEqual(answer)
        const list = (await direct.state.get({ key: 'list' })).value as string[]
        expect(list.filter((item) => item === value)).toHaveLength(1)
      }
      expect(await problemsAt(url)).toEqual([])
    },
  )

  it('that hangs: reads and changes end as refusals, and all is well when it is mended', async () => {
    const { proxy, cairn } = await behindWire(quick)
    await cairn.state.set({ key: 'k', value: 1 })
    proxy.hanging = true
    expect((await refusedReadably(cairn.state.get({ key: 'k' }))).code).toBe('unavailable')
    const change = await refusedReadably(cairn.state.set({ key: 'k', value: 2, request_id: 'while it hangs' }))
    expect(['unavailable', 'outcome_unknown']).toContain(change.code)
    mend(proxy)
    await settled(() => cairn.state.set({ key: 'k', value: 2, request_id: 'while it hangs' }))
    expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 2, version: 2 })
  })

  it('that hangs does not hold up the close of a store', async () => {
    const { proxy, cairn } = await behindWire(quick)
    await cairn.state.set({ key: 'k', value: 1 })
    proxy.hanging = true
    await cairn.close()
    expect((await refusedReadably(cairn.state.get({ key: 'k' }))).code).toBe('unavailable')
  })

  it('that is slow only takes longer', async () => {
    const { proxy, cairn } = await behindWire()
    proxy.delayMs = 30
    const done = await Promise.all(Array.from({ length: 20 }, () => cairn.state.increment({ key: 'n' })))
    const values = done.map(({ value }) => Number(value)).sort((a, b) => a - b)
    expect(values).toEqual(done.map((_, at) => at + 1))
    expect(await lastSeq(cairn)).toBe(21)
  })

  it('U17 of one holder only: it loses its lease, and writes nothing when it is back', async () => {
    const { proxy, cairn, direct } = await behindWire(quick)
    const { token: first } = await cairn.lease.claim({ name: 'l', ttl: '8s' })
    await cairn.state.set({ key: 'k', value: 1, fence: `l:${first}` })
    proxy.hanging = true
    expect((await refusedReadably(cairn.lease.heartbeat({ name: 'l', token: first }))).code).toMatch(
      /unavailable|outcome/,
    )
    let token = ''
    while (token === '') {
      const taken = await direct.lease.claim({ name: 'l', ttl: '1h' }).catch((error) => {
        if (error.code !== 'held_by_other') throw error
      })
      token = taken?.token ?? ''
      await sleep(20)
    }
    mend(proxy)
    await settled(() => cairn.state.get({ key: 'k' }))
    expect(await refusedReadably(cairn.state.set({ key: 'k', value: 2, fence: `l:${first}` }))).toMatchObject({
      code: 'fenced',
      details: { current_epoch: 2 },
    })
    expect(await direct.state.get({ key: 'k' })).toMatchObject({ value: 1, version: 1 })
  })
})

/** The program that makes networks. */
const networks = 'ip'
const ip = (...words: string[]) => execFileSync(networks, words, { stdio: 'pipe' })

/** A network of its own, joined to ours by one cable; undefined where that cannot be had. */
function cable(): { name: string; near: string; far: string; link: string } | undefined {
  const id = process.pid % 4000
  const name = `cairn${id}`
  const link = `cairn${id}v`
  const [near, far] = [`10.${200 + (id % 50)}.${id % 250}.1`, `10.${200 + (id % 50)}.${id % 250}.2`]
  try {
    ip('netns', 'add', name)
  } catch {
    return undefined
  }
  onTestFinished(() => void ip('netns', 'del', name))
  try {
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', `${link}p`, 'netns', name)
    ip('addr', 'add', `${near}/30`, 'dev', link)
    ip('link', 'set', link, 'up')
    ip('-n', name, 'addr', 'add', `${far}/30`, 'dev', `${link}p`)
    ip('-n', name, 'link', 'set', `${link}p`, 'up')
    return { name, near, far, link }
  } catch {
    return undefined
  }
}

describe('a cable to Postgres', () => {
  it('that is pulled out: calls end as refusals, and go on when it is back', async (ctx) => {
    const network = cable()
    if (network === undefined) return ctx.skip('networks of their own (ip netns, veth) cannot be made here')
    const settings = { max_connections: 20, listen_addresses: `127.0.0.1,${network.near}` }
    const server = await startPostgres({ settings })
    onTestFinished(() => server.remove())
    appendFileSync(join(server.dir, 'data/pg_hba.conf'), `host all all ${network.far}/32 scram-sha-256\n`)
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    await admin.query('SELECT pg_reload_conf()')
    await admin.end()
    const { session, cairn } = await rootAt(server.url)
    const store = withParameters(changed(server.url, { host: `${network.near}:${server.port}` }), quick)
    const far = await startProgram(
      'test/postgres/loader.ts',
      { home: newHome(), store },
      {
        under: [networks, 'netns', 'exec', network.name],
      },
    )
    const ask = (request_id: string) => far.call('state.increment', { session, key: 'n', request_id })
    expect(await ask('before')).toMatchObject({ answer: { value: 1 } })
    ip('link', 'set', network.link, 'down')
    const cut = await ask('cut')
    expect(['unavailable', 'outcome_unknown']).toContain(cut.refused)
    ip('link', 'set', network.link, 'up')
    let again = await ask('cut')
    while (again.refused === 'unavailable' || again.refused === 'outcome_unknown') again = await ask('cut')
    expect(again).toMatchObject({ answer: { value: 2, version: 2 } })
    expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 2 })
  })
})
