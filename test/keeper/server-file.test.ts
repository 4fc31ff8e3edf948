// Where a token goes: to the address that an agent was given, and to no other but that of a server on this machine that the user's own
// file names.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LocalPerformer } from '../../src/client/local.ts'
import { lifeOf } from '../../src/home/process-life.ts'
import { ServerOfAgent } from '../../src/home/server-of-agent.ts'
import { operations } from '../../src/operations/index.ts'
import { Sandbox } from '../cli/sandbox.ts'

const given = 'http://127.0.0.1:4001'
const moved = 'http://127.0.0.1:4002'
/** As a living server would write it. */
const living = { pid: process.pid, life: lifeOf(process.pid), url: moved, replaces: [given] }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function fileOf(contents: unknown, mode = 0o600): string {
  const path = join(newFolder(), 'server.json')
  writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents))
  chmodSync(path, mode)
  return path
}

/** Where is asked, at first and once nobody answered where the agent was told. */
function asked(file: string | undefined, told = given): string[] {
  const server = new ServerOfAgent(told, file)
  const before = server.url
  server.lost(`${told}/`)
  return [before, server.url]
}

describe('an agent asks', () => {
  it('the server that says it replaces its own, and another one only where its own does not answer', () => {
    expect(asked(fileOf(living))).toEqual([moved, moved])
    expect(asked(fileOf({ ...living, replaces: [`${given}/`] }))).toEqual([moved, moved])
    expect(asked(fileOf({ ...living, replaces: undefined }))).toEqual([given, moved])
    expect(asked(fileOf({ ...living, replaces: ['http://127.0.0.1:4009'] }))).toEqual([given, moved])
    expect(asked(fileOf({ ...living, url: 'http://[::1]:4002' }))).toEqual(['http://[::1]:4002', 'http://[::1]:4002'])
  })

  it.each<[string, () => string | undefined, string?]>([
    ['no file', () => undefined],
    ['a file that is not there', () => join(newFolder(), 'none.json')],
    ['a folder', () => newFolder()],
    ['an empty file', () => fileOf('')],
    ['a broken file', () => fileOf('{"pid":')],
    ['no object', () => fileOf('null')],
    ['a file that is too large', () => fileOf({ ...living, more: 'x'.repeat(70_000) })],
    ['a file that others may read', () => fileOf(living, 0o640)],
    ['a file that others may write', () => fileOf(living, 0o602)],
    ['a server that has died', () => fileOf({ ...living, life: 'another start' })],
    ['no process', () => fileOf({ ...living, pid: 2 ** 22 + 1 })],
    ['a server elsewhere', () => fileOf({ ...living, url: 'http://192.0.2.1:4002' })],
    ['a name that begins like this machine', () => fileOf({ ...living, url: 'http://127.0.0.1.example.com:4002' })],
    ['another protocol', () => fileOf({ ...living, url: 'https://127.0.0.1:4002' })],
    ['no address', () => fileOf({ ...living, url: 'nowhere' })],
    ['this machine, where the agent was told of another', () => fileOf(living), 'http://192.0.2.1:4001'],
    ['this machine, where the agent was told of no address', () => fileOf(living), 'nowhere'],
  ])('nobody else by %s', (_, file, told = given) => {
    expect(asked(file(), told)).toEqual([told, told])
  })

  it('nobody else by a pipe, and no command waits for one', async () => {
    const cairn = new Sandbox()
    onTestFinished(() => cairn.remove())
    mkdirSync(cairn.home, { mode: 0o700 })
    execFileSync('mkfifo', ['-m', '600', join(cairn.home, 'server.json')])
    const child = cairn.spawn(['down'])
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await once(child, 'close')).toEqual([0, null])
    expect(asked(join(cairn.home, 'server.json'))).toEqual([given, given])
  })

  it.runIf(process.getuid?.() === 0)('nobody else by the file of another user', () => {
    const path = fileOf(living)
    chownSync(path, 65_534, 65_534)
    expect(asked(path)).toEqual([given, given])
  })
})

it('whoever answers is not left for another server, whatever that answer is', async () => {
  const answers = [
    { status: 401, body: JSON.stringify({ error: 'unauthorized', message: 'No.', hint: 'No.' }) },
    { status: 503, body: JSON.stringify({ error: 'unavailable', message: 'No.', hint: 'No.' }) },
    { status: 404, body: '<h1>Not found</h1>' },
    { status: 200, body: JSON.stringify({ value: 1 }) },
  ]
  const seen: string[] = []
  const listening = async (name: string) => {
    const server = createServer((request, response) => {
      seen.push(name)
      const { status, body } = answers.shift() ?? { status: 500, body: '' }
      request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const [own, other] = [await listening('own'), await listening('other')]
  const performer = new LocalPerformer({
    ...{ home: newFolder(), store: undefined, token: 'crn_agent_x', url: own },
    ...{ serverFile: fileOf({ ...living, url: other, replaces: [] }), meant: {}, waits: 'yielding' },
  })
  onTestFinished(() => performer.close())
  await expect(performer.execute(operations.state.increment, { key: 'n' })).rejects.toMatchObject({
    code: 'unauthorized',
  })
  expect(await performer.execute(operations.state.increment, { key: 'n' })).toEqual({ value: 1 })
  expect(seen).toEqual(['own', 'own', 'own', 'own'])
})
