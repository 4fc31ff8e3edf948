// Messages that no client should send: each is answered with an error of the protocol or a refusal, and the next one is served.
import { describe, expect, it } from 'vitest'
import { greetedHttpPeer, HttpPeer } from './http-peer.ts'
import { greetedPeer, startPeer } from './peer.ts'
import { place } from './place.ts'

const ping = '{"jsonrpc":"2.0","id":"after","method":"ping"}'

/** Lines, and the code of the error that answers each; of those that no answer belongs to, none. */
const brokenMessages: readonly [line: string, code: number | undefined][] = [
  ['{', -32700],
  ['nonsense', -32700],
  ['\u0000', -32700],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}x', -32700],
  ['""', -32600],
  ['1', -32600],
  ['null', -32600],
  ['[]', -32600],
  ['{}', -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ['{"id":1,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1}', -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","id":2}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"state_get","arguments":[]}}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":7}}', -32602],
  ['{"jsonrpc":"2.0","method":"no/such/notification"}', undefined],
  ['{"jsonrpc":"2.0","id":9,"result":{}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}', undefined],
]

/** Arguments that no value may hold. */
const brokenArguments = [
  '{"key":"k","value":{"__proto__":{"polluted":1}}}',
  '{"key":"k","value":"{\\"__proto__\\":1}"}',
  '{"key":"k","value":"{\\"a\\":1,\\"a\\":2}"}',
  '{"key":"k","key":"l","value":"1"}',
  '{"key":"k","value":9007199254740993}',
  '{"key":"k","value":1e999}',
  '{"key":"k","value":"-0"}',
  '{"key":"k","value":"\\"\\\\ud800\\""}',
  '{"key":"k","value":"\\ud800"}',
  `{"key":"k","value":${'['.repeat(65)}${']'.repeat(65)}}`,
  `{"key":"k","value":"${'['.repeat(65)}${']'.repeat(65)}"}`,
  '{"key":"","value":"1"}',
  '{"key":7,"value":"1"}',
  '{"value":"1"}',
  '{"key":"k"}',
  '{"key":"k","value":"1","version":"x"}',
  '{"key":"k","value":"1","more":1}',
]

function setCall(given: string): string {
  return `{"jsonrpc":"2.0","id":"set","method":"tools/call","params":{"name":"state_set","arguments":${given}}}`
}

describe('messages over stdio', () => {
  const here = place({ served: false })

  it('what is broken is told so, and what comes after is served', async () => {
    const peer = await greetedPeer(here().sandbox, await here().newRoot())
    for (const [line, code] of brokenMessages) {
      const before = peer.others.length
      peer.write(line)
      expect(await peer.ask('ping'), line).toMatchObject({ result: {} })
      const answers = peer.others.slice(before).map(({ error }) => error.code)
      expect(answers, line).toEqual(code === undefined ? [] : [code])
    }
    expect((await peer.end()).code).toBe(0)
  })

  it('FAULTS 23 an argument that no value may hold is refused, and nothing is written', async () => {
    const session = await here().newRoot()
    const peer = await greetedPeer(here().sandbox, session)
    await peer.call('state_set', { key: 'before', value: '1' })
    for (const given of brokenArguments) {
      const answer = await peer.answerTo('set', setCall(given))
      expect(answer, given.slice(0, 200)).toMatchObject({ result: { isError: true } })
    }
    expect((await here().cairn.state.all({ session })).state).toEqual({ before: 1 })
  })

  it('FAULTS 24 an argument of 4 MB is refused by its size, a line beyond all bounds too, and both only once', async () => {
    const session = await here().newRoot()
    const peer = await greetedPeer(here().sandbox, session)
    const large = await peer.call('state_set', { key: 'k', value: JSON.stringify('x'.repeat(4_000_000)) })
    expect(large).toMatchObject({ isError: true, document: { error: 'value_too_large', hint: expect.any(String) } })
    peer.write(setCall(`{"key":"k","value":"${'9'.repeat(9_000_000)}"}`))
    expect(await peer.ask('ping')).toMatchObject({ result: {} })
    expect(peer.others).toMatchObject([{ id: null, error: { code: -32600 } }])
    const value = 'y'.repeat(1_000_000)
    expect(await peer.call('state_set', { key: 'k', value: JSON.stringify(value) })).toMatchObject({ isError: false })
    expect((await peer.call('state_get', { key: 'k' })).document.value).toBe(value)
  })

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    ['', '2025-11-25'],
  ])('a client that proposes revision %j is answered with %s', async (proposed, answered) => {
    const peer = startPeer(here().sandbox)
    expect(await peer.initialize(proposed)).toMatchObject({ protocolVersion: answered })
    const { result } = await peer.ask('tools/call', { name: 'state_get', arguments: {} })
    // Values beside the text came with 2025-06-18.
    expect('structuredContent' in result).toBe(answered >= '2025-06-18')
  })

  it('FAULTS 69 each line on stdout is a message of the protocol, whatever was asked', async () => {
    const peer = await greetedPeer(here().sandbox, await here().newRoot(), { CAIRN_DEBUG: '1', NODE_DEBUG: 'net' })
    for (const [line] of brokenMessages) peer.write(line)
    await peer.call('state_set', { key: 'k', value: '1' })
    await peer.end()
    const strange = peer.lines.filter((line) => JSON.parse(line).jsonrpc !== '2.0')
    expect(strange).toEqual([])
    expect(peer.lines.length).toBeGreaterThan(brokenMessages.length / 2)
  })
})

describe('messages over HTTP', () => {
  const here = place({ served: true })
  const greeted = async () => greetedHttpPeer(here().server, { 'x-agent-session-id': await here().newRoot() })

  it('what is broken is told so, and what comes after is served', async () => {
    const peer = await greeted()
    for (const [line, code] of brokenMessages) {
      const { status, message } = await peer.send('POST', line)
      expect(status, line).toBeLessThan(500)
      expect(message?.error?.code, line).toBe(code)
      expect((await peer.send('POST', ping)).message, line).toMatchObject({ id: 'after', result: {} })
    }
  })

  it('FAULTS 23 an argument that no value may hold is refused', async () => {
    const peer = await greeted()
    await peer.call('state_set', { key: 'before', value: '1' })
    for (const given of brokenArguments) {
      const { message } = await peer.send('POST', setCall(given))
      expect(message, given.slice(0, 200)).toMatchObject({ id: 'set', result: { isError: true } })
    }
    expect(Object.keys(Object.prototype)).toEqual([])
    expect((await peer.call('state_get')).document.state).toEqual({ before: 1 })
  })

  it('FAULTS 24 an argument of 4 MB is refused by its size', async () => {
    const peer = await greeted()
    const large = await peer.call('state_set', { key: 'k', value: JSON.stringify('x'.repeat(4_000_000)) })
    expect(large).toMatchObject({ isError: true, document: { error: 'value_too_large' } })
    expect((await peer.send('POST', setCall(`{"key":"k","value":"${'9'.repeat(5_000_000)}"}`))).status).toBe(413)
    expect(await peer.call('state_set', { key: 'k', value: '1' })).toMatchObject({ isError: false })
  })

  it('an unknown revision, a foreign type, no session and a session that is over are each told so', async () => {
    const peer = await greeted()
    expect((await peer.send('POST', ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await peer.send('POST', ping, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await peer.send('POST', ping, { accept: 'text/html' })).status).toBe(406)
    expect((await peer.send('GET', undefined, { accept: 'application/json' })).status).toBe(406)
    expect((await peer.send('PUT', ping)).status).toBe(405)
    expect((await new HttpPeer(here().server).send('POST', ping)).status).toBe(400)
    expect((await peer.send('DELETE')).status).toBe(204)
    expect((await peer.send('POST', ping)).status).toBe(404)
  })

  it('FAULTS 6 what comes from a page of another origin or for another host is refused', async () => {
    const peer = await greeted()
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? ping : undefined
      expect((await peer.send(method, body, { origin: 'https://evil.example' })).status).toBe(403)
    }
    expect((await new HttpPeer({ ...here().server, token: 'none' }).send('POST', ping)).status).toBe(401)
  })
})
