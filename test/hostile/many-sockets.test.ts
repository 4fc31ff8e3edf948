// Five thousand WebSockets, as many as fifty agents may have: each is told everything, and others go on working. Long.
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { descriptorsHere } from '../../src/surfaces/wire/process-readings.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'

const isLong = process.env.CAIRN_LONG !== undefined
const agents = isLong ? 50 : 4
const each = isLong ? defaultLimits.tokenFeeds : 25
const events = 20

function memoryOf({ pid }: RunningServer): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** One that follows the root; how many events of its state it has heard. */
function follower(url: string, root: string, token: string): Promise<{ heard: number; socket: WebSocket }> {
  const place = `${url.replace(/^http/, 'ws')}/ws?root=${root}&type=state_updated`
  const socket = new WebSocket(place, { headers: { authorization: `Bearer ${token}` } })
  const one = { heard: 0, socket }
  socket.on('message', (text) => {
    if (String(text).includes('"state_updated"')) one.heard += 1
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(one)).once('error', reject)
  })
}

describe(`${agents * each} WebSockets`, () => {
  it('U53 are all told, and the server stays within its memory and lets them go', async (context) => {
    if (descriptorsHere() < 2 * agents * each + 200) return context.skip('the system allows too few descriptors')
    const sandbox = new Sandbox()
    onTestFinished(() => sandbox.remove())
    const server = await startServer(sandbox)
    const { session_id: root } = await server.call('session.create', { topic: 'many' })
    const all: Awaited<ReturnType<typeof follower>>[] = []
    onTestFinished(() => {
      for (const { socket } of all) socket.terminate()
    })
    for (let at = 0; at < agents; at++) {
      const { session_id: session } = await server.call('session.create', { topic: `agent ${at}`, parent: root })
      const { token } = await server.call('token.create', { kind: 'agent', session })
      all.push(...(await Promise.all(Array.from({ length: each }, () => follower(server.url, root, token)))))
      if (at > 0) continue
      // One more than a token may have.
      if (isLong) await expect(follower(server.url, root, token)).rejects.toThrow('429')
    }
    for (let at = 0; at < events; at++) await server.call('state.increment', { session: root, key: 'n' })
    await expect.poll(() => all.filter(({ heard }) => heard < events).length).toBe(0)
    expect(all.every(({ heard }) => heard === events)).toBe(true)
    expect(memoryOf(server)).toBeLessThan(512 * 1024 * 1024)
    for (const { socket } of all) socket.terminate()
    const metrics = async () => (await server.send('GET', '/metrics')).text()
    await expect.poll(metrics).toContain('cairn_feed_readers 0')
    expect((await server.call('state.increment', { session: root, key: 'n' })).value).toBe(events + 1)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })
})
