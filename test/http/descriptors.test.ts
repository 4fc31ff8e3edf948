// A server that has no descriptors left for those who come.
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { listening, type RunningServer } from '../server/servers.ts'

const cairn = sandbox()

const descriptorsMax = 128

/** A server that may have so many descriptors and no more. */
function startLimited(): Promise<RunningServer> {
  const serve = [process.execPath, resolve('bin/cairn'), 'serve', '--json', '--port', '0']
  const env = { PATH: process.env.PATH, HOME: cairn.folder, CAIRN_HOME: cairn.home }
  const limited = ['-c', `ulimit -n ${descriptorsMax} && exec "$@"`, 'sh', ...serve]
  return listening(cairn, spawn('sh', limited, { cwd: cairn.project, env }))
}

/** One who keeps its connection, whatever becomes of the others. */
function keeper(server: RunningServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  return (operation: string, input: object): Promise<number> =>
    new Promise((done, reject) => {
      const url = new URL(`/operations/${operation}`, server.url)
      const asking = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => done(answer.statusCode ?? 0))
      })
      asking.on('error', reject).end(JSON.stringify(input))
    })
}

/** Connections that say nothing, and how many of them the server has let go. */
function crowd(url: string, size: number): { readonly sockets: Socket[]; turnedAway(): number } {
  const { port } = new URL(url)
  const sockets = Array.from({ length: size }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined))
  return { sockets, turnedAway: () => sockets.filter((socket) => socket.closed).length }
}

// Elsewhere the system does not say how many there may be.
it.runIf(process.platform === 'linux')(
  'as many connections as there are descriptors: those who have one are answered, the others once there is room',
  async () => {
    const server = await startLimited()
    const { session_id: session } = await server.call('session.create', { topic: 'crowded' })
    const ask = keeper(server)
    const increment = () => ask('state.increment', { session, key: 'n' })
    expect(await increment()).toBe(200)
    const { sockets, turnedAway } = crowd(server.url, 2 * descriptorsMax)
    await expect.poll(turnedAway).toBeGreaterThan(0)
    await expect.poll(() => server.err).toContain('"event":"full"')
    for (let at = 0; at < 20; at++) expect(await increment()).toBe(200)
    for (const socket of sockets) socket.destroy()
    const read = () => server.call('state.get', { session, key: 'n' }).catch(() => undefined)
    await expect.poll(read).toMatchObject({ value: 21, version: 21 })
    const { document } = await cairn.json(['doctor'])
    expect(document).toMatchObject({ ok: true })
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  },
)
