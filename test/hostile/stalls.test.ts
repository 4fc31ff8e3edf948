// Single requests that would be much work for one event loop: they are bounded, or done in parts.

import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Asking, ask } from '../../src/domain/log/questions.ts'
import { aboutLog } from '../../src/domain/log/sql/about-log.ts'
import { openCairn } from '../../src/open.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { engineOf } from '../setup/store-engine.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

function newSandbox(): Sandbox {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  return sandbox
}

/** A megabyte of them takes thirty times as much memory as values. */
const manyObjects = Array.from({ length: 300_000 }, () => ({}))

function peakOf({ pid }: RunningServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

it('U53 a large state of small objects is read whole, and takes little more memory than its text', async () => {
  const sandbox = newSandbox()
  const cairn = await openCairn({ home: sandbox.home })
  const { session_id: session } = await cairn.session.create({ topic: 'many' })
  const keys = Array.from({ length: 14 }, (_, at) => `k${at}`)
  for (const key of keys) await cairn.state.set({ session, key, value: manyObjects })
  await cairn.close()
  const server = await startServer(sandbox)
  const response = await server.send('GET', `/sessions/${session}/state`)
  const text = await response.text()
  expect([response.status, Number(response.headers.get('content-length'))]).toEqual([200, text.length])
  const value = JSON.stringify(manyObjects)
  expect(text.split(value)).toHaveLength(2 * keys.length + 1)
  expect(JSON.parse(text.replaceAll(value, '0')).state).toEqual(Object.fromEntries(keys.map((key) => [key, 0])))
  // Parsed, they would come to half a gigabyte.
  expect(peakOf(server)).toBeLessThan(330 * 1024 * 1024)
})

it('U53 a body of very many small values is refused before it is read, over REST and MCP', async () => {
  const server = await startServer(newSandbox(), [], { CAIRN_LIMIT_REQUEST_VALUES: '1000' })
  const { session_id: session } = await server.call('session.create', { topic: 'many' })
  const asked = (count: number) => ({ session, key: 'k', value: Array.from({ length: count }, () => ({})) })
  const call = (count: number) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'state_set', arguments: asked(count) },
  })
  for (const response of [
    await server.send('POST', '/operations/state.set', asked(1000)),
    await server.send('POST', '/mcp', call(1000)),
  ]) {
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      error: 'payload_too_large',
      limit: 'requestValues',
      limit_value: 1000,
      hint: expect.stringMatching(/blob/),
    })
  }
  // Commas and brackets in a text are no values.
  const value = '[{,'.repeat(5000)
  expect((await server.send('POST', '/operations/state.set', { session, key: 'k', value })).status).toBe(200)
  expect((await server.send('POST', '/operations/state.set', asked(900))).status).toBe(200)
})

it('U53 an agent restores a large state in parts, its owner at once', async () => {
  const server = await startServer(newSandbox(), [], { CAIRN_LIMIT_BATCH_BYTES: '100000' })
  const { session_id: session } = await server.call('session.create', { topic: 'restored' })
  const { token } = await server.call('token.create', { kind: 'agent', session })
  for (const value of ['x'.repeat(40_000), 'y'])
    for (const key of ['a', 'b', 'c', 'd']) await server.call('state.set', { session, key, value })
  const asAgent = (input: object) =>
    fetch(new URL('/operations/state.restore', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 5, ...input }),
    })
  const refused = await asAgent({})
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { error: 'invalid_input', limit: 'batchBytes', hint: expect.stringContaining('keys') },
  ])
  expect((await asAgent({ keys: ['a', 'b'] })).status).toBe(200)
  const { changed } = await server.call('state.restore', { session, to: 5 })
  expect(changed.map(({ key }: { key: string }) => key)).toEqual(['c', 'd'])
})

for (const kind of STORES) {
  describe(`long reads on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U53 others get their turn while a long reading goes on, and while the files are written anew', async () => {
      await newRoot(store())
      const engine = await engineOf(store())
      onTestFinished(() => engine.close())
      let turns = 0
      const count = () => {
        turns += 1
        setImmediate(count)
      }
      setImmediate(count)
      function* untilOthersHadOne(): Asking<boolean> {
        const before = turns
        for (let asked = 0; asked < 100_000 && turns === before; asked++) yield* ask(aboutLog.all_roots)
        return turns > before
      }
      expect(await engine.read(untilOthersHadOne(), 'aside')).toBe(true)
      const before = turns
      await engine.scrub()
      // A database server does that by itself, and nothing is left to do here.
      if (!engine.locksByRoot) expect(turns).toBeGreaterThan(before)
    })

    it('U53 differences of large values come in pages, and none is missing', async () => {
      const { cairn } = await newRoot(store())
      const keys = Array.from({ length: 7 }, (_, at) => `k${at}`)
      const value = (mark: number) => ({ mark, long: 'x'.repeat(400_000) })
      for (const mark of [1, 2]) for (const key of keys) await cairn.state.set({ key, value: value(mark) })
      await cairn.state.set({ key: 'new', value: 'y'.repeat(100_000) })
      const seen: string[] = []
      let pages = 0
      for (let after: string | undefined = ' '; after !== undefined; pages++) {
        const page: Awaited<ReturnType<typeof cairn.state.diff>> = await cairn.state.diff({ from: 8, to: 'now', after })
        for (const { key, ...change } of page.changes) {
          seen.push(key)
          expect(change).toEqual(
            key === 'new'
              ? { op: 'added', path: '', after: 'y'.repeat(100_000) }
              : { op: 'changed', path: '/mark', before: 1, after: 2 },
          )
        }
        after = page.next_after
      }
      expect(seen).toEqual([...keys, 'new'])
      expect(pages).toBeGreaterThan(1)
    })
  })
}

for (const kind of STORES) {
  describe(`a conversation that is too long to be read at once on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U53 is refused before it is read, whatever was rewound, and read in parts', async () => {
      const { cairn, session } = await newRoot(store())
      // Each text is short enough to stay in its message.
      const content = Array.from({ length: 60 }, () => ({ type: 'text', text: 'x'.repeat(16_000) }))
      for (let at = 0; at < 24; at++) await cairn.context.append({ session, role: 'user', content })
      const tooMuch = { code: 'value_too_large', details: { limit: 'contextBytes', limit_value: 16 * 1024 * 1024 } }
      for (const asked of [{}, { format: 'openai' }, { format: 'text', all: true }] as const)
        expect(await refused(cairn.context.show({ session, ...asked }))).toMatchObject(tooMuch)
      const countOf = async (asked: object) => (await cairn.context.show({ session, ...asked })).messages.length
      expect([await countOf({ point: 12, format: 'raw' }), await countOf({ since: 12, format: 'raw' })]).toEqual([
        12, 12,
      ])
      await cairn.context.overwrite({ session, from_point: 6 })
      for (let at = 0; at < 6; at++) await cairn.context.append({ session, role: 'user', content })
      expect(await countOf({ format: 'raw' })).toBe(12)
      expect(await refused(cairn.context.show({ session, format: 'raw', all: true }))).toMatchObject(tooMuch)
      await cairn.context.compact({ session, summary: 'all of it' })
      expect(await countOf({ format: 'raw' })).toBe(1)
    })
  })
}
