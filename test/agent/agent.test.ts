// `cairn agent` against a stand-in model.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contextService } from '../../src/client/context/open-context.ts'
import { openCairn } from '../../src/index.ts'
import { ToolSet } from '../../src/runner/tools/tool-set.ts'
import { sandbox } from '../cli/sandbox.ts'
import { StandInModel } from './stand-in-model.ts'

const cli = sandbox()
const secret = 'sk-stand-in-0123456789abcdef'
let model: StandInModel
let root: string

beforeAll(async () => {
  model = await new StandInModel().listen()
  root = await cli.session('Agents')
})
afterAll(() => model.close())
beforeEach(() => {
  model.requests.length = 0
  model.faults = []
})

const env = (more: Record<string, string> = {}) => ({
  ANTHROPIC_API_KEY: secret,
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_MODEL: 'stand-in-1',
  ...more,
})
const openai = () => ({ OPENAI_API_KEY: secret, OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'stand-in-2' })
const increment = (id: string, key = 'n') => ({ id, name: 'state_increment', input: { key } })

for (const provider of ['anthropic', 'openai'] as const) {
  describe(`over the protocol of ${provider}`, () => {
    const given = () => (provider === 'anthropic' ? env() : openai())

    it('S3-52 S3-56 S3-34 S3-35 S3-36 S3-37 works with tools until it has answered, and records every message', async () => {
      const key = `steps-${provider}`
      model.script = [
        { text: 'One moment.', calls: [increment('call_a', key), increment('call_b', key)] },
        { text: 'It is 2.' },
      ]
      const args = ['agent', 'Count twice.', '--session', root, '--system', 'Be brief.']
      const { document, exit, err } = await cli.json(args, { env: given() })
      expect([exit, err.includes(secret)]).toEqual([0, false])
      expect(document).toMatchObject({ text: 'It is 2.', turns: 2, root_session_id: root })
      expect(document.usage).toEqual({ input_tokens: 30, output_tokens: 6, cached_tokens: 10 })
      const { messages } = await cli.answer(['context', 'show', document.session_id, '--format', 'openai'])
      expect(messages.map(({ role }: { role: string }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'tool',
        'assistant',
      ])
      expect(await cli.answer(['state', 'get', key, '--session', root])).toMatchObject({ value: 2 })
      const { events } = await cli.answer(['why', key, '--session', root])
      expect(events[0]).toMatchObject({
        session_id: document.session_id,
        message: { tool: 'state_increment', text: 'One moment.' },
      })
      expect((await cli.run(['why', key, '--session', root])).out).toContain('One moment.')
      const { runs } = await cli.answer(['session', 'runs', document.session_id])
      expect(runs).toMatchObject([{ how: 'completed', adapter: 'model', usage: { output_tokens: 6 } }])
      const [first] = model.requests
      expect(JSON.stringify(first?.body.tools)).toContain('state_increment')
      expect(JSON.stringify(first?.body)).toContain('Be brief.')
      expect(first?.headers[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toContain(secret)
    })

    it('S3-57 S3-43 goes on where it was, and says what has changed since', async () => {
      model.script = [{ text: 'First.' }, { text: 'Second.' }]
      const { session_id: id } = await cli.answer(['agent', 'One?', '--session', root], { env: given() })
      const { document, err } = await cli.json(['agent', 'Two?', '--resume', id, '--model', 'stand-in-9'], {
        env: given(),
      })
      expect(document).toMatchObject({ session_id: id, text: 'Second.' })
      expect(err).toContain('the model has changed since the last run')
      expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toMatch(/One\?.*First\..*Two\?/)
      const again = await cli.answer(['agent', '--resume', id], { env: given() })
      expect(again).toMatchObject({ text: 'Second.', turns: 0 })
    })
  })
}

it('S3-5 S3-44 S3-45 S3-46 S3-47 S3-58 --copy goes on with a copy, and S3-59 --overwrite with the conversation from a point', async () => {
  model.script = [{ text: 'Alpha.' }, { text: 'Beta.' }, { text: 'Gamma.' }]
  const { session_id: id } = await cli.answer(['agent', 'a', '--session', root], { env: env() })
  await cli.answer(['agent', 'b', '--resume', id], { env: env() })
  const copy = await cli.answer(['agent', 'c', '--copy', id, '--to-point', '2'], { env: env() })
  expect(copy.session_id).not.toBe(id)
  expect(copy.text).toBe('Beta.')
  expect(model.requests.at(-1)?.body.messages).toHaveLength(3)
  const over = await cli.answer(['agent', 'd', '--overwrite', id, '--from-point', '2'], { env: env() })
  expect(over.session_id).toBe(id)
  expect(
    model.requests
      .at(-1)
      ?.body.messages.map(({ content }: { content: unknown }) => JSON.stringify(content))
      .join(),
  ).not.toContain('"b"')
  const bad = await cli.json(['agent', 'd', '--overwrite', id, '--from-point', '99'], { env: env() })
  expect([bad.exit, bad.document.error]).toEqual([4, 'bad_cut'])
})

it('streams the text to stdout, and shows calls on stderr', async () => {
  model.script = [{ text: 'Thinking.', calls: [increment('toolu_s', 'shown')] }, { text: 'Done.' }]
  const { out, err, exit } = await cli.run(['agent', '--session', root], { env: env(), input: 'from stdin\n' })
  expect([exit, out]).toEqual([0, 'Thinking.\nDone.\n'])
  expect(err).toContain('→ state_increment {"key":"shown"}')
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('from stdin')
})

it('gives call ids that repeat new ones', async () => {
  model.script = [{ calls: [increment('call_1', 'same')] }, { calls: [increment('call_1', 'same')] }, { text: 'ok' }]
  const { exit } = await cli.json(['agent', 'go', '--session', root], { env: openai() })
  expect(exit).toBe(0)
  expect(await cli.answer(['state', 'get', 'same', '--session', root])).toMatchObject({ value: 2 })
  const ids = model.requests
    .at(-1)
    ?.body.messages.flatMap((each: { tool_calls?: { id: string }[] }) => (each.tool_calls ?? []).map(({ id }) => id))
  expect(new Set(ids).size).toBe(2)
})

describe('tool servers that the caller names', () => {
  const servers = (notes: string) =>
    JSON.stringify({
      mcpServers: { notes: { command: process.execPath, args: [resolve('test/agent/foreign-server.mjs'), notes] } },
    })

  it('are used, and called by their server where names collide', async () => {
    const notes = join(cli.folder, 'notes.txt')
    const file = cli.write('servers.json', servers(notes))
    model.script = [{ calls: [{ id: 'toolu_n', name: 'note', input: { line: 'hello' } }] }, { text: 'noted' }]
    const { exit } = await cli.json(['agent', 'note', '--session', root, '--mcp', file], { env: env() })
    expect([exit, readFileSync(notes, 'utf8')]).toEqual([0, 'hello\n'])
    const names = model.requests[0]?.body.tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['note', 'state_get', 'notes_state_get']))
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('noted hello')
  })

  it('are refused from a file of a repository until it is trusted', async () => {
    const file = join(cli.project, '.mcp.json')
    writeFileSync(file, servers('x'))
    const { document, exit } = await cli.json(['agent', 'note', '--session', root, '--mcp', file], { env: env() })
    expect([exit, document.error]).toEqual([4, 'not_trusted'])
    expect(model.requests).toEqual([])
    await cli.answer(['trust', file, '--yes'])
    model.script = [{ text: 'done' }]
    expect((await cli.json(['agent', 'note', '--session', root, '--mcp', file], { env: env() })).exit).toBe(0)
  })
})

describe('an endpoint that', () => {
  it('refuses the key: says which variable holds it', async () => {
    model.faults = [{ status: 401, body: { error: { message: `bad key ${secret}` } } }]
    const { document, exit, err } = await cli.json(['agent', 'hi', '--session', root], { env: env() })
    expect([exit, document.error, document.variable]).toEqual([4, 'unauthorized', 'ANTHROPIC_API_KEY'])
    expect(JSON.stringify(document) + err).not.toContain(secret)
    expect(model.requests).toHaveLength(1)
  })

  it('is busy, sends nonsense or breaks off: is asked again, and nothing of it is kept', async () => {
    model.script = [{ text: 'At last.' }]
    model.faults = [{ status: 429, retryAfter: '0' }, { status: 529, retryAfter: '0' }, 'garbage', 'break off']
    const { document, exit } = await cli.json(['agent', 'hi', '--session', root], { env: env() })
    expect([exit, document.text, model.requests.length]).toEqual([0, 'At last.', 5])
    const { messages } = await cli.answer(['context', 'show', document.session_id])
    expect(messages).toHaveLength(2)
  })

  it('stays busy or broken: is reported, and what was good is kept', async () => {
    model.script = [{ calls: [increment('toolu_b', 'busy')] }, { text: 'Later.' }]
    const busy = Array.from({ length: 6 }, () => ({ status: 529, retryAfter: '0' }))
    const { session_id: id } = await cli.answer(['agent', 'first', '--session', root, '--max-turns', '1'], {
      env: env(),
    })
    model.faults = [...busy]
    const { document, exit } = await cli.json(['agent', '--resume', id], { env: env() })
    expect([exit, document.error, document.tries]).toEqual([6, 'unavailable', 6])
    model.faults = ['garbage', 'garbage', 'garbage']
    const broken = await cli.json(['agent', '--resume', id], { env: env() })
    expect([broken.exit, broken.document.error]).toEqual([6, 'unavailable'])
    model.faults = []
    expect(await cli.answer(['agent', '--resume', id], { env: env() })).toMatchObject({ text: 'Later.' })
    const { runs } = await cli.answer(['session', 'runs', id])
    expect(runs.map(({ how }: { how: string }) => how)).toEqual(['completed', 'failed', 'failed', 'completed'])
  })
})

it('has one writer: a second process is told which; one that is told to end gives its place back at once', async () => {
  model.script = [{ text: 'Now.' }]
  model.faults = ['hang']
  const child = cli.spawn(['agent', 'wait', '--session', root, '--json'], { env: env() })
  child.stdin?.end()
  const closed = new Promise<number | null>((done) => child.on('close', done))
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 60_000 })
  const { children } = await cli.answer(['session', 'show', root])
  const id = children.at(-1)
  const second = await cli.json(['agent', '--resume', id], { env: env() })
  expect([second.exit, second.document.error]).toEqual([5, 'held_by_other'])
  expect(second.document.holder).toContain(`process ${child.pid}`)
  child.kill('SIGTERM')
  expect(await closed).toBe(1)
  expect(await cli.answer(['agent', '--resume', id], { env: env() })).toMatchObject({ session_id: id, text: 'Now.' })
  const { runs } = await cli.answer(['session', 'runs', id])
  expect(runs.map(({ how }: { how: string }) => how)).toEqual(['cancelled', 'completed'])
})

it('changes nothing any more once another writes: what its tools do carries the fence of the writer', async () => {
  const cairn = await openCairn({ home: cli.home })
  const program = resolve('bin/cairn')
  const tools = await ToolSet.start([
    {
      name: 'cairn',
      command: process.execPath,
      args: [program, 'mcp', '--home', cli.home],
      env: toolEnv(),
      isOwn: true,
    },
  ])
  try {
    const first = await contextService({ cairn, agentName: 'agent', session: root, persist: true })
    expect(await tools.call({ ...increment('fence_1', 'fenced'), input: { key: 'fenced' } }, first)).toContain('1')
    const second = await contextService({ cairn, agentName: 'agent', instanceId: first.instanceId, takeOver: true })
    expect(await tools.call({ ...increment('fence_2', 'fenced'), input: { key: 'fenced' } }, first)).toContain('fenced')
    expect((await cairn.state.get({ session: root, key: 'fenced' })).value).toBe(1)
    await tools.call({ ...increment('fence_3', 'fenced'), input: { key: 'fenced' } }, second)
    expect((await cairn.state.get({ session: root, key: 'fenced' })).value).toBe(2)
    await second.close()
    await first.close()
  } finally {
    await tools.close()
    await cairn.close()
  }
})

function toolEnv(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: cli.folder, AGENT_SESSION_ID: root, AGENT_ROOT_SESSION_ID: root }
}

it('U3 stores no secret of its environment, whatever the model and the tools say', async () => {
  const planted = 'plainly-secret-value-42'
  const notes = join(cli.folder, 'secret-notes.txt')
  const file = cli.write(
    'secret.json',
    JSON.stringify({
      mcpServers: { notes: { command: process.execPath, args: [resolve('test/agent/foreign-server.mjs'), notes] } },
    }),
  )
  model.script = [
    { text: `I saw ${planted}.`, calls: [{ id: 'toolu_x', name: 'note', input: { line: planted } }] },
    { text: `Again: ${planted} ${secret}` },
  ]
  const given = env({ DB_PASSWORD: planted })
  const { exit } = await cli.json(['agent', `use ${planted}`, '--session', root, '--mcp', file], { env: given })
  expect(exit).toBe(0)
  mkdirSync(cli.home, { recursive: true })
  const cairn = await openCairn({ home: cli.home })
  try {
    const told = JSON.stringify((await cairn.log.list({ session: root, since: 0, limit: 1000 })).events)
    expect([told.includes('toolu_x'), told.includes(planted), told.includes(secret)]).toEqual([true, false, false])
  } finally {
    await cairn.close()
  }
  for (const name of readdirSync(cli.home)) {
    const bytes = readFileSync(join(cli.home, name))
    expect([name, bytes.includes(planted), bytes.includes(secret)]).toEqual([name, false, false])
  }
})

it('S3-43 S3-46 a conversation that is not there is named as elsewhere, and its runs are shown to people', async () => {
  for (const flag of ['--resume', '--overwrite', '--copy']) {
    const { document, exit } = await cli.json(['agent', 'Go on.', flag, 'nobody'], { env: env() })
    expect([document.error, exit, document.message]).toEqual([
      'session_not_found',
      3,
      expect.stringContaining('no session "nobody"'),
    ])
  }
  model.script = [{ text: 'Yes.' }]
  const { document } = await cli.json(['agent', 'Are you there?', '--session', root], { env: env() })
  const { out } = await cli.run(['session', 'runs', document.session_id])
  expect(out).toMatch(
    /^RUN +SESSION +MODE +MODEL +STARTED +TOKENS +END *\n\S+ +\S+ +cli +stand-in-1 +.* in, .* out +completed/,
  )
})
