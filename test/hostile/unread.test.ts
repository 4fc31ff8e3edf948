// Whoever asks for much and takes nothing of it is cut off in time; whoever takes its time is not.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'

const chars = 1_000_000
const keys = 20

interface Large {
  readonly server: RunningServer
  readonly token: string
  readonly path: string
}

async function largeState(unreadMs: number): Promise<Large> {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const server = await startServer(sandbox, [], { CAIRN_LIMIT_UNREAD_MS: String(unreadMs) })
  const { session_id: session } = await server.call('session.create', { topic: 'large' })
  const { token } = await server.call('token.create', { kind: 'agent', session })
  for (let at = 0; at < keys; at++) await server.call('state.set', { session, key: `k${at}`, value: 'x'.repeat(chars) })
  return { server, token, path: `/sessions/${session}/state` }
}

function peakOf({ pid }: RunningServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

/** A connection that asks, and reads nothing until it is told to. */
function asking({ server, token, path }: Large): Promise<Socket> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`)
      resolve(socket)
    })
    socket.once('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

it('U53 an answer that nobody reads is given up, and there is room for others again', async () => {
  const large = await largeState(300)
  const socket = await asking(large)
  const metrics = async () => (await large.server.send('GET', '/metrics')).text()
  await expect.poll(metrics).toMatch(/requests_total\{route="[^"]*\/state",status="200"\} 1/)
  const status = async () => {
    const headers = { authorization: `Bearer ${large.token}` }
    const response = await fetch(new URL(large.path, large.server.url), { headers })
    await response.arrayBuffer()
    return response.status
  }
  // One of this size is all that a caller may leave unread.
  await expect.poll(status).toBe(200)
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
  socket.resume()
  await closed
  expect(bytes).toBeLessThan(keys * chars)
})

it('U53 who reads slowly gets all of it', async () => {
  const socket = await asking(await largeState(8000))
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
    // Far less at a time than there is, and again before the time is over.
    socket.pause()
    setTimeout(() => socket.resume(), bytes < 2_000_000 ? 300 : 0)
  })
  socket.resume()
  await expect.poll(() => bytes).toBeGreaterThan(2 * keys * chars)
})

it('U53 a follower that takes nothing of what it was sent is cut off in time, however little that is', async () => {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const unreadMs = 200
  const server = await startServer(sandbox, [], { CAIRN_LIMIT_UNREAD_MS: String(unreadMs) })
  const { session_id: session } = await server.call('session.create', { topic: 'followed' })
  const { token } = await server.call('token.create', { kind: 'agent', session })
  // More than the system takes for a connection. The past is sent as fast as it is taken, so little of it waits in the server.
  for (let at = 0; at < 45; at++) await server.call('state.set', { session, key: 'k', value: 'x'.repeat(chars) })
  const socket = await asking({ server, token, path: `/events?root=${session}&since=0` })
  const metrics = async () => (await server.send('GET', '/metrics')).text()
  await expect.poll(metrics).toContain('cairn_feed_readers 1')
  await expect.poll(metrics).toContain('cairn_feed_readers 0')
  let last = ''
  socket.on('data', (piece: Buffer) => {
    last = (last + piece).slice(-1000)
  })
  socket.resume()
  await expect.poll(() => last).toContain('event: end')
  expect(last).toContain(`has read nothing for ${unreadMs} ms`)
})

it('U53 a large event costs its text once, however many follow and do not read', async () => {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const server = await startServer(sandbox, [], { CAIRN_LIMIT_UNREAD_MS: '1000' })
  const { session_id: session } = await server.call('session.create', { topic: 'followed' })
  const { token } = await server.call('token.create', { kind: 'agent', session })
  const path = `/events?root=${session}`
  for (let at = 0; at < 90; at++) await asking({ server, token, path })
  const metrics = async () => (await server.send('GET', '/metrics')).text()
  await expect.poll(metrics).toContain('cairn_feed_readers 90')
  // The system takes some megabytes for a connection, and not the same for each: it goes on until all have something unread.
  const afterAnother = async () => {
    await server.call('state.set', { session, key: 'k', value: 'x'.repeat(chars) })
    return metrics()
  }
  await expect.poll(afterAnother).toContain('cairn_feed_readers 0')
  // It is 140 MB; with a copy for each it is 300 and more.
  expect(peakOf(server)).toBeLessThan(220 * 1024 * 1024)
})
