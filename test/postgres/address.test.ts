// A store that cannot be had, for whatever reason: a refusal that says why and what to do.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { openCairn } from '../../src/open.ts'
import { migrations } from '../../src/store/migrations.ts'
import { refusalOf } from '../../src/store/postgres/errors.ts'
import { refuseUnsafe, type Settings } from '../../src/store/postgres/settings.ts'
import { sandbox } from '../cli/sandbox.ts'
import { freshDatabase, type PostgresServer, startPostgres } from '../setup/postgres-server.ts'
import { changed, expectReadable, newHome, refusedReadably, withParameters } from './trouble.ts'

const cli = sandbox()
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ settings: { max_connections: 20 } })
})
afterAll(() => server?.remove())

const opening = (store: string) =>
  openCairn({ home: newHome(), store }).then((cairn) => {
    onTestFinished(() => cairn.close())
    return cairn
  })

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The address of something that takes connections and is no Postgres. */
async function impostor(say: string | undefined): Promise<string> {
  const listener = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => void (say === undefined ? socket.end() : socket.end(say)))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  return `postgres://user:secret@127.0.0.1:${(listener.address() as { port: number }).port}/db`
}

describe('an address that leads to no store', () => {
  const wrong: [what: string, url: () => string | Promise<string>][] = [
    ['a closed port', () => 'postgres://user:secret@127.0.0.1:1/db'],
    ['a host that is not there', () => 'postgres://user:secret@no-such-host.invalid/db'],
    ['a wrong database', () => changed(server.url, { pathname: '/nowhere' })],
    ['a wrong password', () => changed(server.url, { password: 'wrong' })],
    ['no password', () => changed(server.url, { password: '' })],
    ['a wrong user', () => changed(server.url, { username: 'nobody' })],
    ['a server that hangs up', () => impostor(undefined)],
    ['a server of something else', () => impostor('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ]
  it.each(wrong)('U53 refuses %s as unavailable', async (_, url) => {
    const refusal = await refusedReadably(opening(await url()))
    expect(refusal.code).toBe('unavailable')
    expect(refusal.message + refusal.hint).not.toContain('secret')
  })

  it('leaves no connection behind that failed to sign in', async () => {
    const open = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length
    // Files of tests that ran before in this process may have left some that are kept for the next request.
    const before = open()
    await refusedReadably(opening(changed(server.url, { password: '' })))
    await refusedReadably(opening(changed(server.url, { password: 'wrong' })))
    while (open() > before) await sleep(10)
  })

  it.each(['', 'cairn.db', 'http://127.0.0.1/db', 'postgres:db', 'mysql://u@h/db', 'not a url'])(
    'refuses %j, which is no store',
    async (store) => expect((await refusedReadably(opening(store))).code).toBe('invalid_input'),
  )

  it.each(['postgres://user@host:port/db', 'postgres://us er:p@[::/db'])(
    'refuses %j, which is no URL',
    async (store) => {
      const refusal = await refusedReadably(opening(store))
      expect(refusal).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('postgres://USER') })
    },
  )

  it('refuses a user who may not make tables', async () => {
    await run(server.url, `CREATE ROLE guest LOGIN PASSWORD 'g'`, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    const refusal = await refusedReadably(opening(changed(server.url, { username: 'guest', password: 'g' })))
    expect(refusal).toMatchObject({ code: 'storage_error', message: expect.stringContaining('lacks privileges') })
  })

  it('U53 ends the program with 6 or 4, and one document without a stack', async () => {
    const run = (store: string) => {
      mkdirSync(cli.home, { recursive: true })
      writeFileSync(join(cli.home, 'config.json'), JSON.stringify({ store }))
      return cli.json(['ls'])
    }
    const closed = await run('postgres://user:secret@127.0.0.1:1/db')
    expect(closed).toMatchObject({ exit: 6, document: { error: 'unavailable', hint: expect.any(String) } })
    expectReadable(closed.document.message + closed.err)
    expect(closed.err).not.toContain('secret')
    expect(await run('nonsense')).toMatchObject({ exit: 4, document: { error: 'invalid_input' } })
  })
})

describe('a server that cannot keep the promises of a store', () => {
  const good = { version: '180004', fsync: 'on', commit: 'on', encoding: 'UTF8', format: migrations.length }
  const refusalFor = (found: Partial<Settings>): Refusal | undefined => {
    try {
      refuseUnsafe({ ...good, ...found }, migrations.length)
      return undefined
    } catch (refusal) {
      return refusal as Refusal
    }
  }

  it('is told by its settings', () => {
    for (const fine of [{}, { version: '130000' }, { commit: 'local' }, { commit: 'remote_apply' }]) {
      expect(refusalFor(fine)).toBeUndefined()
    }
    for (const bad of [
      { version: '120022' },
      { version: '90624' },
      { fsync: 'off' },
      { commit: 'off' },
      { encoding: 'LATIN1' },
    ]) {
      const refusal = refusalFor(bad) as Refusal
      expect(refusal).toBeInstanceOf(Refusal)
      expect(refusal).toMatchObject({ code: 'storage_error', hint: expect.stringContaining('PostgreSQL 13') })
      expectReadable(refusal.message)
    }
  })

  it('S0-3 is refused with synchronous_commit off, and taken when that was set right', async () => {
    const { url, drop } = await freshDatabase(server.url)
    onTestFinished(drop)
    const set = (to: string) =>
      run(server.url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = ${to}`)
    await set('off')
    const refusal = await refusedReadably(opening(url))
    expect(refusal).toMatchObject({
      code: 'storage_error',
      message: expect.stringContaining('synchronous_commit off'),
    })
    await set('on')
    expect(await (await opening(url)).session.create({ topic: 't' })).toMatchObject({ session_id: expect.any(String) })
  })

  it('S0-3 is refused with fsync off', async () => {
    const unsafe = await startPostgres({ settings: { fsync: 'off', max_connections: 10 } })
    onTestFinished(() => unsafe.remove())
    const refusal = await refusedReadably(opening(unsafe.url))
    expect(refusal).toMatchObject({ code: 'storage_error', message: expect.stringContaining('fsync off') })
  })
})

describe('errors of the database', () => {
  it.each([
    ['08006', 'unavailable', 'outcome_unknown'],
    ['57P01', 'unavailable', 'outcome_unknown'],
    ['57P03', 'unavailable', 'outcome_unknown'],
    ['25P03', 'unavailable', 'outcome_unknown'],
    ['28P01', 'unavailable', 'unavailable'],
    ['3D000', 'unavailable', 'unavailable'],
    ['53300', 'unavailable', 'unavailable'],
    ['42501', 'storage_error', 'storage_error'],
    ['58030', 'storage_error', 'storage_error'],
    ['40P01', 'busy', 'busy'],
    ['40001', 'busy', 'busy'],
    ['55P03', 'busy', 'busy'],
    ['ECONNRESET', 'unavailable', 'outcome_unknown'],
    ['EPIPE', 'unavailable', 'outcome_unknown'],
  ])('U53 %s is %s, and %s while a change was being committed', (code, before, committing) => {
    for (const [refusal, expected] of [
      [refusalOf(Object.assign(new Error('as the database says'), { code })), before],
      [refusalOf(Object.assign(new Error('as the database says'), { code }), true), committing],
    ] as const) {
      expect(refusal).toMatchObject({ code: expected, hint: expect.stringMatching(/\S/) })
      expectReadable((refusal as Refusal).message)
    }
  })

  it('a limit of time can be given with the address', () => {
    const url = withParameters('postgres://u@h/db', { query_timeout: 1500 })
    expect(new pg.Client({ connectionString: url, query_timeout: 15_000 })).toMatchObject({
      connectionParameters: { query_timeout: '1500' },
    })
  })
})
