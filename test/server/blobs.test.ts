// Blobs of a real server, with real tokens: who reaches what, and what is said of it where everybody may look.
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/index.ts'
import { bytesOf, contentOf, sha256 } from '../blobs/bytes.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { startServer } from './servers.ts'

it("U2 an agent's token reaches the blobs of its own root, a reader's token reads, and no line of the log tells of either", async () => {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  const server = await startServer(sandbox, ['--log'])
  const root = async () => String((await server.call('session.create', { topic: 'a root' })).session_id)
  const [own, foreign] = [await root(), await root()]
  const token = async (input: object) => String((await server.call('token.create', input)).token)
  const agent = await token({ kind: 'agent', session: own })
  const reader = await token({ kind: 'reader' })
  const text = `${'a large result '.repeat(100)} swordfish-4711`
  const bytes = Buffer.from(text)
  const hash = sha256(bytes)
  const ask = async (by: string, method: string, session: string, body?: Buffer) => {
    const headers = { authorization: `Bearer ${by}` }
    const url = new URL(`/sessions/${session}/blobs/${hash}`, server.url)
    const response = await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) })
    return { status: response.status, text: await response.text() }
  }
  expect(await ask(agent, 'PUT', own, bytes)).toMatchObject({ status: 201 })
  expect(await ask(agent, 'GET', own)).toEqual({ status: 200, text })
  expect(await ask(server.token, 'PUT', foreign, bytes)).toMatchObject({ status: 201 })
  for (const [method, body] of [['GET'], ['HEAD'], ['PUT', bytes]] as const) {
    expect(await ask(agent, method, foreign, body), method).toMatchObject({ status: 403 })
    // The same as for what is not there.
    expect(await ask(agent, method, 'sess_nobody', body), method).toMatchObject({ status: 403 })
    expect(await ask('cairn_wrong', method, own, body), method).toMatchObject({ status: 401 })
  }
  expect(await ask(reader, 'GET', foreign)).toEqual({ status: 200, text })
  expect(await ask(reader, 'PUT', foreign, bytes)).toMatchObject({ status: 403 })
  expect(await ask(server.token, 'PUT', own, Buffer.from(bytesOf(10)))).toMatchObject({ status: 422 })
  // Without a name, the session of the token is meant.
  const client = connect({ url: server.url, token: agent })
  const { hash: added } = await client.blob.put({ content: bytesOf(100) })
  expect((await contentOf(client, added)).equals(bytesOf(100))).toBe(true)
  await client.close()
  await server.stop()
  await expect.poll(() => server.err).toContain('PUT /sessions/{session}/blobs/{hash}')
  for (const part of ['swordfish-4711', hash, own]) expect(server.err).not.toContain(part)
})
