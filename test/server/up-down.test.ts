// A server in the background: started only when asked for, found again, and stopped.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from './servers.ts'

const cairn = sandbox()
afterEach(() => cairn.run(['down']))

it('up starts a server that goes on, says so when asked again, and down stops it', async () => {
  expect((await cairn.json(['down'])).document).toEqual({ stopped: false })
  const { out, exit } = await cairn.run(['up', '--port', '0'])
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? []
  expect(exit).toBe(0)
  expect(out).toContain('/login?code=')
  expect((await fetch(`${url}/health`)).status).toBe(200)

  const again = await cairn.answer(['up', '--port', '0'])
  expect(again).toMatchObject({ url, already: true })
  const { out: told } = await cairn.run(['up'])
  expect(told).toContain(url)

  // A link counts once and not for long: each time it is asked for, there is a new one.
  const links = [out, again.login, told].map((text) => /http:\S+\/login\?code=\S+/.exec(text)?.[0] ?? '')
  expect(new Set(links).size).toBe(3)
  for (const link of links) expect((await fetch(link, { redirect: 'manual' })).status).toBe(303)

  expect(await cairn.answer(['down'])).toEqual({ stopped: true, pid: again.pid, url })
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  expect(existsSync(join(cairn.home, 'server.json'))).toBe(false)
})

it('keeps its log in a file for its owner only, without the link that logs in', async () => {
  const { login, log } = await cairn.answer(['up', '--port', '0', '--log'])
  await cairn.answer(['ls'])
  await cairn.answer(['down'])
  expect(log).toBe(join(cairn.home, 'server.log'))
  expect(statSync(log).mode & 0o777).toBe(0o600)
  const text = readFileSync(log, 'utf8')
  expect(text).toContain('"route":"POST /operations/session.list"')
  expect(text).not.toContain(new URL(login).searchParams.get('code'))
})

it('is refused as the server itself was', async () => {
  const server = await startServer(cairn)
  const elsewhere = ['--home', join(cairn.folder, 'other')]
  const { port } = new URL(server.url)
  const taken = await cairn.json(['up', '--port', port, ...elsewhere])
  expect([taken.exit, taken.document.error, taken.document.port]).toEqual([6, 'in_use', Number(port)])
  const remote = await cairn.json(['up', '--host', '0.0.0.0', ...elsewhere])
  expect([remote.exit, remote.document.error]).toEqual([4, 'forbidden'])
  expect((await cairn.json(['up', 'now'])).exit).toBe(2)
  expect((await cairn.json(['up', '--port', '70000'])).exit).toBe(2)
})

it('says which flags a server that runs already was not started with, and refuses another store', async () => {
  await cairn.answer(['up', '--port', '0'])
  const { port } = new URL((await cairn.answer(['up'])).url)
  const same = await cairn.json(['up', '--port', port, '--host', '127.0.0.1'])
  expect([same.err, same.document.not_applied]).toEqual(['', []])
  const other = await cairn.run(['up', '--port', '4999', '--log'])
  expect(other.exit).toBe(0)
  expect(other.err.replaceAll('\n', ' ')).toMatch(/^note: .* not applied: --port 4999 --log\. To apply: cairn down/)
  const elsewhere = `sqlite:${join(cairn.folder, 'elsewhere.db')}`
  expect(await cairn.json(['up', '--store', elsewhere])).toMatchObject({
    exit: 6,
    document: { error: 'in_use', hint: expect.stringContaining('cairn down') },
  })
})

it('a port that browsers and fetch refuse is refused, with why', async () => {
  for (const word of ['serve', 'up']) {
    const { exit, document } = await cairn.json([word, '--port', '6000'])
    expect([exit, document.message]).toEqual([2, expect.stringContaining('blocked by browsers and by fetch')])
  }
  // It is so: the same program would be the first that cannot connect.
  const cause = await fetch('http://127.0.0.1:6000/').catch((error: Error) => error.cause)
  expect(String((cause as Error).message)).toBe('bad port')
})

it('down stops a server of the foreground too', async () => {
  const server = await startServer(cairn)
  expect(await cairn.answer(['down'])).toMatchObject({ stopped: true, pid: server.pid })
  expect(await server.ended).toEqual({ code: 0, signal: null })
})

it('a command never starts a server by itself', async () => {
  await cairn.session('Alone')
  await cairn.answer(['state', 'set', 'a', '1'])
  expect(existsSync(join(cairn.home, 'server.json'))).toBe(false)
})
