// Many processes on one database: what they do to each other never shows.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { parts } from '../../src/domain/parts.ts'
import type { Cairn } from '../../src/index.ts'
import { startProgram } from '../leases/program.ts'
import { freshDatabase, startPostgres } from '../setup/postgres-server.ts'
import { lastSeq } from '../setup/roots.ts'
import type { Loaded, LoadTask } from './loader.ts'
import { newHome, openAt, problemsAt, refusedReadably, rootAt } from './trouble.ts'

async function newDatabase(): Promise<string> {
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  return url
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

describe('readers whose notices are lost', () => {
  it('S0-110 S0-94 go on after the connection they listen on was ended, and miss nothing', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    const writer = await openAt(url, { session })
    const admin = await connected(url)
    onTestFinished(() => admin.end())
    const end = 60
    const seen: number[] = []
    const reading = (async () => {
      for await (const { seq } of cairn.follow()) {
        seen.push(seq)
        if (seq === end) return
      }
    })()
    let ended = 0
    while ((await lastSeq(writer)) < end) {
      await writer.state.increment({ key: 'n' })
      if ((await lastSeq(writer)) % 15 !== 0) continue
      const { rowCount } = await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
      ended += rowCount ?? 0
      await sleep(600)
    }
    await reading
    expect(ended).toBeGreaterThan(0)
    expect(seen).toEqual(Array.from({ length: end }, (_, at) => at + 1))
  })
})

describe('a server without a free connection', () => {
  it('lets callers wait for one, refuses them in the end, and is fine later', async () => {
    const server = await startPostgres({ settings: { max_connections: 12, superuser_reserved_connections: 0 } })
    onTestFinished(() => server.remove())
    const { cairn, session } = await rootAt(server.url)
    const hoard: pg.Client[] = []
    const fill = async () => {
      for (;;) {
        const client = await connected(server.url).catch(() => undefined)
        if (client === undefined) return
        hoard.push(client)
      }
    }
    const free = () => Promise.all(hoard.splice(0).map((client) => client.end()))
    onTestFinished(async () => void (await free()))
    await fill()
    const store = server.url
    const refusal = await refusedReadably(openAt(store, { session }))
    expect(refusal).toMatchObject({ code: 'unavailable', message: expect.stringContaining('out of connections') })
    // Who has connections goes on with them; who needs more waits until there are some.
    await cairn.state.increment({ key: 'n' })
    const roots = await Promise.all(Array.from({ length: 12 }, () => ownRoot(cairn)))
    expect(new Set(roots).size).toBe(12)
    const waiting = openAt(store, { session })
    await sleep(200)
    await free()
    expect(await (await waiting).state.get({ key: 'n' })).toMatchObject({ value: 1 })
  })

  /** Each on a root of its own, so that each wants a connection of its own. */
  async function ownRoot(cairn: Cairn): Promise<string> {
    return (await cairn.session.create({ topic: 'one of many' })).session_id
  }
})

describe('writers that could lock each other out', () => {
  it('S0-5 S0-94 U15 three processes, 16 callers, two roots, the same request ids at once: nobody is refused', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    const { session_id: other } = await cairn.session.create({ topic: 'another' })
    const options = { home: newHome(), store: url }
    const all = await Promise.all([0, 1, 2].map(() => startProgram('test/postgres/loader.ts', options)))
    // Two processes send the very same requests; the third has its own.
    const task: LoadTask = { sessions: [session, other], callers: 16, prefix: 'shared', calls: 18 }
    const tasks = [task, task, { ...task, prefix: 'own' }]
    const loaded = await Promise.all(all.map((each, at) => each.perform<Loaded>('load', tasks[at])))
    expect(loaded.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(loaded.map(({ refused }) => refused)).toEqual([{}, {}, {}])
    for (const root of [session, other]) {
      const once = (loaded[0]?.answered[root] ?? 0) + (loaded[2]?.answered[root] ?? 0)
      expect(await cairn.state.get({ session: root, key: 'n' })).toMatchObject({ value: once, version: once })
    }
    expect(await problemsAt(url)).toEqual([])
  })

  it('S0-5 U15 the same ids and directories in two roots at once, in opposite orders: one is first, nobody waits for ever', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    const { session_id: other } = await cairn.session.create({ topic: 'another' })
    const second = await openAt(url)
    await second.state.set({ session: other, key: 'k', value: 0 })
    await cairn.state.set({ session, key: 'k', value: 0 })
    const admin = await connected(url)
    onTestFinished(() => admin.end())
    // Holds the last row of both tables that roots share, until both groups wait in the middle of their rows.
    await admin.query('BEGIN')
    await admin.query(`INSERT INTO projects (dir, updated_at) VALUES ('/dir/z', 0)`)
    await admin.query(
      `INSERT INTO requests (caller, id, root, fingerprint, answer, at) VALUES ('owner', 'z', 0, '', '{}', 0)`,
    )

    const ids = ['a', 'b', 'c', 'z']
    const use = (library: Cairn, root: string, id: string) =>
      library.project.use({ session: root, project: `/dir/${id}` })
    const set = (library: Cairn, root: string, id: string) =>
      library.state.set({ session: root, key: id, value: root, request_id: id })
    const there = ids.flatMap((id) => [use(cairn, session, id), set(cairn, session, id)])
    const back = [...ids].reverse().flatMap((id) => [set(second, other, id), use(second, other, id)])
    const done = Promise.allSettled([...there, ...back])
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while ((await admin.query(waiting)).rows.length < 2) await sleep(10)
    await admin.query('ROLLBACK')
    const codes = (await done).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    // Of each id the second to come has another body than the first.
    expect(codes).toEqual(ids.map(() => 'idempotency_mismatch'))
    expect(await problemsAt(url)).toEqual([])
  })
})

describe('two processes that take turns on one root', () => {
  it('S0-5 S0-94 lose no event and make none twice, whoever wrote last', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    const options = { home: newHome(), store: url }
    const other = await startProgram('test/postgres/loader.ts', options)
    let expected = 0
    // Runs of one's own writes go without a lock; each change of hands has to find what the other left.
    for (const [mine, theirs] of [
      [1, 1],
      [3, 1],
      [1, 3],
      [5, 5],
      [2, 0],
      [0, 2],
      [4, 1],
      [1, 1],
    ] as const) {
      for (let at = 0; at < mine; at++) {
        expect(await cairn.state.increment({ key: 'n' })).toMatchObject({ value: ++expected })
      }
      for (let at = 0; at < theirs; at++) {
        const done = await other.call('state.increment', { session, key: 'n' })
        expect(done).toMatchObject({ answer: { value: ++expected } })
      }
    }
    const both = await Promise.all([
      ...Array.from({ length: 30 }, (_, at) => cairn.state.append({ key: 'list', items: [`mine ${at}`] })),
      ...Array.from({ length: 30 }, (_, at) =>
        other.call('state.append', { session, key: 'list', items: [`theirs ${at}`] }),
      ),
    ])
    expect(both).toHaveLength(60)
    const list = (await cairn.state.get({ key: 'list' })).value as string[]
    expect(new Set(list).size).toBe(60)
    expect(list).toHaveLength(60)
    expect(await lastSeq(cairn)).toBe(1 + expected + 60)
    expect(await problemsAt(url)).toEqual([])
  })

  it('a root that another process removed between two writes is gone and does not come back', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    for (let at = 0; at < 4; at++) await cairn.state.set({ key: 'k', value: at })
    const other = await startProgram('test/postgres/loader.ts', { home: newHome(), store: url })
    const { slug } = await cairn.session.show({})
    const admin = await connected(url)
    onTestFinished(() => admin.end())
    const [{ root }] = (await admin.query('SELECT root FROM roots WHERE id = $1', [session])).rows
    const removed = await other.call('store.remove', { session, force: true, confirm: slug })
    expect(removed).toMatchObject({ answer: { root_session_id: session } })
    const writes = [
      () => cairn.state.set({ key: 'k', value: 9 }),
      () => cairn.state.increment({ key: 'n', request_id: 'after the end' }),
      () => cairn.session.create({ topic: 'child', parent: session }),
      () => cairn.lease.claim({ name: 'l', ttl: '1h' }),
      () => cairn.session.end({}),
    ]
    for (const write of writes) expect((await refusedReadably(write())).code).toBe('session_not_found')
    for (const { name } of parts.tables.filter(({ columns }) => 'root' in columns)) {
      const { rows } = await admin.query(`SELECT count(*)::int AS count FROM ${name} WHERE root = $1`, [root])
      expect([name, rows[0].count]).toEqual([name, 0])
    }
    expect((await admin.query('SELECT 1 FROM roots WHERE id = $1', [session])).rows).toEqual([])
    expect(await problemsAt(url)).toEqual([])
  })

  it('a process that is stopped in the middle of a change gives up its lock, and its change is refused or whole', async () => {
    const url = await newDatabase()
    const { cairn, session } = await rootAt(url)
    const store = new URL(url)
    store.searchParams.set('idle_in_transaction_session_timeout', '700')
    const stopped = await startProgram(
      'test/postgres/loader.ts',
      { home: newHome(), store: store.href },
      { env: { CAIRN_FAILPOINT: 'commit:stop' } },
    )
    const ask = () => stopped.call('state.increment', { session, key: 'n', request_id: 'stopped' })
    const pending = ask()
    const admin = await connected(url)
    onTestFinished(() => admin.end())
    const holding = async () => {
      const { rows } = await admin.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`)
      return rows.length > 0
    }
    while (!(await holding())) await sleep(10)
    while (await holding()) await sleep(20)
    await cairn.state.increment({ key: 'n', delta: 10 })
    stopped.signal('SIGCONT')
    expect(['unavailable', 'outcome_unknown']).toContain((await pending).refused)
    let again = await ask()
    while (again.refused === 'unavailable' || again.refused === 'outcome_unknown') again = await ask()
    expect(again).toMatchObject({ answer: { value: 11, version: 2 } })
    expect(await problemsAt(url)).toEqual([])
  })
})
