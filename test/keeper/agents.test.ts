// Agents that live while their server dies: each call takes effect once, wherever the server comes back.
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Document } from '../cli/sandbox.ts'
import { greetedPeer } from '../mcp/peer.ts'
import { STORES, type TestStore } from '../setup/stores.ts'
import { Kept, never, untilGone } from './kept.ts'

const rounds = 4
const callsOfRound = 5

/** Counts in rounds: each begins when there is a file that is named after it. */
const counting = `for round in $(seq ${rounds}); do
  while [ ! -e go$round ]; do sleep 0.02; done
  for call in $(seq ${callsOfRound}); do cairn state increment n --json >> answers 2>> errors; done
  touch done$round
done`

function workflow(kept: Kept, agent: object): string {
  return kept.cairn.write('flow.json', JSON.stringify({ agents: [{ id: 'counts', ...agent }] }))
}

async function untilThere(kept: Kept, name: string): Promise<void> {
  await expect.poll(() => existsSync(join(kept.cairn.project, name))).toBe(true)
}

function textIn(kept: Kept, name: string): string {
  return readFileSync(join(kept.cairn.project, name), 'utf8')
}

async function untilEnded(kept: Kept, session: string): Promise<Document> {
  await expect.poll(async () => (await kept.answer(['show', session])).status).not.toBe('running')
  return kept.answer(['show', session])
}

/** A program that has taken a port, answers as any server of pages would, and notes what it was sent. */
async function stranger(port: number): Promise<IncomingHttpHeaders[]> {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer(({ headers }, response) => {
    seen.push(headers)
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const listens = () =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
  // A thread of the server that was killed may hold it a moment longer.
  await expect.poll(listens).toBe(true)
  return seen
}

/** Kills the server while its keeper cannot look, and does something before that can. */
async function killed(kept: Kept, meanwhile: () => Promise<void>): Promise<void> {
  const { keeperPid, server } = kept
  process.kill(keeperPid, 'SIGSTOP')
  process.kill(server.pid, 'SIGKILL')
  await untilGone(server.pid)
  await meanwhile()
  process.kill(keeperPid, 'SIGCONT')
  await expect.poll(() => kept.server.pid).not.toBe(server.pid)
}

for (const kind of STORES) {
  describe(`an agent of a workflow on ${kind.name}`, () => {
    async function withStore(test: (store: TestStore) => Promise<void>): Promise<void> {
      const store = await kind.makeReady()
      onTestFinished(() => store.remove())
      await test(store)
    }

    it('goes on over deaths of its server, at the same port and at another, and each of its calls counts once', () =>
      withStore(async (store) => {
        const kept = new Kept({}, store)
        const { session_id: session } = await kept.answer([
          'run',
          workflow(kept, { run: ['sh', '-c', counting] }),
          '--detach',
        ])
        const { url } = kept.server
        // While the first calls are made it dies and comes back where it was.
        kept.cairn.write('project/go1', '')
        await untilThere(kept, 'answers')
        await kept.untilBackFrom('SIGKILL')
        await untilThere(kept, 'done1')
        expect(kept.server.url).toBe(url)
        // The second round is asked for while there is none.
        await killed(kept, async () => void kept.cairn.write('project/go2', ''))
        await untilThere(kept, 'done2')
        // Then another program has its port: it comes back elsewhere, and the agent, which knows the old address, finds it.
        let seen: IncomingHttpHeaders[] = []
        await killed(kept, async () => {
          seen = await stranger(Number(new URL(url).port))
        })
        expect(kept.server).toMatchObject({ url: expect.not.stringMatching(url), replaces: [url] })
        kept.cairn.write('project/go3', '')
        await untilThere(kept, 'done3')
        // And there it dies as well.
        await kept.untilBackFrom('SIGKILL')
        kept.cairn.write('project/go4', '')
        await untilThere(kept, 'done4')
        expect(await untilEnded(kept, session)).toMatchObject({ status: 'completed' })
        expect(textIn(kept, 'errors')).toBe('')
        const values = textIn(kept, 'answers')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).value)
        expect(values).toEqual(Array.from({ length: rounds * callsOfRound }, (_, at) => at + 1))
        // Whoever else is at the old address is not shown what the agent may do.
        expect(seen).toEqual([])
        const { events } = await kept.answer(['log', '--session', session, '--since', '0', '--limit', '1000'])
        const planned = events.filter(({ type }: Document) => type === 'recovery_planned')
        expect(planned).toHaveLength(4)
        for (const { data } of planned) {
          const { at, how, back } = data.server
          expect([how, data.steps[0].rung]).toEqual(['signal 9', 'adopt'])
          expect(Date.parse(back)).toBeGreaterThanOrEqual(Date.parse(at))
        }
      }))
  })
}

describe('who was told of a server that has died', () => {
  it('a command that waits, a feed and MCP over stdio go on at the address where it comes back', async () => {
    const kept = new Kept()
    const { url } = await kept.up()
    const { session_id: session } = await kept.answer(['session', 'create', '--topic', 'Night'])
    const env = { ...(await kept.agent(session)), CAIRN_HOME: join(kept.cairn.folder, 'nowhere') }
    const watch = kept.cairn.spawn(['state', 'watch', '--json', '--since', '0'], { env })
    onTestFinished(() => void watch.kill('SIGKILL'))
    const lines = createInterface({ input: watch.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value ?? 'null')
    const peer = await greetedPeer(kept.cairn, session, env)
    expect((await peer.call('state_increment', { key: 'n' })).document.value).toBe(1)
    expect(await next()).toMatchObject({ key: 'n' })
    const waiting = kept.cairn.answer(['state', 'wait', 'later', '--timeout', '120s'], { env })
    await killed(kept, async () => void (await stranger(Number(new URL(url).port))))
    expect(kept.server.url).not.toBe(url)
    expect((await peer.call('state_increment', { key: 'n' })).document.value).toBe(2)
    expect(await next()).toMatchObject({ key: 'n' })
    await kept.answer(['state', 'set', 'later', '7', '--session', session])
    expect(await waiting).toMatchObject({ value: 7 })
    expect(await next()).toMatchObject({ key: 'later' })
  })

  it('a call that was done and not answered when the server died is not done again', async () => {
    const kept = new Kept()
    // Each server dies when its sixth change is on disk and nobody was told of it.
    await kept.cairn.answer(['up', '--port', '0'], { env: { ...kept.env, CAIRN_FAILPOINT: 'answer:kill@6' } })
    const { session_id: session } = await kept.answer(['session', 'create', '--topic', 'Night'])
    const env = await kept.agent(session)
    const values: number[] = []
    for (let call = 0; call < 12; call++) {
      values.push((await kept.cairn.answer(['state', 'increment', 'n'], { env })).value)
    }
    expect(values).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    expect(kept.said(/died: signal 9/).length).toBeGreaterThanOrEqual(2)
  })

  it('a server that was ended and started by hand at another port is found too, once nobody answers at the first', async () => {
    const kept = new Kept()
    const first = await kept.up()
    const { session_id: session } = await kept.answer(['session', 'create', '--topic', 'Night'])
    const env = await kept.agent(session)
    await kept.answer(['down'])
    // Whoever is there now takes no connection for long.
    const refusing = createNetServer((socket) => socket.resetAndDestroy())
    await new Promise<void>((resolve) => refusing.listen(Number(new URL(first.url).port), '127.0.0.1', resolve))
    onTestFinished(() => void refusing.close())
    await kept.up()
    expect(kept.server).toEqual(expect.not.objectContaining({ url: first.url, replaces: [first.url] }))
    expect(await kept.cairn.answer(['state', 'increment', 'n'], { env })).toMatchObject({ value: 1 })
  })

  it('any free port is that of the server before it that died', async () => {
    const kept = new Kept(never)
    const { url, pid } = await kept.up()
    process.kill(kept.keeperPid, 'SIGKILL')
    process.kill(pid, 'SIGKILL')
    await untilGone(pid)
    expect((await kept.up()).url).toBe(url)
  })
})
