// What is left when one side of a conversation is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Sandbox, sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { greetedPeer, revision } from './peer.ts'

/** Generous: how long it really takes is no matter of a test. */
const goneMsMax = 60_000

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that nobody has waited for yet is dead all the same.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += 20) {
    if (waited > goneMsMax) throw new Error(`process ${pid} is still there`)
    await sleep(20)
  }
}

/** A parent that starts `cairn mcp` with pipes of its own, tells its process id, and then does nothing. */
const parent = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, JSON.parse(process.argv[1]), { stdio: ['pipe', 'pipe', 'ignore'] })
  process.stdin.pipe(child.stdin)
  child.stdout.once('data', () => console.log(child.pid))
  setInterval(() => undefined, 1000)
`

async function startBelowParent(place: Sandbox, session: string): Promise<{ above: ChildProcess; pid: number }> {
  const program = JSON.stringify([`${process.cwd()}/bin/cairn`, 'mcp'])
  const env = { PATH: process.env.PATH, HOME: place.folder, CAIRN_HOME: place.home, AGENT_SESSION_ID: session }
  const above = spawn(process.execPath, ['-e', parent, program], { cwd: place.project, env })
  onTestFinished(() => void above.kill('SIGKILL'))
  const told = new Promise<number>((resolve) => above.stdout.once('data', (text) => resolve(Number(text))))
  const clientInfo = { name: 'parent', version: '1' }
  const params = { protocolVersion: revision, capabilities: {}, clientInfo }
  above.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  return { above, pid: await told }
}

describe('a parent that is killed', () => {
  const place = sandbox()

  it.each([
    ['without a server', false],
    ['through a server', true],
  ])('FAULTS 68 leaves no orphan, even one that waits for a key, %s', async (_, isServed) => {
    const session = await place.session()
    if (isServed) await startServer(place)
    const { above, pid } = await startBelowParent(place, session)
    const params = { name: 'state_wait', arguments: { key: 'never', timeout: '1h' } }
    above.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`)
    await sleep(200)
    expect(isAlive(pid)).toBe(true)
    above.kill('SIGKILL')
    await untilGone(pid)
  })

  it('a client that closes its side is answered what it asked before, and the server ends well', async () => {
    const session = await place.session()
    const peer = await greetedPeer(place, session)
    const calls = Array.from({ length: 20 }, () => peer.call('state_increment', { key: 'last' }))
    const { code } = await peer.end()
    expect(code).toBe(0)
    expect((await Promise.all(calls)).map(({ document }) => document.value).sort((a, b) => a - b)).toEqual(
      calls.map((_, at) => at + 1),
    )
  })
})

describe('a server that is killed in the middle of calls', () => {
  const place = sandbox()

  it.each([
    ['over stdio', false],
    ['over stdio, through a server', true],
  ])('FAULTS 58 has done what it answered, each once, and at most what was asked: %s', async (_, isServed) => {
    const session = await place.session()
    if (isServed) await startServer(place)
    const key = `killed-${isServed}`
    const peer = await greetedPeer(place, session)
    let answered = 0
    const calls = Array.from({ length: 300 }, () =>
      peer.call('state_increment', { key }).then(
        () => {
          answered += 1
          if (answered === 50) peer.kill('SIGKILL')
        },
        () => undefined,
      ),
    )
    await Promise.all(calls)
    await peer.ended
    const { value, version } = await place.answer(['state', 'get', key, '--session', session])
    expect(version).toBe(value)
    expect(value).toBeGreaterThanOrEqual(answered)
    expect(value).toBeLessThanOrEqual(300)
    expect((await place.answer(['doctor'])).ok).toBe(true)
  })

  it('the HTTP server goes on when a client dies in the middle of a call', async () => {
    const session = await place.session()
    const server = await startServer(place)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const wait = { ...body, params: { name: 'state_wait', arguments: { key: 'never', timeout: '1h' } } }
    const program = `fetch(process.argv[1], { method: 'POST', headers: JSON.parse(process.argv[2]), body: process.argv[3] });
      setTimeout(() => console.log('asked'), 300)`
    const headers = {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'state_wait',
      'x-agent-session-id': session,
    }
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const stateless = JSON.stringify({ ...wait, params: { ...wait.params, _meta } })
    const asked = [new URL('/mcp', server.url).href, JSON.stringify(headers), stateless]
    const client = spawn(process.execPath, ['-e', program, ...asked])
    await new Promise((resolve) => client.stdout.once('data', resolve))
    client.kill('SIGKILL')
    expect((await server.call('state.increment', { session, key: 'after' })).value).toBe(1)
    // A server with a call that nobody waits for any more would not end.
    expect(await server.stop()).toMatchObject({ code: 0 })
  })
})
