// The script that is played through library, commands and REST, played with tools: the same answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCairn } from '../../src/open.ts'
import { withoutRepeats } from '../../src/surfaces/mcp/tools/state.ts'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import { byMethods, KINDS, play, type Step, type Way } from '../server/script.ts'
import { startServer } from '../server/servers.ts'
import { HttpPeer } from './http-peer.ts'
import { type Called, startPeer } from './peer.ts'

/** Operations that have a tool of another name. */
const toolNames: Readonly<Record<string, string>> = { 'state.all': 'state_get', 'session.show': 'session_status' }
/** Those that have none are asked of the library. */
const withoutTool = ['state.init']
/** Arguments that are JSON text. */
const jsonTexts = ['value', 'items']

interface Client {
  call(name: string, given: object): Promise<Called>
}

function byTools(client: Client, besides: Way): Way {
  return async (step) => {
    if (withoutTool.includes(step.operation)) return besides(step)
    const { document } = await client.call(toolNameOf(step), argumentsOf(step))
    return document
  }
}

function toolNameOf({ operation }: Step): string {
  return toolNames[operation] ?? operation.replace('.', '_')
}

function argumentsOf({ input: { session, ...rest } }: Step): object {
  const given = Object.entries(rest).map(([name, value]) => [
    name,
    jsonTexts.includes(name) ? JSON.stringify(value) : value,
  ])
  return { ...Object.fromEntries(given), ...(session === undefined ? {} : { session_id: session }) }
}

/** Hints speak of tools to a model and of commands to a person; and the whole state has each value only once. */
function forModels(document: Document): Document {
  if ('error' in document) return { ...document, hint: typeof document.hint }
  return 'state' in document && 'keys' in document ? withoutRepeats(document) : document
}

describe.each(KINDS)('the same script on $name', ({ newStore }) => {
  let expected: Document[]
  const ended: (() => Promise<void>)[] = []

  async function place() {
    const sandbox = new Sandbox()
    const { env, drop } = await newStore()
    const cairn = await openCairn({ home: sandbox.home, store: (env as Record<string, string>).CAIRN_STORE })
    ended.push(drop, async () => sandbox.remove(), cairn.close)
    return { sandbox, env: env as Record<string, string>, library: byMethods(cairn) }
  }

  beforeAll(async () => {
    expected = (await play((await place()).library)).map(forModels)
  })
  afterAll(async () => {
    for (const end of ended.reverse()) await end()
  })

  it.each([
    ['without a server', false],
    ['through a server', true],
  ])('as tools over stdio, %s', async (_, isServed) => {
    const { sandbox, env, library } = await place()
    if (isServed) await startServer(sandbox, [], env)
    const peer = startPeer(sandbox, { env }, ['--profile', 'orchestrator', '--all-roots'])
    await peer.initialize()
    expect((await play(byTools(peer, library))).map(forModels)).toEqual(expected)
  })

  it('as tools over HTTP', async () => {
    const { sandbox, env, library } = await place()
    const peer = new HttpPeer(await startServer(sandbox, [], env), {}, '?profile=orchestrator')
    await peer.initialize()
    expect((await play(byTools(peer, library))).map(forModels)).toEqual(expected)
  })
})
