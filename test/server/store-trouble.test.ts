// What a server answers while its store is in trouble: a status and a code that say so, and all goes on when it is over.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { lacking } from '../faults/children.ts'
import { startPostgres } from '../setup/postgres-server.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { listening, type RunningServer, startServer } from './servers.ts'

const unmountable = lacking('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')

/** A busy machine takes its time to see that a server is gone. */

function newSandbox(): Sandbox {
  const made = new Sandbox()
  onTestFinished(() => made.remove())
  return made
}

interface Root {
  readonly session: string
  read(): Promise<Document>
  /** An answer, with the header that says when to come again. */
  set(key: string, value: unknown): Promise<{ status: number; error: unknown; retryAfter: string | null }>
}

async function rootOf(server: RunningServer): Promise<Root> {
  const { session_id: session } = await server.call('session.create', { topic: 'trouble' })
  return {
    session,
    read: async () => (await server.send('GET', `/sessions/${session}/state`)).json(),
    set: async (key, value) => {
      const response = await server.send('POST', '/operations/state.set', { session, key, value })
      const { error } = (await response.json()) as Document
      return { status: response.status, error, retryAfter: response.headers.get('retry-after') }
    },
  }
}

const done = { status: 200, error: undefined, retryAfter: null }

describe('a full disk', () => {
  /** A sandbox whose data folder is a disk of its own, and the way to make that larger. */
  function onDisk(): { sandbox: Sandbox; enlarge: () => void } {
    const sandbox = new Sandbox()
    mkdirSync(sandbox.home)
    const mount = (options: string, place: string[]) => {
      const { status, stderr } = spawnSync('mount', ['-o', options, ...place, sandbox.home])
      expect(status, String(stderr)).toBe(0)
    }
    onTestFinished(() => {
      spawnSync('umount', ['-l', sandbox.home])
      sandbox.remove()
    })
    mount('size=2m,mode=0700', ['-t', 'tmpfs', 'tmpfs'])
    return { sandbox, enlarge: () => mount('remount,size=64m', []) }
  }

  it('FAULTS 7 is 507 to those who write, and nothing to those who read', async (context) => {
    if (unmountable) context.skip(unmountable)
    const { sandbox, enlarge } = onDisk()
    // Otherwise it would refuse to write before the disk is full.
    const server = await startServer(sandbox, [], { CAIRN_LIMIT_DISK_FREE_BYTES: '0' })
    const { session, read, set } = await rootOf(server)
    const written: Record<string, string> = {}
    const value = 'x'.repeat(100_000)
    let last = await set('k0', value)
    for (let at = 0; last.status === 200; at++) {
      written[`k${at}`] = value
      last = await set(`k${at + 1}`, value)
    }
    expect(last).toEqual({ status: 507, error: 'disk_full', retryAfter: null })
    expect(await set('more', value)).toMatchObject({ status: 507, error: 'disk_full' })
    expect((await read()).state).toEqual(written)
    enlarge()
    expect(await set('more', value)).toEqual(done)
    expect((await read()).state).toEqual({ ...written, more: value })
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    const all = await sandbox.answer(['state', 'get', '--session', session])
    expect(Object.keys(all.state).sort()).toEqual([...Object.keys(written), 'more'].sort())
    expect(await sandbox.answer(['doctor'])).toMatchObject({ ok: true })
  })

  it('FAULTS 8 has no room for the log of the server either, which goes on without it, and ends in order', async (context) => {
    if (unmountable) context.skip(unmountable)
    const { sandbox, enlarge } = onDisk()
    const log = join(sandbox.home, 'log')
    const serve = [process.execPath, resolve('bin/cairn'), 'serve', '--json', '--log', '--port', '0']
    const env = { PATH: process.env.PATH, HOME: sandbox.folder, CAIRN_HOME: sandbox.home }
    const server = await listening(sandbox, spawn('sh', ['-c', 'exec "$@" 2>>"$0"', log, ...serve], { env }))
    const list = async (times: number) => {
      for (let at = 0; at < times; at++) expect((await server.send('GET', '/sessions')).status).toBe(200)
    }
    const logBytes = () => statSync(log).size
    const fill = () =>
      expect(() => appendFileSync(join(sandbox.home, 'ballast'), Buffer.alloc(100 << 20))).toThrow('ENOSPC')
    await list(1)
    await expect.poll(logBytes).toBeGreaterThan(0)
    fill()
    // More lines than the last page of the log has room for.
    await list(100)
    const full = logBytes()
    await list(5)
    expect(logBytes()).toBe(full)
    enlarge()
    await list(1)
    await expect.poll(logBytes).toBeGreaterThan(full)
    fill()
    await list(100)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })
})

it('FAULTS 12 a lock that another process keeps is 503 with a time to come again, and nothing is lost', async () => {
  const sandbox = newSandbox()
  const server = await startServer(sandbox)
  const { read, set } = await rootOf(server)
  expect(await set('before', 1)).toEqual(done)
  const other = new DatabaseSync(join(sandbox.home, 'cairn.db'), { timeout: 5000 })
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const waiting = set('meanwhile', 1)
  // Who reads does not wait for who writes.
  expect((await read()).state).toEqual({ before: 1 })
  expect(await waiting).toEqual({ status: 503, error: 'busy', retryAfter: '1' })
  other.exec('ROLLBACK')
  expect(await set('after', 1)).toEqual(done)
  expect((await read()).state).toEqual({ before: 1, after: 1 })
})

it('FAULTS 48 a Postgres that is away is 503 with a time to come again, and all goes on when it is back', async () => {
  const settings = { max_connections: 30, shared_buffers: '16MB' }
  const postgres = await startPostgres({ settings })
  onTestFinished(() => postgres.remove())
  const server = await startServer(newSandbox(), ['--store', postgres.url])
  const { read, set } = await rootOf(server)
  expect(await set('before', 1)).toEqual(done)
  await postgres.stop('fast')
  await expect.poll(read).toMatchObject({ error: 'unavailable' })
  expect(await set('meanwhile', 1)).toEqual({ status: 503, error: 'unavailable', retryAfter: '1' })
  expect((await server.send('GET', '/health')).status).toBe(200)
  const again = await startPostgres({ dir: postgres.dir, port: postgres.port, settings })
  onTestFinished(() => again.stop())
  await expect.poll(read).toMatchObject({ state: { before: 1 } })
  expect(await set('after', 1)).toEqual(done)
  expect((await read()).state).toEqual({ before: 1, after: 1 })
  expect(await server.stop()).toEqual({ code: 0, signal: null })
})

describe.each(STORES)('a past that is not there, of a server on $name', (kind) => {
  const store = sharedStore(kind)

  it('FAULTS 57 is 410 where it was compacted, and 409 where it is ahead of the log', async () => {
    const { options, home } = store()
    const server = await startServer(newSandbox(), ['--store', options.store ?? `sqlite:${home}/cairn.db`])
    const { session, set } = await rootOf(server)
    for (const value of [1, 2, 3]) expect(await set('k', value)).toEqual(done)
    const since = async (path: string, seq: number): Promise<[number, Document]> => {
      const response = await server.send('GET', `/sessions/${session}${path}?since=${seq}`)
      return [response.status, await response.json()]
    }
    expect(await since('/state/events', 0)).toMatchObject([200, { events: [{}, {}, {}] }])
    await server.call('store.compact', { session, older_than: '0s' })
    expect(await set('k', 4)).toEqual(done)
    const gone = await since('/state/events', 0)
    expect(gone).toMatchObject([410, { error: 'compacted', resume_since: 3 }])
    expect(await since('/state/events', gone[1].resume_since)).toMatchObject([200, { events: [{ value: 4 }] }])
    const past = await server.send('GET', `/sessions/${session}/state?at=2`)
    expect([past.status, await past.json()]).toMatchObject([410, { error: 'compacted', floor: 4 }])

    expect(await since('/events', 5)).toMatchObject([200, { events: [], last_seq: 5 }])
    expect(await since('/events', 6)).toMatchObject([409, { error: 'history_lost', since: 6, last_seq: 5 }])
    expect(await since('/events', 1000)).toMatchObject([409, { error: 'history_lost', since: 1000, last_seq: 5 }])
    expect(await since('/state/events', 1000)).toMatchObject([409, { error: 'history_lost' }])
  })
})
