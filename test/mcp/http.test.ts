// `/mcp`: who is let in, what belongs to whom, and what is told over which connection.
import { describe, expect, it } from 'vitest'
import { greetedHttpPeer, HttpPeer } from './http-peer.ts'
import { listen } from './listening.ts'
import { type Address, place } from './place.ts'

const here = place({ served: true })

async function agentAddress(session: string): Promise<Address & { id: string }> {
  const { cairn, server } = here()
  const { token, id } = await cairn.token.create({ kind: 'agent', session })
  return { url: server.url, token, id }
}

const meaning = (session: string) => ({ 'x-agent-session-id': session })
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('who is let in', () => {
  it('nobody without a token, from a strange page or under a strange name', async () => {
    const { server } = here()
    const peer = new HttpPeer(server)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? ping : undefined
      expect((await peer.send(method, body, { authorization: '' })).status).toBe(401)
      expect((await peer.send(method, body, { origin: 'http://evil.example' })).status).toBe(403)
    }
    expect((await peer.send('PUT', ping)).status).toBe(405)
  })

  it('a request needs the session that initialize gave', async () => {
    const { server } = here()
    const peer = new HttpPeer(server)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? ping : undefined
      expect((await peer.send(method, body)).status).toBe(400)
      expect((await peer.send(method, body, { 'mcp-session-id': 'no-such' })).status).toBe(404)
    }
    await peer.initialize()
    expect(peer.id).toMatch(/^[\w-]{43}$/)
    expect((await peer.ask('ping')).result).toEqual({})
  })

  it("another's session id is of no use", async () => {
    const { server, newRoot } = here()
    const [one, other] = [await agentAddress(await newRoot()), await agentAddress(await newRoot())]
    const peer = await greetedHttpPeer(one)
    for (const stranger of [other, server]) {
      const theirs = new HttpPeer(stranger)
      for (const method of ['POST', 'GET', 'DELETE']) {
        const body = method === 'POST' ? ping : undefined
        expect((await theirs.send(method, body, { 'mcp-session-id': peer.id ?? '' })).status).toBe(404)
      }
    }
    expect((await peer.ask('ping')).result).toEqual({})
  })

  it('DELETE ends a session, and what is listened to', async () => {
    const { server } = here()
    const peer = await greetedHttpPeer(server)
    const line = await listen(peer, server)
    expect(line.status).toBe(200)
    expect((await peer.send('DELETE')).status).toBe(204)
    expect(await line.next()).toBe('the end')
    expect((await peer.send('POST', ping)).status).toBe(404)
  })

  it('a token that is revoked ends its session, what is listened to, and a wait in it', async () => {
    const { server, newRoot } = here()
    const address = await agentAddress(await newRoot())
    const peer = await greetedHttpPeer(address)
    const line = await listen(peer, address)
    const waiting = peer.call('state_wait', { key: 'never', timeout: '1h' }).catch(() => 'cut off')
    await peer.call('state_increment', { key: 'n' })
    const body = JSON.stringify({ id: address.id })
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    await fetch(new URL('/operations/token.revoke', server.url), { method: 'POST', headers, body })
    expect(await waiting).toBe('cut off')
    expect(await line.next()).toBe('the end')
    expect((await peer.send('POST', ping)).status).toBe(401)
  })

  it('a token that another process revokes ends what is listened to with it', async () => {
    const { cairn, newRoot } = here()
    const address = await agentAddress(await newRoot())
    const line = await listen(await greetedHttpPeer(address), address)
    await cairn.token.revoke({ id: address.id })
    expect(await line.next()).toBe('the end')
  })
})

describe('what is said', () => {
  it('two clients with the same ids each get their own answers', async () => {
    const { server, cairn, newRoot } = here()
    const roots = [await newRoot(), await newRoot()]
    for (const [at, session] of roots.entries()) await cairn.state.set({ session, key: 'mine', value: at })
    const peers = await Promise.all(roots.map((session) => greetedHttpPeer(server, meaning(session))))
    const rounds = Array.from({ length: 20 }, (_, id) =>
      Promise.all(peers.map((peer) => peer.call('state_get', { key: 'mine' }, id))),
    )
    for (const [first, second] of await Promise.all(rounds)) {
      expect([first?.document.value, second?.document.value]).toEqual([0, 1])
    }
  })

  it('a wait of one client holds up no other call of it or of others', async () => {
    const { server, newRoot } = here()
    const session = await newRoot()
    const [one, other] = [
      await greetedHttpPeer(server, meaning(session)),
      await greetedHttpPeer(server, meaning(session)),
    ]
    const waiting = one.call('state_wait', { key: 'n', condition: 'value >= 2', timeout: '50s' })
    expect((await one.call('state_increment', { key: 'n' })).document.value).toBe(1)
    expect((await other.call('state_increment', { key: 'n' })).document.value).toBe(2)
    expect((await waiting).document.value).toBe(2)
  })

  it('S0-24 the session is that of the token, else that of a header', async () => {
    const { server, newRoot } = here()
    const [own, other] = [await newRoot(), await newRoot()]
    const agent = await greetedHttpPeer(await agentAddress(own), meaning(other))
    expect((await agent.call('session_status')).document.session_id).toBe(own)
    const owner = await greetedHttpPeer(server, { 'x-agent-session-name': other })
    expect((await owner.call('session_status')).document.session_id).toBe(other)
    const nobody = await greetedHttpPeer(server)
    expect((await nobody.call('session_status')).document.error).toBe('no_session')
  })

  it('what a client cannot take, or does not know, is told by status', async () => {
    const { server } = here()
    const peer = await greetedHttpPeer(server)
    const statusOf = async (body: string | object, headers: Record<string, string> = {}) =>
      (await peer.send('POST', body, headers)).status
    expect(await statusOf(ping, { accept: 'text/html' })).toBe(406)
    expect(await statusOf(ping, { accept: 'application/json' })).toBe(200)
    expect(await statusOf(ping, { 'content-type': 'text/plain' })).toBe(415)
    expect(await statusOf(ping, { 'mcp-protocol-version': '1999-01-01' })).toBe(400)
    expect(await statusOf('{"jsonrpc": ')).toBe(400)
    expect(await statusOf('')).toBe(400)
    expect(await statusOf([ping])).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202)
    expect(await statusOf(`{"x": "${'a'.repeat(5 * 1024 * 1024)}"}`)).toBe(413)
    expect((await peer.send('GET', undefined, { accept: 'application/json' })).status).toBe(406)
    expect((await new HttpPeer(server, {}, '?profile=boss').send('POST', ping)).status).toBe(400)
  })

  it('a revision with batches takes them', async () => {
    const peer = new HttpPeer(here().server)
    await peer.initialize('2025-03-26')
    const { message } = await peer.send('POST', [ping, { ...ping, id: 2 }])
    expect(message).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('the profile comes with the address', async () => {
    const peer = new HttpPeer(here().server, {}, '?profile=orchestrator')
    await peer.initialize()
    const { tools } = (await peer.ask('tools/list')).result
    expect(tools.map(({ name }: { name: string }) => name)).toContain('session_create')
  })

  it('progress of a wait comes before its answer, on the same connection', async () => {
    const { server, cairn, newRoot } = here()
    const session = await newRoot()
    const peer = await greetedHttpPeer(server, meaning(session))
    const params = { name: 'state_wait', arguments: { key: 'a', timeout: '50s' }, _meta: { progressToken: 'p' } }
    const waiting = peer.send('POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await peer.call('state_set', { key: 'b', value: '1' })
    await cairn.state.set({ session, key: 'a', value: 1 })
    const { headers, text, message } = await waiting
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(text).toMatch(/"notifications\/progress".*\n\n.*\ndata: .*"id":1/s)
    expect(message.result.structuredContent.value).toBe(1)
  })

  it('what is followed is told over GET, also what happened before that was there', async () => {
    const { server, newRoot } = here()
    const session = await newRoot()
    const peer = await greetedHttpPeer(server, meaning(session))
    const uri = `cairn://roots/${session}/state/a`
    await peer.ask('resources/subscribe', { uri })
    await peer.call('state_set', { key: 'a', value: '1' })
    const first = await listen(peer, server)
    expect(await first.next()).toContain(`"notifications/resources/updated","params":{"uri":"${uri}"}`)
    const second = await listen(peer, server)
    expect(await first.next()).toBe('the end')
    await peer.call('state_set', { key: 'a', value: '2' })
    expect(await second.next()).toContain(uri)
  })
})

describe('the stateless revision', () => {
  const name = '2026-07-28'
  const _meta = { 'io.modelcontextprotocol/protocolVersion': name }
  const send = (method: string, params: object, headers: Record<string, string> = {}) => {
    const said = { 'mcp-protocol-version': name, 'mcp-method': method, ...headers }
    const peer = new HttpPeer(here().server)
    return peer.send('POST', { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, said)
  }

  it('answers each request by itself, and says who answers', async () => {
    const { message, headers } = await send('server/discover', {})
    expect(message.result).toMatchObject({ resultType: 'complete', supportedVersions: [name], cacheScope: 'private' })
    expect(message.result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('cairn')
    expect(headers.get('mcp-session-id')).toBeNull()
    const session = await here().newRoot()
    const params = { name: 'state_increment', arguments: { key: 'n', session_id: session } }
    const { message: called } = await send('tools/call', params, { 'mcp-name': 'state_increment' })
    expect(called.result).toMatchObject({ resultType: 'complete', structuredContent: { value: 1 } })
  })

  it('headers that say something else than the body are refused', async () => {
    const params = { name: 'state_get', arguments: {} }
    const wrong: Record<string, string>[] = [
      { 'mcp-name': 'state_set' },
      {},
      { 'mcp-name': 'state_get', 'mcp-method': 'tools/list' },
      { 'mcp-name': 'state_get', 'mcp-protocol-version': '2025-11-25' },
    ]
    for (const headers of wrong) {
      const { status, message } = await send('tools/call', params, headers)
      expect([status, message.error.code]).toEqual([400, -32_020])
    }
    const encoded = `=?base64?${Buffer.from('state_get').toString('base64')}?=`
    expect((await send('tools/call', params, { 'mcp-name': encoded })).status).toBe(200)
  })

  it('knows no sessions, and no methods of before', async () => {
    for (const method of ['ping', 'resources/subscribe', 'no/such']) {
      const { status, message } = await send(method, {})
      expect([status, message.error.code]).toEqual([404, -32_601])
    }
    const peer = new HttpPeer(here().server)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const said = { 'mcp-protocol-version': name, 'mcp-method': 'tools/list' }
    expect((await peer.send('POST', body, said)).message.error.code).toBe(-32_602)
  })
})
