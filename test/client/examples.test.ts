// The examples, run as a reader would, against a server of their own.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'

const cairn = sandbox()
const run = promisify(execFile)

function example(name: string, { url, token }: { url: string; token: string }, ...args: string[]) {
  const env = { PATH: process.env.PATH, CAIRN_URL: url, CAIRN_TOKEN: token }
  return run(process.execPath, [`examples/${name}.mjs`, ...args], { env })
}

/** Roots that an example has left behind. */
async function unfinished(server: Awaited<ReturnType<typeof startServer>>): Promise<unknown[]> {
  const { sessions } = await server.call('session.list', {})
  return sessions as unknown[]
}

it('U54 two agents add to one counter', async () => {
  const server = await startServer(cairn)
  const { stdout } = await example('two-agents-one-counter', server)
  const lines = ['The counter is 200, signed by ada and bob.', 'ada counted 100 times.', 'bob counted 100 times.', '']
  expect(stdout).toBe(lines.join('\n'))
  expect(await unfinished(server)).toEqual([])
})

it('U54 a pool of workers shares jobs by claims and outlives one of them', async () => {
  const server = await startServer(cairn)
  const { stdout } = await example('worker-pool', server)
  expect(stdout).toBe('6 of 6 jobs are done.\nada was killed; her job was done by another.\n')
  expect(await unfinished(server)).toEqual([])
})

it('U54 a watcher shows everything once, over a server that is killed', async () => {
  const first = await startServer(cairn)
  const { session_id: session } = await first.call('session.create', { topic: 'watched' })
  const watching = example('watcher', first, session)
  await first.call('state.set', { session, key: 'a', value: 1 })
  await first.stop('SIGKILL')
  const second = await startServer(cairn, ['--port', new URL(first.url).port])
  await second.call('state.increment', { session, key: 'a' })
  await second.call('session.end', { session })
  const { stdout } = await watching
  const shown = stdout.trimEnd().split('\n')
  expect(shown.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    expect.stringMatching(/^1 session_created /),
    '2 set a',
    '3 increment a',
    expect.stringMatching(/^4 status_changed /),
  ])
  await expect(example('watcher', second, 'nobody')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\S/),
  })
})
