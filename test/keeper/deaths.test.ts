// A server that dies is started again by its keeper, where it was; one that is told to end is not.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer } from '../server/servers.ts'
import { STORES } from '../setup/stores.ts'
import { Kept, never, runs, untilGone } from './kept.ts'

const again = /^The server serves again/
const died = /^The server \(pid \d+\) died/

for (const kind of STORES) {
  it(`a server that is killed comes back on ${kind.name}, at the same address and with the same token`, async () => {
    const store = await kind.makeReady()
    try {
      const kept = new Kept({}, store)
      const first = await kept.up()
      const { token } = kept
      const { session_id: session } = await kept.answer(['session', 'create', '--topic', 'Night'])
      for (const times of [1, 2, 3]) {
        const second = await kept.untilBackFrom('SIGKILL')
        expect(second).toMatchObject({ url: first.url })
        expect(second.pid).not.toBe(first.pid)
        const increment = await kept.answer(['state', 'increment', 'n', '--session', session])
        expect([increment.value, kept.token]).toEqual([times, token])
      }
      const told = kept.said(died)
      expect(told[0]).toBe(`The server (pid ${first.pid}) died: signal 9. The next start is in 0.01 s.`)
      // One after the other: twice as long each time.
      expect(told.map((each) => /in (\S+) s\.$/.exec(each)?.[1])).toEqual(['0.01', '0.02', '0.04'])
      const { pid } = kept.server
      expect(await kept.answer(['down'])).toMatchObject({ stopped: true, pid })
    } finally {
      await store.remove()
    }
  })
}

describe('how it died', () => {
  it.each(['SIGKILL', 'SIGABRT', 'SIGHUP'] as const)('%s is told by its number', async (signal) => {
    const kept = new Kept()
    await kept.up()
    await kept.untilBackFrom(signal)
    expect(kept.keeper?.died).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      how: `signal ${{ SIGKILL: 9, SIGABRT: 6, SIGHUP: 1 }[signal]}`,
    })
  })

  it('a server that V8 ends has died of that: out of memory', async () => {
    // It is enough to serve, and too little for what is in that request.
    const limits = { CAIRN_LIMIT_REQUEST_BYTES: '99999999', CAIRN_LIMIT_REQUEST_VALUES: '99999999' }
    const kept = new Kept({ NODE_OPTIONS: '--max-old-space-size=40', ...limits })
    const { url } = await kept.up()
    const { session_id: session } = await kept.answer(['session', 'create', '--topic', 'Large'])
    const headers = { authorization: `Bearer ${kept.token}`, 'content-type': 'application/json' }
    const value = `[${'{},'.repeat(5_000_000)}1]`
    const body = `{"session":"${session}","key":"k","value":${value}}`
    await fetch(`${url}/operations/state.set`, { method: 'POST', headers, body }).catch(() => undefined)
    expect(await kept.untilSaid(died)).toEqual([expect.stringContaining('died: out of memory.')])
    await kept.untilSaid(again)
  })
})

describe('who is told to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('a server that ends by %s is not started again', async (signal) => {
    const kept = new Kept()
    const { pid } = await kept.up()
    const { keeperPid } = kept
    process.kill(pid, signal)
    await untilGone(keeperPid)
    expect([kept.said(died), existsSync(join(kept.home, 'keeper.json')), runs(pid)]).toEqual([[], false, false])
  })

  it('down ends the server and its keeper', async () => {
    const kept = new Kept()
    const { pid, url } = await kept.up()
    const { keeperPid } = kept
    expect(await kept.answer(['down'])).toEqual({ stopped: true, pid, url })
    // Nothing is left when it answers.
    expect([runs(pid), runs(keeperPid)]).toEqual([false, false])
    expect(await kept.answer(['down'])).toEqual({ stopped: false })
  })

  it('down ends a keeper that waits, and then there is no server', async () => {
    const kept = new Kept(never)
    const { pid, url } = await kept.up()
    const { keeperPid } = kept
    process.kill(pid, 'SIGKILL')
    await kept.untilSaid(died)
    const { out } = await kept.cairn.run(['down'])
    expect(out).toBe(`The server at ${url} had died; it will not be started again.\n`)
    expect([runs(keeperPid), existsSync(join(kept.home, 'keeper.json'))]).toEqual([false, false])
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  it('a server whose first start is refused is not tried again, and up says why', async () => {
    const kept = new Kept()
    const { port } = new URL((await kept.up()).url)
    const elsewhere = ['--home', join(kept.cairn.folder, 'other')]
    const { exit, document } = await kept.cairn.json(['up', '--port', port, ...elsewhere], { env: kept.env })
    expect([exit, document.error]).toEqual([6, 'in_use'])
    const log = readFileSync(join(kept.cairn.folder, 'other', 'server.log'), 'utf8')
      .trim()
      .split('\n')
    expect(log.filter((line) => line.includes('"keeper"'))).toHaveLength(1)
    expect(existsSync(join(kept.cairn.folder, 'other', 'keeper.json'))).toBe(false)
  })
})

describe('between death and start', () => {
  it('up waits for the server that is about to come, and shows it', async () => {
    const kept = new Kept({ CAIRN_LIMIT_RESTART_MS: '1000' })
    const { pid, url } = await kept.up()
    process.kill(pid, 'SIGKILL')
    await kept.untilSaid(died)
    const { out, err, exit } = await kept.cairn.run(['up'], { env: kept.env })
    expect([exit, out]).toEqual([0, expect.stringContaining(`A server is already running.\n\n  ${url}\n`)])
    // A machine that is slow may have started it by then.
    if (err !== '')
      expect(err).toMatch(/^The server at \S+ has ended; waiting for its keeper \(pid \d+\) to start it again\.\n$/)
    expect(kept.server.pid).not.toBe(pid)
  })

  it('down ends a keeper that waits and the server that somebody started meanwhile', async () => {
    const kept = new Kept(never)
    const { pid } = await kept.up()
    const { keeperPid } = kept
    process.kill(pid, 'SIGKILL')
    await kept.untilSaid(died)
    const other = await startServer(kept.cairn)
    expect(await kept.answer(['down'])).toEqual({ stopped: true, pid: other.pid, url: other.url })
    expect([runs(keeperPid), await other.ended]).toEqual([false, { code: 0, signal: null }])
  })

  it('a keeper ends when it finds another server', async () => {
    const kept = new Kept()
    const { pid } = await kept.up()
    const { keeperPid } = kept
    process.kill(keeperPid, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await untilGone(pid)
    const other = await startServer(kept.cairn)
    process.kill(keeperPid, 'SIGCONT')
    await untilGone(keeperPid)
    expect(kept.said(/^Another server has this data folder: /)).toHaveLength(1)
    expect(await other.call('session.list', {})).toHaveProperty('sessions')
  })

  it.each([
    ['before it sees the death', '10', (kept: Kept) => untilGone(kept.server.pid)],
    ['while it waits', '3000', (kept: Kept) => kept.untilSaid(died)],
  ])('a keeper ends when its data folder is removed %s, and makes none anew', async (_, restartMs, moment) => {
    const kept = new Kept({ CAIRN_LIMIT_RESTART_MS: restartMs })
    const { pid } = await kept.up()
    const { keeperPid } = kept
    if (restartMs === '10') process.kill(keeperPid, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await moment(kept)
    rmSync(kept.home, { recursive: true })
    process.kill(keeperPid, 'SIGCONT')
    await untilGone(keeperPid)
    expect(existsSync(kept.home)).toBe(false)
  })

  it('a server that cannot be started is tried again after restartMs and longer, a line for each time', async () => {
    const kept = new Kept()
    const { pid } = await kept.up()
    const config = join(kept.home, 'config.json')
    const broken = kept.cairn.write('config.json', '{')
    renameSync(broken, config)
    process.kill(pid, 'SIGKILL')
    await kept.untilSaid(/could not be started again/, 3)
    rmSync(config)
    await kept.untilSaid(again)
    const said = kept.said(/./)
    expect(
      said.slice(1, -1).every((line) => /^The server could not be started again: \S*config\.json/.test(line)),
    ).toBe(true)
    // Nothing else was written of it.
    expect(readFileSync(join(kept.home, 'server.log'), 'utf8').trim().split('\n')).toHaveLength(said.length)
  })
})

it('a server goes on without its keeper, and up says that nothing starts it again', async () => {
  const kept = new Kept()
  const { pid } = await kept.up()
  const { keeperPid } = kept
  process.kill(keeperPid, 'SIGKILL')
  await untilGone(keeperPid)
  const { document, err } = await kept.cairn.json(['up'], { env: kept.env })
  expect(document).toMatchObject({ pid, already: true, kept: false })
  expect(err.replaceAll('\n', ' ')).toMatch(/^note: nothing starts this server again if it dies\./)
  expect(await kept.answer(['down'])).toMatchObject({ stopped: true, pid })
  expect(await kept.up()).toMatchObject({ already: false, kept: true })
  expect(await kept.answer(['up'])).toMatchObject({ kept: true })
})
