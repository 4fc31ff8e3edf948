// Who is who over MCP: a token says how far a client reaches, and nothing else widens that.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { greetedHttpPeer, HttpPeer } from './http-peer.ts'
import { greetedPeer } from './peer.ts'
import { place } from './place.ts'

const here = place({ served: true })

/** A root with an agent that has a token of its own and a sibling, and another root. */
async function family() {
  const { cairn, newRoot, server } = here()
  const [root, other] = [await newRoot(), await newRoot()]
  const below = async (name: string) => (await cairn.session.create({ topic: name, parent: root, name })).session_id
  const [self, sibling] = [await below('self'), await below('sibling')]
  const { token, id } = await cairn.token.create({ kind: 'agent', session: self })
  for (const session of [root, other]) await cairn.state.set({ session, key: 'n', value: 1 })
  const agent = { url: server.url, token }
  return { root, other, self, sibling, agent, id }
}

/** What an agent tries with a session that is not its own. */
const tries: readonly [tool: string, given: object][] = [
  ['state_get', { key: 'n' }],
  ['state_get', {}],
  ['state_set', { key: 'n', value: '2' }],
  ['state_increment', { key: 'n' }],
  ['state_append', { key: 'list', items: '[1]' }],
  ['state_patch', { patch: '{"n":5}' }],
  ['state_delete', { key: 'n' }],
  ['state_batch', { operations: [{ op: 'set', key: 'n', value: 3 }] }],
  ['state_history', { key: 'n' }],
  ['state_wait', { key: 'n', timeout: '10ms' }],
  ['state_claim', { key: 'n' }],
  ['session_status', {}],
]

const ways = [
  {
    name: 'over HTTP',
    begin: ({ agent }: Awaited<ReturnType<typeof family>>, session?: string) =>
      greetedHttpPeer(agent, session === undefined ? {} : { 'x-agent-session-id': session }, '?profile=orchestrator'),
  },
  {
    name: 'over stdio',
    begin: ({ agent: { token } }: Awaited<ReturnType<typeof family>>, session = '') =>
      greetedPeer(here().sandbox, session, { CAIRN_TOKEN: token }, ['--profile', 'orchestrator']),
  },
]

describe.each(ways)('the token of an agent, $name', ({ begin }) => {
  it('U2 acts as its own session, in its own root', async () => {
    const made = await family()
    const peer = await begin(made)
    expect((await peer.call('state_increment', { key: 'n' })).document).toMatchObject({ value: 2 })
    const { cairn } = here()
    expect(await cairn.state.get({ session: made.root, key: 'n' })).toMatchObject({ updated_by: made.self })
  })

  it('U2 threat 12 does not reach another root, whatever is asked', async () => {
    const made = await family()
    const { cairn } = here()
    const head = async () => (await cairn.log.list({ session: made.other, limit: 1 })).last_seq
    const before = await head()
    const peer = await begin(made)
    for (const [tool, given] of tries) {
      const { isError, document } = await peer.call(tool, { ...given, session_id: made.other })
      expect([tool, isError, document.error]).toEqual([tool, true, 'forbidden'])
    }
    for (const uri of [`cairn://roots/${made.other}/state`, `cairn://roots/${made.other}/state/n`]) {
      expect(await peer.ask('resources/read', { uri })).toMatchObject({ error: { data: { error: 'forbidden' } } })
      expect(await peer.ask('resources/subscribe', { uri })).toMatchObject({ error: { data: { error: 'forbidden' } } })
    }
    const prompted = await peer.ask('prompts/get', { name: 'start', arguments: { session_id: made.other } })
    expect(prompted).toMatchObject({ error: { data: { error: 'forbidden' } } })
    expect(await head()).toBe(before)
  })

  it('U2 writes what its root shares in its own name, and ends nobody beside it', async () => {
    const made = await family()
    const peer = await begin(made)
    const { document } = await peer.call('state_set', { key: 'n', value: '2', session_id: made.sibling })
    expect(document).toMatchObject({ value: 2, updated_by: made.self })
    const { cairn } = here()
    for (const session of [made.sibling, made.root]) {
      expect(await peer.call('session_end', { session_id: session })).toMatchObject({
        document: { error: 'forbidden' },
      })
      expect(await cairn.session.show({ session })).toMatchObject({ status: 'running' })
    }
  })

  it('U2 S0-24 a session that is named beside the token does not widen it', async () => {
    const made = await family()
    const peer = await begin(made, made.other)
    await peer.call('state_increment', { key: 'n', delta: 10 })
    const { cairn } = here()
    expect((await cairn.state.get({ session: made.other, key: 'n' })).value).toBe(1)
    expect((await peer.call('state_get', { key: 'n' })).document).toMatchObject({ value: 11, updated_by: made.self })
  })
})

describe('a session of the protocol', () => {
  it('threat 13 is of no use to another principal, and does not let in anybody without a token', async () => {
    const { agent } = await family()
    const owner = await greetedHttpPeer(here().server)
    const stolen = { 'mcp-session-id': owner.id as string }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? ping : undefined
      expect((await new HttpPeer(agent, stolen).send(method, body)).status).toBe(404)
      expect((await new HttpPeer({ ...agent, token: 'wrong' }, stolen).send(method, body)).status).toBe(401)
    }
    expect(await owner.ask('ping')).toMatchObject({ result: {} })
  })

  it('ends with the token that it was begun with', async () => {
    const { agent, id } = await family()
    const peer = await greetedHttpPeer(agent)
    const waiting = peer.send('POST', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'state_wait', arguments: { key: 'never', timeout: '50s' } },
    })
    const cut = waiting.then(
      ({ status }) => status,
      () => 'cut off',
    )
    await connect({ url: agent.url, token: here().server.token }).token.revoke({ id })
    expect([401, 'cut off']).toContain(await cut)
    expect((await peer.send('POST', { jsonrpc: '2.0', id: 2, method: 'ping' })).status).toBe(401)
  })
})
