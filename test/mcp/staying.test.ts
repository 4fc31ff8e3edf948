// Agents over stdio that nobody told who they are: they stay with one piece of work, and can be told apart.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Document, type RunOptions, Sandbox } from '../cli/sandbox.ts'
import { KINDS } from '../server/script.ts'
import { type NamedClient, namedOverStdio } from './clients.ts'
import { startPeer } from './peer.ts'

describe.each(KINDS)('agents over stdio on $name', ({ newStore }) => {
  let env: Record<string, string> = {}
  let drop = async () => {}
  let cairn: Sandbox

  beforeAll(async () => {
    const made = await newStore()
    env = made.env as Record<string, string>
    drop = made.drop
  })
  // A project for each test, in one store.
  beforeEach(() => {
    const fresh = new Sandbox()
    onTestFinished(() => fresh.remove())
    cairn = fresh
  })
  afterAll(() => drop())

  const answer = (args: string[], options: RunOptions = {}): Promise<Document> =>
    cairn.answer(args, { ...options, env: { ...env, ...options.env } })

  async function agent(name = 'claude-code', more: string[] = [], given: Record<string, string> = {}) {
    const started = await namedOverStdio(cairn, name, { ...env, ...given }, more)
    onTestFinished(() => started.client.close())
    return started
  }

  async function call({ client }: NamedClient, name: string, given: object = {}): Promise<Document> {
    const { content, isError = false } = (await client.callTool({ name, arguments: { ...given } })) as Document
    return { isError, ...JSON.parse(content[0].text) }
  }

  const newRoot = async (topic = 'Work') => (await answer(['session', 'create', topic])).session_id as string

  const childrenOf = async (root: string): Promise<Document[]> => (await answer(['tree', root])).children

  it('two at once on one counter are told apart by `why`', async () => {
    const root = await newRoot()
    const [one, two] = [await agent(), await agent()]
    await Promise.all(
      [one, two].flatMap((each) => Array.from({ length: 5 }, () => call(each, 'state_increment', { key: 'n' }))),
    )
    const { events } = await answer(['why', 'n', '--session', root])
    const authors = events.map((event: Document) => event.session_name)
    expect(authors.toSorted()).toEqual([...Array(5).fill('claude-code-1'), ...Array(5).fill('claude-code-2')])
    expect(await call(one, 'state_get', { key: 'n' })).toMatchObject({ value: 10 })
    const names = await Promise.all([one, two].map(async (each) => (await call(each, 'session_status')).session_name))
    expect(names.toSorted()).toEqual(['claude-code-1', 'claude-code-2'])
  })

  it('is no child while it only reads, and is one with its first write, whichever session of the root it names', async () => {
    const root = await newRoot()
    const reader = await agent('codex')
    expect(await call(reader, 'session_status')).toMatchObject({ session_id: root })
    await call(reader, 'state_get')
    expect(await childrenOf(root)).toEqual([])
    const { updated_by } = await call(reader, 'state_set', { key: 'k', value: '1', session_id: root })
    expect(await childrenOf(root)).toMatchObject([{ session_name: 'codex-1', session_id: updated_by }])
    await reader.client.close()
    await expect.poll(() => childrenOf(root)).toMatchObject([{ status: 'completed', reason: null }])
  })

  it('S0-9 `cairn use` and new roots move nobody, and no other root is reached', async () => {
    const root = await newRoot()
    const [before, after] = [await agent(), await agent('codex', [], {})]
    await call(before, 'state_set', { key: 'a', value: '1' })
    await call(after, 'state_get')
    const other = await newRoot('Other')
    await answer(['use', other])
    await answer(['session', 'create', 'kid', '--name', 'kid', '--parent', other])
    for (const each of [before, after]) {
      expect(await call(each, 'state_increment', { key: 'n' })).toMatchObject({ isError: false })
      expect(await call(each, 'session_status')).toMatchObject({ root_session_id: root })
      for (const session_id of [other, other.slice(-8), 'kid']) {
        expect(await call(each, 'state_get', { session_id })).toMatchObject({ error: 'session_not_found' })
        expect(await call(each, 'state_set', { key: 'x', value: '1', session_id })).toMatchObject({
          error: 'session_not_found',
        })
      }
      await expect(each.client.readResource({ uri: `cairn://roots/${other}/state` })).rejects.toThrow()
    }
    expect((await answer(['state', 'get', '--session', root])).state).toEqual({ a: 1, n: 2 })
    expect(await call(await agent('later'), 'session_status')).toMatchObject({ session_id: other })
  })

  it('--all-roots reaches all, and what is meant stays', async () => {
    const root = await newRoot()
    const owner = await agent('claude-code', ['--all-roots', '--profile', 'orchestrator'])
    await call(owner, 'state_get')
    const other = await newRoot('Other')
    await answer(['use', other])
    await call(owner, 'state_set', { key: 'x', value: '"there"', session_id: other })
    await call(owner, 'state_set', { key: 'x', value: '"here"' })
    expect(await call(owner, 'state_get', { key: 'x', session_id: other })).toMatchObject({ value: 'there' })
    expect(await call(owner, 'session_status')).toMatchObject({ root_session_id: root })
    expect((await call(owner, 'session_list')).sessions.length).toBeGreaterThan(1)
    const bound = await agent('codex', ['--profile', 'orchestrator'])
    for (const [tool, given] of [
      ['session_list', {}],
      ['session_create', { topic: 'another' }],
    ] as const) {
      const refused = await call(bound, tool, given)
      expect(refused).toMatchObject({ error: 'forbidden', hint: expect.stringContaining('--all-roots') })
    }
  })

  it('says that there is no work yet; the first write makes it, once for all who write at the same time', async () => {
    const [one, two] = [await agent(), await agent('codex')]
    for (const tool of ['state_get', 'session_status']) {
      expect(await call(one, tool)).toMatchObject({
        error: 'no_session',
        message: 'There is no session in this folder yet.',
        hint: expect.stringMatching(/^The first write creates it/),
        project: cairn.project,
      })
    }
    const [a, b] = await Promise.all([
      call(one, 'state_increment', { key: 'n' }),
      call(two, 'state_increment', { key: 'n' }),
    ])
    expect(a.note ?? b.note).toMatch(
      /^There was no session in this folder yet, so the root \S+_project_\S+ was created\.$/,
    )
    expect([a.value, b.value].toSorted()).toEqual([1, 2])
    expect((await call(one, 'state_increment', { key: 'n' })).note).toBeUndefined()
    const { sessions } = await answer(['ls', '--project', cairn.project])
    expect(sessions).toMatchObject([{ topic: 'project', project_dir: cairn.project }])
    // After its end the next write begins another.
    await answer(['session', 'end', sessions[0].session_id])
    expect((await call(await agent(), 'state_increment', { key: 'n' })).value).toBe(1)
    expect((await answer(['ls', '--all', '--project', cairn.project])).sessions).toHaveLength(2)
  })

  it('with several unfinished roots it is told the candidates, and stays with the one that it names', async () => {
    const [first, second] = [await newRoot(), await newRoot('Second')]
    const each = await agent()
    const refused = await call(each, 'state_increment', { key: 'n' })
    expect(refused).toMatchObject({ error: 'ambiguous_id', hint: expect.stringContaining('session_id') })
    const candidates = refused.candidates.map(({ session_id }: Document) => session_id)
    expect(candidates.toSorted()).toEqual([first, second].toSorted())
    expect(await call(each, 'state_get', { session_id: 'sess_nothing' })).toMatchObject({ error: 'session_not_found' })
    await call(each, 'state_increment', { key: 'n', session_id: second })
    expect(await call(each, 'session_status')).toMatchObject({ root_session_id: second, session_name: 'claude-code-1' })
    expect(await call(each, 'state_get', { session_id: first })).toMatchObject({ error: 'session_not_found' })
  })

  it('U15 killed between effect and answer, another repeats with the same request id: the same answer, counted once', async () => {
    const root = await newRoot()
    await answer(['state', 'set', 'n', '5', '--session', root])
    const asked = { key: 'n', delta: 2, request_id: `once-${root}` }
    // The first commit is that of its joining.
    const first = await agent('claude-code', [], { CAIRN_FAILPOINT: 'answer:kill@2' })
    await expect(call(first, 'state_increment', asked)).rejects.toThrow()
    const second = await agent()
    const repeated = await call(second, 'state_increment', asked)
    expect(repeated).toMatchObject({ isError: false, value: 7, version: 2 })
    expect(await call(second, 'state_increment', asked)).toEqual(repeated)
    expect(await call(second, 'state_increment', { ...asked, delta: 3 })).toMatchObject({
      error: 'idempotency_mismatch',
    })
    expect(await call(second, 'state_get', { key: 'n' })).toMatchObject({ value: 7 })
    expect(await childrenOf(root)).toMatchObject([
      { session_name: 'claude-code-1', status: 'completed', reason: 'process gone' },
      { session_name: 'claude-code-2', status: 'running' },
    ])
  })

  it('killed, it is ended by the next command, with its claim', async () => {
    const root = await newRoot()
    const killed = await agent()
    expect(await call(killed, 'state_claim', { key: 'work' })).toMatchObject({ token: expect.any(String) })
    const { session_id } = await call(killed, 'session_status')
    await answer(['state', 'set', 'here', '1', '--ephemeral', '--session', session_id])
    expect(
      (await cairn.json(['state', 'claim', 'work', '--ttl', '1m', '--session', root], { env })).document.error,
    ).toBe('held_by_other')
    process.kill(killed.pid, 'SIGKILL')
    await expect
      .poll(async () => (await childrenOf(root))[0])
      .toMatchObject({ status: 'completed', reason: 'process gone' })
    expect((await answer(['state', 'get', '--session', root])).state).toEqual({})
    await answer(['state', 'claim', 'work', '--ttl', '1m', '--session', root])
  })

  it('ends at SIGTERM, and its child before it', async () => {
    const root = await newRoot()
    const peer = startPeer(cairn, { env })
    await peer.initialize()
    await peer.call('state_increment', { key: 'n' })
    peer.kill('SIGTERM')
    expect((await peer.ended).code).toBe(0)
    expect(await childrenOf(root)).toMatchObject([{ session_name: 'peer-1', status: 'completed', reason: null }])
  })

  it('writes as the session that it was told of, and as no child', async () => {
    const root = await newRoot()
    const { session_id } = await answer(['session', 'create', 'kid', '--name', 'kid', '--parent', root])
    for (const told of [
      { AGENT_SESSION_ID: session_id },
      { AGENT_SESSION_NAME: 'kid', AGENT_ROOT_SESSION_ID: root },
    ] as Record<string, string>[]) {
      const each = await agent('claude-code', [], told)
      expect(await call(each, 'state_set', { key: 'k', value: '1' })).toMatchObject({ updated_by: session_id })
      await each.client.close()
    }
    const rooted = await agent('claude-code', [], { AGENT_ROOT_SESSION_ID: root })
    await call(rooted, 'state_increment', { key: 'n' })
    expect((await childrenOf(root)).map(({ session_name }) => session_name)).toEqual(['kid', 'claude-code-1'])
  })

  it('works in the project of its repository from a worktree', async () => {
    const [main, tree] = [join(cairn.folder, 'main'), join(cairn.folder, 'tree')]
    mkdirSync(main)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
        cwd: main,
        stdio: 'pipe',
      })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', tree)
    const peer = startPeer(cairn, { env, cwd: tree })
    await peer.initialize()
    const { document } = await peer.call('state_set', { key: 'k', value: '1' })
    expect(document.note).toContain('_main_')
    expect((await answer(['state', 'get', 'k'], { cwd: main })).value).toBe(1)
  })

  it('the same through a server, which ends the child of a killed one by itself', async () => {
    const root = await newRoot()
    await answer(['up', '--port', '0'])
    onTestFinished(async () => void (await cairn.run(['down'], { env })))
    const [one, two] = [await agent(), await agent()]
    await call(one, 'state_increment', { key: 'n', request_id: `served-${root}` })
    await call(two, 'state_claim', { key: 'work' })
    expect((await childrenOf(root)).map(({ session_name }) => session_name)).toEqual(['claude-code-1', 'claude-code-2'])
    const other = await newRoot('Other')
    expect(await call(one, 'state_get', { session_id: other })).toMatchObject({ error: 'session_not_found' })
    process.kill(two.pid, 'SIGKILL')
    await expect
      .poll(async () => (await childrenOf(root))[1])
      .toMatchObject({ status: 'completed', reason: 'process gone' })
    expect(await call(one, 'state_claim', { key: 'work' })).toMatchObject({ isError: false })
    expect(await call(one, 'state_increment', { key: 'n', request_id: `served-${root}` })).toMatchObject({ value: 1 })
  })
})
