// One server at a time has a SQLite store; what a dead one left behind stops nobody.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from './servers.ts'

const cairn = sandbox()
const file = join(cairn.home, 'server.json')

it('the second server on a store is refused with the pid and the address of the first', async () => {
  const first = await startServer(cairn)
  const { document, exit } = await cairn.json(['serve', '--port', '0'])
  expect([exit, document.error, document.pid, document.url]).toEqual([6, 'in_use', first.pid, first.url])
  const elsewhere = ['--home', join(cairn.folder, 'other'), '--store', `sqlite:${join(cairn.home, 'cairn.db')}`]
  const again = await cairn.json(['serve', '--port', '0', ...elsewhere])
  expect([again.exit, again.document.error, again.document.pid]).toEqual([6, 'in_use', first.pid])
  // The first is not disturbed.
  expect((await fetch(`${first.url}/health`)).status).toBe(200)
  expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(first.pid)
})

it('a server that was killed leaves a file that nobody trusts, and the next one starts', async () => {
  const first = await startServer(cairn)
  const { session_id: session } = await first.call('session.create', { topic: 'kept' })
  expect((await first.stop('SIGKILL')).signal).toBe('SIGKILL')
  expect(existsSync(file)).toBe(true)
  expect(await cairn.answer(['state', 'increment', 'n', '--session', session])).toMatchObject({ value: 1 })
  expect((await cairn.json(['down'])).document).toEqual({ stopped: false })
  const second = await startServer(cairn)
  expect(await second.call('state.increment', { session, key: 'n' })).toMatchObject({ value: 2 })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: second.pid, url: second.url })
})

it('a file that names another process by the same pid is as good as none', async () => {
  const server = await startServer(cairn)
  const written = JSON.parse(readFileSync(file, 'utf8'))
  await server.stop()
  const stranger = { ...written, pid: process.pid }
  writeFileSync(file, JSON.stringify(stranger))
  expect((await cairn.json(['down'])).document).toEqual({ stopped: false })
  for (const broken of ['', '{', '[]', '{"pid":"x"}', JSON.stringify({ ...stranger, url: 'no address' })]) {
    writeFileSync(file, broken)
    expect(await cairn.answer(['ls'])).toHaveProperty('sessions')
  }
  expect((await startServer(cairn)).pid).not.toBe(process.pid)
})
