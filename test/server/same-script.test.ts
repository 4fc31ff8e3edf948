// One script, asked in every way there is: the answers and the refusals are the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { openCairn } from '../../src/open.ts'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { byMethods, KINDS, play, type Way } from './script.ts'
import { type RunningServer, startServer } from './servers.ts'

/** Each way has words of its own for what to do next. */
function withoutHints(documents: readonly Document[]): Document[] {
  return documents.map((document) => ('error' in document ? { ...document, hint: typeof document.hint } : document))
}

function byCommands(sandbox: Sandbox, env: Record<string, string>): Way {
  return async ({ line }) => (await sandbox.json(line, { env })).document
}

function byRequests(server: RunningServer): Way {
  return async ({ rest: [method, path, body] }) => (await server.send(method, path, body)).json()
}

describe.each(KINDS)('the same script on $name', ({ newStore }) => {
  let expected: Document[]
  const ended: (() => Promise<void>)[] = []

  async function place() {
    const sandbox = new Sandbox()
    const { env, drop } = await newStore()
    ended.push(drop, async () => sandbox.remove())
    return { sandbox, env: env as Record<string, string> }
  }

  beforeAll(async () => {
    const { sandbox, env } = await place()
    const cairn = await openCairn({ home: sandbox.home, store: env.CAIRN_STORE })
    expected = await play(byMethods(cairn))
    await cairn.close()
  })
  afterAll(async () => {
    for (const end of ended) await end()
  })

  it('as requests of REST', async () => {
    const { sandbox, env } = await place()
    const server = await startServer(sandbox, [], env)
    expect(withoutHints(await play(byRequests(server)))).toEqual(withoutHints(expected))
    await server.stop()
  })

  it('through the client', async () => {
    const { sandbox, env } = await place()
    const server = await startServer(sandbox, [], env)
    expect(await play(byMethods(connect({ url: server.url, token: server.token })))).toEqual(expected)
    await server.stop()
  })

  it('U56 as commands without a server', async () => {
    const { sandbox, env } = await place()
    expect(withoutHints(await play(byCommands(sandbox, env)))).toEqual(withoutHints(expected))
  })

  it('U56 as commands while a server runs, which is asked each time', async () => {
    const { sandbox, env } = await place()
    const server = await startServer(sandbox, ['--log'], env)
    expect(withoutHints(await play(byCommands(sandbox, env)))).toEqual(withoutHints(expected))
    await server.stop()
    const answered = server.err.split('\n').filter((line) => line.includes('"answered"'))
    expect(answered).toHaveLength(expected.length)
  })
})
