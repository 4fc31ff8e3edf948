// A patch that changes nothing, in every way to send one.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { talkWith } from '../mcp/talking.ts'
import { lastSeq } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('an empty patch', () => {
  const store = sharedStore(sqlite)

  /** The answer of each surface to the same, each on a root of its own that was prepared alike. */
  async function answers(prepared: boolean, ways: Record<string, (session: string) => Promise<Document>>) {
    const cairn = await store().open()
    const all: Record<string, Document> = {}
    for (const [name, way] of Object.entries(ways)) {
      const { session_id: session } = await cairn.session.create({ topic: 't' })
      if (prepared) await cairn.state.init({ session, initial_state: { a: { b: 1 } } })
      const own = await store().open({ session })
      const before = await lastSeq(own)
      const { root_session_id: _root, updated_at: _at, updated_by: _by, state: _state, ...answer } = await way(session)
      all[name] = { ...answer, events: (await lastSeq(own)) - before }
      await own.close()
    }
    await cairn.close()
    return all
  }

  async function surfaces() {
    const served = await serveStore(store())
    const sandbox = new Sandbox()
    onTestFinished(() => sandbox.remove())
    const env = { CAIRN_HOME: store().home }
    const command = (session: string, ...line: string[]) => sandbox.answer([...line, '--session', session], { env })
    const tool = async (session: string, name: string, given: object) => {
      const talk = await talkWith(store(), session)
      const { document } = await talk.call(name, given)
      talk.close()
      return document
    }
    const rest = async (session: string, path: string, body: unknown, type: string) =>
      (await served.ask('PATCH', `/sessions/${session}/state${path}`, { body, type })).body
    return { command, tool, rest }
  }

  it.each([true, false])('of the document changes no version, with a state: %s', async (prepared) => {
    const { command, tool, rest } = await surfaces()
    const library = await store().open()
    const all = await answers(prepared, {
      library: (session) => library.state.patch({ session, patch: {} }),
      command: (session) => command(session, 'state', 'patch', '{}'),
      tool: (session) => tool(session, 'state_patch', { patch: '{}' }),
      rest: (session) => rest(session, '', {}, 'application/merge-patch+json'),
    })
    const expected = { version: prepared ? 1 : 0, keys: {}, seq: prepared ? 2 : 1, events: 0 }
    expect(all).toEqual({ library: expected, command: expected, tool: expected, rest: expected })
    await library.close()
  })

  it('of a key is a write of the value that is there, as any other write', async () => {
    const { command, tool, rest } = await surfaces()
    const library = await store().open()
    const batch = (op: object) => async (session: string) => {
      const { results } = await tool(session, 'state_batch', { operations: [op] })
      const { status: _, ...answer } = results[0]
      return answer
    }
    const merges = await answers(true, {
      library: (session) => library.state.merge({ session, key: 'a', patch: {} }),
      command: (session) => command(session, 'state', 'merge', 'a', '{}'),
      tool: batch({ op: 'merge', key: 'a', patch: {} }),
      rest: (session) => rest(session, '/keys/a', {}, 'application/merge-patch+json'),
    })
    const patches = await answers(true, {
      library: (session) => library.state.jsonPatch({ session, key: 'a', operations: [] }),
      command: (session) => command(session, 'state', 'json-patch', 'a', '[]'),
      tool: batch({ op: 'json_patch', key: 'a', operations: [] }),
      rest: (session) => rest(session, '/keys/a', [], 'application/json-patch+json'),
    })
    const expected = { key: 'a', value: { b: 1 }, version: 2, seq: 3, events: 1 }
    const alike = { library: expected, command: expected, tool: expected, rest: expected }
    expect([merges, patches]).toEqual([alike, alike])
    await library.close()
  })
})
