// A server that lets everybody in as the owner, for programs that cannot be given a token; what it offers is a parameter.
import { afterAll, beforeAll } from 'vitest'
import { elapsed, systemClock } from '../../src/clock.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import { methodsOf, openLog } from '../../src/open.ts'
import { gateOf } from '../../src/surfaces/http/access/gate.ts'
import { listen } from '../../src/surfaces/http/listening.ts'
import { RouteTree } from '../../src/surfaces/http/rest/routes.ts'
import { newServer } from '../../src/surfaces/http/server.ts'
import { mcpOverHttp } from '../../src/surfaces/mcp/http/mcp-over-http.ts'
import type { Tool } from '../../src/surfaces/mcp/tools/tool.ts'
import { Shares } from '../../src/surfaces/wire/shares.ts'
import { Turns } from '../../src/surfaces/wire/turns.ts'
import { Unsent } from '../../src/surfaces/wire/unsent.ts'
import { Sandbox } from '../cli/sandbox.ts'

/** A host for the tests of a file; its address. */
export function openHost(tools: readonly Tool[]): () => string {
  let [url, stop]: [string, () => Promise<void>] = ['', async () => undefined]
  beforeAll(async () => {
    const sandbox = new Sandbox()
    const opened = await openLog({ home: sandbox.home, actor: 'server' })
    const { session_id: session } = await methodsOf(opened).session.create({ topic: 'a test' })
    const stopping = new AbortController()
    const everybody: Caller = { principal: 'owner', actor: 'http', scope: 'owner', session }
    let gate = gateOf('127.0.0.1', 0)
    const common = {
      log: opened.log,
      gate: () => gate,
      authenticate: () => everybody,
      refusalOf: async () => undefined,
      watch: () => () => undefined,
      elapsed,
      unsent: new Unsent(),
      shares: new Shares(opened.log.limits),
      turns: new Turns(),
    }
    const offered = { tools: { agent: tools, orchestrator: tools }, version: '0.0.0-test', stopping: stopping.signal }
    const server = newServer({
      routes: new RouteTree(),
      ...common,
      endpoints: new Map(mcpOverHttp({ ...common, ...offered, report: (error) => console.error(error) })),
      upgrade: async () => undefined,
      answered: () => undefined,
      newId: systemClock().id,
    })
    const port = await listen(server, '127.0.0.1', 0)
    gate = gateOf('127.0.0.1', port)
    url = `http://127.0.0.1:${port}/mcp`
    stop = async () => {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await opened.log.close()
      sandbox.remove()
    }
  })
  afterAll(() => stop())
  return () => url
}
