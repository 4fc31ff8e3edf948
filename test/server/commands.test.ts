// Commands go through the server that has their store open, and do without it where there is none.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from './servers.ts'

const cairn = sandbox()

it('U4 means the session and the project of whoever gives the command, not of the server', async () => {
  const server = await startServer(cairn, ['--log'], { AGENT_SESSION_ID: 'nobody' })
  const root = await cairn.session('Of this project')
  expect(await cairn.answer(['state', 'set', 'a', '1'])).toMatchObject({ updated_by: root })
  const child = await cairn.session('Below', '--parent', root)
  const env = { AGENT_SESSION_ID: child }
  expect(await cairn.answer(['state', 'set', 'a', '2'], { env })).toMatchObject({ updated_by: child })
  const elsewhere = await cairn.json(['state', 'get', 'a'], { cwd: cairn.folder })
  expect([elsewhere.exit, elsewhere.document.error]).toEqual([4, 'no_session'])
  const { events } = await cairn.answer(['log', '--stream', 'state'])
  expect(events[0].actor).toMatch(/^cli:/)
  await cairn.answer(['session', 'end', root])
  expect((await server.stop()).code).toBe(0)
  expect(server.err.match(/"answered"/g)).toHaveLength(7)
})

it('U15 a change that the server was killed over is asked of the store, and done once', async () => {
  const session = await cairn.session('Killed')
  const server = await startServer(cairn, [], { CAIRN_FAILPOINT: 'answer:kill@1' })
  const { out, exit } = await cairn.run(['state', 'increment', 'n', '--session', session])
  expect([exit, out]).toEqual([0, 'n = 1  version 1\n'])
  expect((await server.ended).signal).toBe('SIGKILL')
  expect(await cairn.answer(['state', 'increment', 'n', '--session', session])).toMatchObject({ value: 2, version: 2 })
})

it('another store and a file of this machine are not asked of the server', async () => {
  const server = await startServer(cairn, ['--log'])
  await cairn.session('Here')
  const other = ['--store', `sqlite:${join(cairn.folder, 'other.db')}`]
  expect((await cairn.answer(['ls', ...other])).sessions).toEqual([])
  // The same store by another name is the same.
  expect((await cairn.answer(['ls', '--store', `sqlite:${cairn.home}/../home/cairn.db`])).sessions).not.toEqual([])
  const copy = join(cairn.folder, 'copy.db')
  expect(await cairn.answer(['backup', '../copy.db'])).toMatchObject({ file: '../copy.db' })
  expect(readFileSync(copy).length).toBeGreaterThan(0)
  await server.stop()
  expect(server.err.match(/"route":"[^"]*"/g)).toEqual([
    '"route":"POST /operations/session.create"',
    '"route":"POST /operations/session.list"',
  ])
})

it('a server that is not where its file says is not needed', async () => {
  const server = await startServer(cairn)
  const session = await cairn.session('Moved')
  const found = JSON.parse(readFileSync(join(cairn.home, 'server.json'), 'utf8'))
  writeFileSync(join(cairn.home, 'server.json'), JSON.stringify({ ...found, url: 'http://127.0.0.1:9' }))
  expect(await cairn.answer(['state', 'set', 'a', '1', '--session', session])).toMatchObject({ version: 1 })
  await server.stop('SIGKILL')
})
