// The official clients speak with Cairn over both transports, in each era of the protocol.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Document } from '../cli/sandbox.ts'
import { newOverHttp, newOverStdio, overHttp, overStdio } from './clients.ts'
import { type Place, place } from './place.ts'

const agentTools = [
  'state_get',
  'state_set',
  'state_patch',
  'state_delete',
  'state_increment',
  'state_append',
  'state_batch',
  'state_history',
  'state_wait',
  'state_claim',
  'session_status',
  'session_ask',
  'brief',
  'journal_update',
  'decision_add',
  'blocker_update',
  'task_claim',
]

/** What the clients of both packages can do, looked at freely. */
type Official = Document

interface Way {
  readonly name: string
  readonly served: boolean
  readonly revision: string
  connect(here: Place, session: string): Promise<Official>
}

const [agreed, stateless] = ['2025-11-25', '2026-07-28']
const header = (session: string) => ({ 'x-agent-session-id': session })
const environment = (session: string) => ({ AGENT_SESSION_ID: session })
const program: Way['connect'] = ({ sandbox }, session) => overStdio(sandbox, environment(session))

const ways: readonly Way[] = [
  { name: 'SDK 1 over stdio', served: false, revision: agreed, connect: program },
  { name: 'SDK 1 over stdio, through a server', served: true, revision: agreed, connect: program },
  {
    name: 'SDK 1 over HTTP',
    served: true,
    revision: agreed,
    connect: ({ server }, session) => overHttp(server, header(session)),
  },
  {
    name: 'SDK 2 over stdio',
    served: false,
    revision: agreed,
    connect: ({ sandbox }, session) => newOverStdio('legacy', sandbox, environment(session)),
  },
  {
    name: 'SDK 2 over HTTP',
    served: true,
    revision: agreed,
    connect: ({ server }, session) => newOverHttp('legacy', server, header(session)),
  },
  {
    name: 'SDK 2 over stdio, stateless',
    served: false,
    revision: stateless,
    connect: ({ sandbox }, session) => newOverStdio('stateless', sandbox, environment(session)),
  },
  {
    name: 'SDK 2 over HTTP, stateless',
    served: true,
    revision: stateless,
    connect: ({ server }, session) => newOverHttp('stateless', server, header(session)),
  },
]

/** The first package asks for the schema of the answer before the options. */
function cancellable(client: Official, name: string, given: object, signal: AbortSignal): Promise<unknown> {
  const asked = { name, arguments: given }
  return 'listen' in client ? client.callTool(asked, { signal }) : client.callTool(asked, undefined, { signal })
}

describe.each(ways)('$name', ({ served, revision, connect }) => {
  const here = place({ served })
  let [client, session]: [Official, string] = [undefined, '']
  beforeAll(async () => {
    session = await here().newRoot()
    client = await connect(here(), session)
  })
  afterAll(() => client?.close())

  async function call(name: string, given: object): Promise<Document> {
    const { structuredContent, content, isError = false } = await client.callTool({ name, arguments: given })
    // The same for those who read text and those who read values.
    expect(structuredContent).toEqual(JSON.parse(content[0].text))
    return { isError, ...structuredContent }
  }

  it('S0-111 lists the tools, writes and reads with them, and says who wrote', async () => {
    expect(client.getServerVersion().name).toBe('cairn')
    expect(client.getInstructions()).toContain('data')
    if ('getNegotiatedProtocolVersion' in client) expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { tools } = await client.listTools()
    expect(tools.map((tool: Document) => tool.name)).toEqual(agentTools)
    await call('state_set', { key: 'plan', value: '{"steps":[1,"é"]}' })
    await call('state_increment', { key: 'n', delta: 3 })
    await call('state_append', { key: 'found', items: '["a"]' })
    expect(await call('state_get', { key: 'plan' })).toMatchObject({
      isError: false,
      value: { steps: [1, 'é'] },
      version: 1,
      updated_by: session,
    })
    expect((await call('state_get', {})).state).toEqual({ plan: { steps: [1, 'é'] }, n: 3, found: ['a'] })
  })

  it('U54 a refusal is an answer that a model can act on: the code, a hint, and what is there now', async () => {
    await call('state_set', { key: 'held', value: '1' })
    const conflict = await call('state_set', { key: 'held', value: '2', version: 7 })
    expect(conflict).toMatchObject({
      isError: true,
      error: 'version_conflict',
      hint: expect.any(String),
      current_version: 1,
      current_value: 1,
    })
    const [broken, missing, unknown] = [
      await call('state_set', { key: 'held', value: '{hello' }),
      await call('state_get', { key: 'none' }),
      await call('state_get', { key: 'held', session_id: 'nobody' }),
    ]
    expect(broken).toMatchObject({
      isError: true,
      error: 'invalid_input',
      line: 1,
      column: 2,
      hint: expect.stringContaining('"\\"text\\""'),
    })
    expect(missing).toMatchObject({ isError: true, error: 'key_not_found' })
    expect(unknown).toMatchObject({ isError: true, error: 'session_not_found' })
    await expect(client.callTool({ name: 'state_nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  it('lists and reads resources, and gets a prompt', async () => {
    await call('state_set', { key: 'a/b', value: '"x"' })
    const { resources } = await client.listResources()
    const uris: string[] = resources.map((resource: Document) => resource.uri)
    expect(uris).toEqual(expect.arrayContaining([`cairn://roots/${session}/state`, `cairn://roots/${session}/summary`]))
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri })
      const { mimeType, text } = contents[0]
      if (mimeType === 'application/json') expect(JSON.parse(text)).toBeTypeOf('object')
      else expect([mimeType, text]).toEqual(['text/markdown', expect.stringContaining(session)])
    }
    const key = await client.readResource({ uri: uris.find((uri) => uri.includes('a%2Fb')) })
    expect(JSON.parse(key.contents[0].text)).toMatchObject({ value: 'x', updated_by: session })
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(5)
    await expect(client.readResource({ uri: 'cairn://elsewhere' })).rejects.toMatchObject({ code: expect.any(Number) })
    const { prompts } = await client.listPrompts()
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: {} })
      expect(messages[0].content.text).toContain(session)
    }
  })

  it('is told when a resource that it follows changes, by whomever', async () => {
    const uri = `cairn://roots/${session}/state/news`
    const told = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ method, params }: Document) => {
        if (method === 'notifications/resources/updated') resolve(params.uri)
      }
    })
    if (revision === stateless) await client.listen({ resourceSubscriptions: [uri] })
    else await client.subscribeResource({ uri })
    await here().cairn.state.set({ session, key: 'other', value: 1 })
    await here().cairn.state.set({ session, key: 'news', value: 1 })
    expect(await told).toBe(uri)
  })

  it('FAULTS 59 a wait that is cancelled ends, and the client goes on', async () => {
    const over = new AbortController()
    const waiting = cancellable(client, 'state_wait', { key: 'never', timeout: '10m' }, over.signal)
    waiting.catch(() => undefined)
    await call('state_increment', { key: 'turns' })
    over.abort()
    await expect(waiting).rejects.toThrow()
    expect(await call('state_increment', { key: 'turns' })).toMatchObject({ value: 2 })
  })
})
