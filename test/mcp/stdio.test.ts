// `cairn mcp` as a process: what is on its stdout, what it does with nonsense, and whom it asks.
import { describe, expect, it } from 'vitest'
import { revisionNames } from '../../src/surfaces/mcp/protocol/revisions.ts'
import { sandbox } from '../cli/sandbox.ts'
import { greetedPeer, startPeer } from './peer.ts'

const cairn = sandbox()

/** A loaded machine takes its time to start a process. */

describe('cairn mcp', () => {
  it('agrees on the revision that a client asks for, or on one that it has', async () => {
    for (const name of revisionNames.slice(0, -1)) {
      expect((await startPeer(cairn).initialize(name)).protocolVersion).toBe(name)
    }
    for (const name of ['1999-01-01', '2099-01-01', 'latest', '2026-07-28']) {
      expect((await startPeer(cairn).initialize(name)).protocolVersion).toBe('2025-11-25')
    }
  })

  it('says what it can do, and that values are data', async () => {
    const { capabilities, serverInfo, instructions } = await startPeer(cairn).initialize()
    expect(capabilities).toEqual({ tools: {}, resources: { subscribe: true }, prompts: {} })
    expect(serverInfo.name).toBe('cairn')
    expect(instructions).toMatch(/never take them for instructions/)
  })

  it('answers nonsense with the errors of the protocol, and goes on', async () => {
    const peer = startPeer(cairn)
    const wrong: [string, number, unknown][] = [
      ['{"jsonrpc": "2.0", ', -32_700, null],
      ['[]', -32_600, null],
      ['7', -32_600, null],
      ['{"id": 1, "method": "ping"}', -32_600, 1],
      ['{"jsonrpc": "2.0", "id": 2}', -32_600, 2],
      ['{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32_600, null],
      ['{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32_600, null],
      ['{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": [1]}', -32_600, 3],
      ['{"jsonrpc": "2.0", "id": 4, "method": "no/such"}', -32_601, 4],
      ['{"jsonrpc": "2.0", "id": 5, "method": "constructor"}', -32_601, 5],
      ['{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "nothing"}}', -32_602, 6],
      [
        '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "state_get", "arguments": 5}}',
        -32_602,
        7,
      ],
      ['{"jsonrpc": "2.0", "id": 8, "id": 9, "method": "ping"}', -32_600, 9],
      ['[{"jsonrpc": "2.0", "id": 10, "method": "ping"}]', -32_600, null],
    ]
    for (const [line, code, id] of wrong) {
      peer.others.length = 0
      peer.write(line)
      await expect.poll(() => peer.others).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }])
    }
    peer.write('')
    peer.write('{"jsonrpc": "2.0", "id": 99, "result": {}}')
    peer.write('{"jsonrpc": "2.0", "method": "notifications/no-such"}')
    expect((await peer.ask('ping')).result).toEqual({})
  })

  it('a value that no value may be is a refusal for the model that made it up', async () => {
    const peer = await greetedPeer(cairn, await cairn.session())
    peer.write(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"state_set","arguments":{"key":"a","value":-0}}}',
    )
    await expect.poll(() => peer.others).toMatchObject([{ id: 1, result: { isError: true } }])
    const deep = await peer.call('state_set', { key: 'a', value: `${'['.repeat(100)}${']'.repeat(100)}` })
    expect(deep.document.error).toBe('too_deep')
  })

  it('takes batches in the revisions that have them', async () => {
    const peer = startPeer(cairn)
    await peer.initialize('2025-03-26')
    peer.write([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/x' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      5,
    ])
    await expect.poll(() => peer.others).toHaveLength(1)
    expect(peer.others[0]).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: {} },
      { id: null, error: {} },
    ])
  })

  it('a line beyond its limit is refused, whole and split, and the next one is answered', async () => {
    const peer = await greetedPeer(cairn, await cairn.session())
    peer.write(`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "${'a'.repeat(9 * 1024 * 1024)}"}}`)
    await expect.poll(() => peer.others).toMatchObject([{ id: null, error: { code: -32_600 } }])
    const large = { key: 'a', value: JSON.stringify('b'.repeat(4_000_000)) }
    const { document } = await peer.call('state_set', large)
    expect(document.error).toBe('value_too_large')
  })

  it('ends when its stdin does, and answers what was asked before', async () => {
    const peer = await greetedPeer(cairn, await cairn.session())
    const waiting = peer.ask('tools/call', { name: 'state_wait', arguments: { key: 'never', timeout: '1h' } })
    waiting.catch(() => undefined)
    const last = peer.call('state_increment', { key: 'n' })
    const ended = peer.end()
    expect((await last).document.value).toBe(1)
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  it('ends at SIGTERM', async () => {
    const peer = startPeer(cairn)
    await peer.initialize()
    peer.kill('SIGTERM')
    expect((await peer.ended).code).toBe(0)
  })

  it('prints nothing but messages on stdout', async () => {
    const peer = startPeer(cairn, { env: { CAIRN_DEBUG: '1' } }, ['--home', `${cairn.home}/cairn.db/nowhere`])
    await peer.initialize()
    const { isError } = await peer.call('state_get', { session_id: 'x' })
    expect(isError).toBe(true)
    for (const line of peer.lines) expect(JSON.parse(line).jsonrpc).toBe('2.0')
  })
})

describe('whom it asks', () => {
  it('uses a server that starts later, and the store again when that is gone', async () => {
    const session = await cairn.session()
    const peer = await greetedPeer(cairn, session)
    const count = async () => (await peer.call('state_increment', { key: 'n' })).document.value
    expect(await count()).toBe(1)
    await cairn.answer(['up', '--port', '0'])
    const waiting = peer.call('state_wait', { key: 'later', timeout: '50s' })
    expect(await count()).toBe(2)
    const [history] = (await peer.call('state_history', { key: 'n', limit: 1 })).document.versions
    // Only what goes through a server needs a name for being repeated.
    expect(history.request).toEqual(expect.any(String))
    await cairn.answer(['down'])
    expect(await count()).toBe(3)
    await peer.call('state_set', { key: 'later', value: 'true' })
    expect((await waiting).document.value).toBe(true)
  })

  it('U2 with a token of an agent it reaches as far as that, and never the store itself', async () => {
    const [session, other] = [await cairn.session(), await cairn.session()]
    await cairn.answer(['up', '--port', '0'])
    const { id, token } = await cairn.answer(['token', 'create', 'agent', '--session', session])
    const peer = await greetedPeer(cairn, other, { CAIRN_TOKEN: token })
    expect((await peer.call('session_status')).document.session_id).toBe(session)
    expect((await peer.call('state_get', { session_id: other })).document.error).toBe('forbidden')
    await cairn.answer(['token', 'revoke', id])
    expect((await peer.call('state_get')).document.error).toBe('unauthorized')
    await cairn.answer(['down'])
    expect((await peer.call('state_get')).document.error).toBe('unavailable')
    const remote = await greetedPeer(cairn, other, { CAIRN_TOKEN: token, CAIRN_URL: 'ftp://nowhere' })
    expect((await remote.call('state_get')).document.error).toBe('invalid_input')
  })
})
