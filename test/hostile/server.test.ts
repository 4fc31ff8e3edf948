// What one caller can do to a server that others use: ask for much and read nothing, take its folder away, copy at once.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { lookInto } from '../faults/stores.ts'
import { type RunningServer, startServer } from '../server/servers.ts'

function newSandbox(): Sandbox {
  const made = new Sandbox()
  onTestFinished(() => made.remove())
  return made
}

/** A connection that asks, sees that it is answered, and reads no more. */
function askAndLeave({ url, token }: RunningServer, path: string): Promise<Socket> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`)
    })
    socket.once('data', () => {
      socket.pause()
      resolve(socket)
    })
    socket.once('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

function rssOf({ pid }: RunningServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

describe('whoever asks and does not read', () => {
  it('U53 costs a bounded amount of memory, and others are answered', async () => {
    const server = await startServer(newSandbox())
    const { session_id: session } = await server.call('session.create', { topic: 'much' })
    const value = 'x'.repeat(1_000_000)
    for (let at = 0; at < 20; at++) await server.call('state.set', { session, key: `k${at}`, value })
    const sockets = await Promise.all(
      Array.from({ length: 40 }, () => askAndLeave(server, `/sessions/${session}/state`)),
    )
    // Asked after them, and so answered after them.
    const { value: small } = await server.call('state.increment', { session, key: 'n' })
    expect(small).toBe(1)
    // 40 answers would come to 1.6 GB.
    expect(rssOf(server)).toBeLessThan(700 * 1024 * 1024)
    const busy = await server.send('GET', `/sessions/${session}/state`)
    expect(busy.status).toBe(503)
    expect(await busy.json()).toMatchObject({ error: 'busy', limit: 'unsentBytes', hint: expect.stringMatching(/\S/) })
    for (const socket of sockets) socket.destroy()
    const again = async () => {
      const response = await server.send('GET', `/sessions/${session}/state`)
      await response.arrayBuffer()
      return response.status
    }
    await expect.poll(again).toBe(200)
  })
})

it('U53 a change that was made is answered as made, also where answers lie unread, over REST and MCP', async () => {
  const server = await startServer(newSandbox())
  const { session_id: session } = await server.call('session.create', { topic: 'done' })
  const value = { text: 'x'.repeat(1_010_000) }
  for (let at = 0; at < 33; at++) await server.call('state.set', { session, key: `k${at}`, value })
  // Nearly as much as one caller may leave unread: one value more would be too much.
  const socket = await askAndLeave(server, `/sessions/${session}/state`)
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'state_set',
    'x-agent-session-id': session,
  }
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const params = { name: 'state_set', arguments: { key: 'k0', value: { ...value, n: 2 } }, _meta }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const look = async () => {
    const response = await server.send('POST', '/operations/state.get', { session, key: 'k1' })
    const text = await response.text()
    return response.ok ? 'answered' : JSON.parse(text)
  }
  await expect.poll(look).toMatchObject({ error: 'busy', limit: 'unsentBytes' })
  for (const [n, response] of [
    [1, await server.send('POST', '/operations/state.merge', { session, key: 'k0', patch: { n: 1 } })],
    [2, await fetch(new URL('/mcp', server.url), { method: 'POST', headers, body: call })],
  ] as const) {
    const text = await response.text()
    const tells = new RegExp(`"n\\\\*":${n}`).test(text)
    expect([response.status, text.includes('xxxx'), tells], text.slice(0, 500)).toEqual([200, true, true])
  }
  socket.destroy()
})

describe('a data folder that was moved away', () => {
  it('U53 is not made anew by the server that runs, and all goes on when it is back', async () => {
    const sandbox = newSandbox()
    const server = await startServer(sandbox)
    const { session_id: session } = await server.call('session.create', { topic: 'moved' })
    await server.call('state.set', { session, key: 'k', value: 1 })
    const { token } = server
    const away = `${sandbox.home}.away`
    renameSync(sandbox.home, away)
    const ask = (method: string, path: string, body?: object) =>
      fetch(new URL(path, server.url), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    for (const response of [
      await ask('GET', `/sessions/${session}/state`),
      await ask('POST', '/operations/state.set', { session, key: 'k', value: 2 }),
      await ask('POST', '/operations/token.rotate', { id: 'install' }),
    ]) {
      const body = await response.json()
      expect([response.status, body]).toMatchObject([507, { error: 'storage_error' }])
    }
    expect(existsSync(sandbox.home)).toBe(false)
    renameSync(away, sandbox.home)
    expect((await server.call('state.get', { session, key: 'k' })).value).toBe(1)
    await server.call('state.set', { session, key: 'k', value: 3 })
    expect(server.token).toBe(token)
  })

  it('U53 that others can write to is refused at the start, with the command that puts it right', async () => {
    const sandbox = newSandbox()
    mkdirSync(sandbox.home, { recursive: true })
    chmodSync(sandbox.home, 0o777)
    const { exit, err } = await sandbox.run(['serve', '--port', '0'])
    expect(exit).toBe(6)
    expect(err).toContain(`chmod 700 ${sandbox.home}`)
  })
})

describe('two backups to one path', () => {
  it('U53 at once: one is made and whole, the others are refused, and nothing of them is left', async () => {
    const sandbox = newSandbox()
    const opened = await Promise.all([1, 2, 3].map(() => openCairn({ home: sandbox.home })))
    onTestFinished(() => Promise.all(opened.map((cairn) => cairn.close())).then(() => undefined))
    const [first] = opened
    const { session_id: session } = await (first as (typeof opened)[0]).session.create({ topic: 'copied' })
    for (let at = 0; at < 50; at++) await first?.state.set({ session, key: `k${at}`, value: 'x'.repeat(10_000) })
    for (let round = 0; round < 5; round++) {
      const folder = join(sandbox.folder, `backups ${round}`)
      mkdirSync(folder)
      const file = join(folder, 'copy.db')
      const outcomes = await Promise.allSettled(opened.map((cairn) => cairn.store.backup({ file })))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_exists' })
      expect(readdirSync(folder)).toEqual(['copy.db'])
      expect((await lookInto(file)).problems).toEqual([])
    }
  })
})

describe('words', () => {
  it('U53 a mistyped address of a store is refused without its password', async () => {
    const sandbox = newSandbox()
    for (const store of ['postgress://me:pa55word@h/db', 'postgres:/me:pa55word@h/db', 'me:pa55word@h/db']) {
      const { exit, out, err } = await sandbox.run(['ls', '--store', store])
      expect(exit).not.toBe(0)
      expect(out + err).not.toContain('pa55word')
      expect(err).toContain('postgres://USER@HOST/DATABASE')
    }
  })
})
