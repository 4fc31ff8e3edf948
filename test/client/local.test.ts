// Whoever is on the machine of the store asks the server that has it open, and the store where none has: one policy for commands,
// for what is followed, for MCP over stdio and for completion.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LocalOptions, LocalPerformer } from '../../src/client/local.ts'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { operations } from '../../src/operations/index.ts'
import { type RunOptions, Sandbox, sandbox } from '../cli/sandbox.ts'
import { greetedPeer } from '../mcp/peer.ts'
import { startServer } from '../server/servers.ts'
import type { Fault } from './cutting.ts'
import { startedIn } from './started.ts'

const { state, store } = operations

/** `cairn state watch --json` as a process, and its events one by one. */
function watching(cairn: Sandbox, args: readonly string[], options: RunOptions = {}) {
  const child = cairn.spawn(['state', 'watch', '--json', ...args], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    child,
    next: async (): Promise<FeedEvent> => JSON.parse((await lines.next()).value ?? 'null'),
    ended: new Promise<number | null>((resolve) => child.once('exit', resolve)),
  }
}

async function offered(cairn: Sandbox, begun: string, options: RunOptions = {}): Promise<string> {
  return (await cairn.run(['__complete', 'fish', 'state', 'get', begun], options)).out
}

describe('all who ask', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('ask the server that runs, and the store after %s', async (signal) => {
    const cairn = new Sandbox()
    onTestFinished(() => cairn.remove())
    const server = await startServer(cairn, ['--log'])
    const root = await cairn.session()
    await cairn.answer(['state', 'set', 'plan', '0'])
    const watch = watching(cairn, ['--since', '0'])
    const peer = await greetedPeer(cairn, root)
    expect((await watch.next()).seq).toBe(2)
    expect((await peer.call('state_increment', { key: 'plan' })).document.value).toBe(1)
    expect((await watch.next()).seq).toBe(3)
    expect(await offered(cairn, 'pl')).toBe('plan\tkey\n')
    await server.stop(signal)
    const routes = server.err.match(/(?<="route":")[^"]*/g) ?? []
    // A client over stdio asks once where it belongs.
    const all = ['session.create', 'session.show', 'state.set', 'log.list', 'state.increment', 'completion.keys']
    // What is still followed when a server is killed is in no log.
    const followed = signal === 'SIGTERM' ? ['/events'] : []
    expect(routes.sort()).toEqual([...all.map((name) => `POST /operations/${name}`), ...followed].sort())

    expect((await cairn.answer(['state', 'increment', 'plan'])).value).toBe(2)
    expect((await peer.call('state_increment', { key: 'plan' })).document.value).toBe(3)
    expect([(await watch.next()).seq, (await watch.next()).seq]).toEqual([4, 5])
    expect(await offered(cairn, 'pl')).toBe('plan\tkey\n')
    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(0)
  })

  it('U2 with the token of an agent may do what that agent may, and never touch the store', async () => {
    const cairn = new Sandbox()
    onTestFinished(() => cairn.remove())
    const server = await startServer(cairn)
    const [own, other] = [await cairn.session('Own'), await cairn.session('Of somebody else')]
    const { id, token } = await cairn.answer(['token', 'create', 'agent', '--session', own])
    const nowhere = join(cairn.folder, 'nowhere')
    const env = { CAIRN_TOKEN: token, CAIRN_URL: server.url, CAIRN_HOME: nowhere, AGENT_SESSION_ID: other }
    expect(await cairn.answer(['state', 'set', 'plan', '1'], { env })).toMatchObject({ updated_by: own })
    expect(await offered(cairn, 'pl', { env })).toBe('plan\tkey\n')
    expect(await watching(cairn, ['--since', '0'], { env }).next()).toMatchObject({ key: 'plan', session_id: own })
    const beyond = [['ls'], ['state', 'get', '--session', other], ['session', 'create', '--topic', 'x'], ['gc']]
    for (const command of [...beyond, ['backup', join(cairn.folder, 'copy.db')]]) {
      const { document, exit } = await cairn.json(command, { env })
      expect([command[0], exit, document.error]).toEqual([command[0], 4, 'forbidden'])
    }
    const strange = watching(cairn, ['--session', other], { env })
    expect(await strange.ended).toBe(4)
    expect([existsSync(nowhere), existsSync(join(cairn.folder, 'copy.db'))]).toEqual([false, false])

    // Without an address the server that runs here is meant, and where none runs the store is still not.
    const here = { CAIRN_TOKEN: token }
    expect(await cairn.answer(['state', 'set', 'plan', '2'], { env: here })).toMatchObject({ updated_by: own })
    await cairn.answer(['token', 'revoke', id])
    expect((await cairn.json(['state', 'get'], { env: here })).document.error).toBe('unauthorized')
    await server.stop()
    const { document, exit } = await cairn.json(['state', 'set', 'plan', '3', '--session', own], { env: here })
    expect([exit, document.error]).toEqual([6, 'unavailable'])
    expect(await offered(cairn, 'pl', { env: here })).toBe('')
    expect(await cairn.answer(['state', 'get', 'plan', '--session', own])).toMatchObject({ value: 2 })
  })
})

describe('what becomes of a call', () => {
  const cairn = sandbox()

  /** A performer whose way to the server can be cut, and that server. */
  async function cutOff(options: Partial<LocalOptions> = {}) {
    const started = await startedIn(cairn)
    const { cutting, session } = started
    const file = join(cairn.home, 'server.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), url: cutting.url }))
    const access = { home: cairn.home, store: undefined, token: undefined, url: undefined, serverFile: undefined }
    const performer = new LocalPerformer({ ...access, meant: { session }, waits: 'yielding', ...options })
    onTestFinished(() => performer.close())
    return { ...started, performer }
  }

  async function codeOf(asking: Promise<unknown>): Promise<string> {
    const error = await asking.then(
      () => undefined,
      (refusal: unknown) => refusal,
    )
    return error instanceof CairnRefusal ? error.code : String(error)
  }

  function refusal(status: number, error: string): Fault {
    return { status, headers: { 'retry-after': '0' }, body: JSON.stringify({ error, message: '', hint: '' }) }
  }

  it('U15 what a server was lost over is asked of the store, a change under its own name', async () => {
    const { performer, cutting, direct, session } = await cutOff()
    const faults = [refusal(503, 'unavailable'), refusal(401, 'unauthorized'), 'before', 'after', 'middle'] as const
    for (const [at, fault] of faults.entries()) {
      cutting.plan.push(fault)
      expect(await performer.execute(state.increment, { key: 'n' })).toMatchObject({ value: at + 1 })
      expect(cutting.asked).toHaveLength(at + 1)
    }
    expect(await direct.state.get({ session, key: 'n' })).toMatchObject({
      value: faults.length,
      version: faults.length,
    })
    cutting.plan.push('before')
    const waiting = performer.execute(state.wait, { key: 'later', timeout: '50s' })
    while (cutting.plan.length > 0) await direct.session.list({})
    await direct.state.set({ session, key: 'later', value: 1 })
    expect(await waiting).toMatchObject({ value: 1 })
  })

  it('U15 upkeep that was lost is outcome_unknown, and that no server took is done by the store', async () => {
    const { performer, cutting } = await cutOff()
    cutting.plan.push('after')
    expect(await codeOf(performer.execute(store.gc, {}))).toBe('outcome_unknown')
    expect(cutting.asked).toHaveLength(1)
    cutting.plan.push(refusal(503, 'unavailable'))
    expect(await codeOf(performer.execute(store.gc, {}))).toBe('undefined')
    expect(cutting.asked).toHaveLength(2)
  })

  it('U15 a change that was lost, and that the store cannot settle, is outcome_unknown and says under which name', async () => {
    const { performer, cutting, direct, session, stop } = await cutOff()
    await direct.state.set({ session, key: 'n', value: 1 })
    const config = join(cairn.home, 'config.json')
    onTestFinished(() => writeFileSync(config, '{}'))
    cutting.plan.push('after')
    const asking = performer.execute(state.increment, { key: 'n' })
    // A store that nobody listens at: it can be opened by nobody.
    writeFileSync(config, JSON.stringify({ store: 'postgres://nobody@127.0.0.1:9/nothing' }))
    const error = await asking.catch((refused: unknown) => refused)
    expect(error).toMatchObject({ code: 'outcome_unknown', details: { request_id: expect.any(String) } })
    const { request_id } = (error as CairnRefusal).details
    const repeated = await direct.state.increment({ session, key: 'n', request_id: String(request_id) })
    expect(repeated).toMatchObject({ value: 2, version: 2 })
    await stop()
  })

  it('a server that is busy is asked again, with a token also one that was lost', async () => {
    const { performer, cutting, token, session } = await cutOff()
    cutting.plan.push(refusal(503, 'busy'), refusal(429, 'rate_limited'))
    expect(await performer.execute(state.increment, { key: 'n' })).toMatchObject({ value: 1 })
    expect(cutting.asked).toHaveLength(3)
    const bound = new LocalPerformer({
      ...{ home: join(cairn.folder, 'nowhere'), store: undefined, token, url: cutting.url, serverFile: undefined },
      ...{ meant: { session }, waits: 'yielding' },
    })
    onTestFinished(() => bound.close())
    cutting.plan.push('before', refusal(503, 'unavailable'), 'after')
    expect(await bound.execute(state.increment, { key: 'n' })).toMatchObject({ value: 2 })
    expect(cutting.asked).toHaveLength(7)
    expect(existsSync(join(cairn.folder, 'nowhere'))).toBe(false)
  })

  it('C28 what is followed goes on without gap or repeat over lost connections, and with the store at the end', async () => {
    const { performer, cutting, direct, session, stop } = await cutOff()
    const leaving = new AbortController()
    const seen: number[] = []
    cutting.plan.push('none', { bytes: 900 }, { bytes: 10 }, { bytes: 2000 })
    const following = (async () => {
      for await (const { seq } of performer.stream(state.watch, { since: 0 }, leaving.signal)) seen.push(seq)
    })()
    for (let at = 0; at < 10; at++) await direct.state.set({ session, key: `k${at}`, value: at })
    await expect.poll(() => seen.length).toBe(10)
    await stop()
    for (let at = 0; at < 5; at++) await performer.execute(state.set, { key: `k${at}`, value: 'again' })
    await expect.poll(() => seen.length).toBe(15)
    expect(seen).toEqual(Array.from({ length: 15 }, (_, at) => at + 2))
    leaving.abort()
    await following
  })
})
