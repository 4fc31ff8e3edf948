import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, type Request, wireOf } from '../connection.ts'
import type { Load, Loaded } from '../load.ts'
import { StdioClient, startStdioClient, toolRequest } from '../mcp-client.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { msOfProcess } from '../process.ts'
import { atLeast, atMost, type Context, type Scenario } from '../scenario.ts'
import { incrementRequest, keyPath, serveRoot, serveStore } from '../served.ts'
import { startWorker } from '../worker.ts'

const key = 'counter'

/** One caller, of a tool and of REST, who asks the same of the same server. */
async function againstRest(
  context: Context,
  [tool, given]: readonly [name: string, given: object],
  requestOf: (session: string, headers: Request['headers']) => Request,
): Promise<Measured> {
  const home = context.folder()
  const served = await serveStore(context, home)
  const { session_id: session } = await served.call<{ session_id: string }>('session.create', { topic: 'benchmark' })
  await served.call('state.set', { session, key, value: 1 })
  const client = await startStdioClient(context, { CAIRN_HOME: home, AGENT_SESSION_ID: session })
  const connection = await Connection.open(served.url)
  context.atEnd(() => connection.close())
  const wire = wireOf(served.url, requestOf(session, served.headers))
  const calls = context.quick ? 200 : 1000
  return interleaved(
    context.rounds,
    () => msOfCalls(calls, () => client.call(tool, given)),
    () => msOfCalls(calls, () => connection.ask(wire)),
  )
}

async function start(context: Context): Promise<Measured> {
  const home = context.folder()
  const ours = async () => {
    const started = performance.now()
    const client = await StdioClient.start({ CAIRN_HOME: home })
    const ms = performance.now() - started
    await client.end()
    return ms
  }
  return interleaved(context.starts, ours, () => msOfProcess(['-e', '0']))
}

const clientsOfEachKind = 10

/** Those who call, once while as many others wait and once alone. */
async function besideWaiters(context: Context): Promise<Measured> {
  const served = await serveRoot(context)
  const load = await startWorker<Load, Loaded>(context, 'load')
  const all = (tool: string, givenTo: (at: number) => object) =>
    Promise.all(
      Array.from({ length: clientsOfEachKind }, (_, at) => toolRequest(served, served.session, tool, givenTo(at))),
    )
  const requests = await all('state_increment', (at) => ({ key: `${key}-${100 + at}` }))
  const waits = await all('state_wait', () => ({ key: 'never', timeout: '1h' }))
  const round = async () => (await load({ url: served.url, requests, ms: context.roundMs })).rate
  const besides = async () => {
    const over = new AbortController()
    for (const { path, headers, body = '' } of waits) {
      const typed = { ...headers, 'content-type': 'application/json' }
      const asked = { method: 'POST', headers: typed, body, signal: over.signal }
      fetch(new URL(path, served.url), asked).catch(() => undefined)
    }
    await sleep(100)
    return round().finally(() => over.abort())
  }
  return interleaved(context.rounds, besides, round)
}

const common = { store: 'sqlite' } as const

export const mcp: readonly Scenario[] = [
  {
    ...common,
    name: 'mcp-call-increment',
    about: 'a durable increment as a tool call over stdio, through the server, one caller',
    against: 'the same as a request of REST',
    unit: 'ms',
    target: atMost(3),
    run: (context) =>
      againstRest(context, ['state_increment', { key }], (session, headers) => incrementRequest(session, key, headers)),
  },
  {
    ...common,
    name: 'mcp-call-read',
    about: 'a read of one key as a tool call over stdio, through the server, one caller',
    against: 'the same as a request of REST',
    unit: 'ms',
    target: atMost(3),
    run: (context) =>
      againstRest(context, ['state_get', { key }], (session, headers) => ({
        method: 'GET',
        path: keyPath(session, key),
        headers,
      })),
  },
  {
    ...common,
    name: 'mcp-start',
    about: 'from the start of `cairn mcp` until `initialize` is answered',
    against: '`node -e 0`',
    unit: 'ms',
    target: atMost(4),
    run: start,
  },
  {
    ...common,
    name: 'mcp-many',
    about: 'durable increments of 10 MCP clients over HTTP while 10 others wait for a key',
    against: 'the same while nobody waits',
    unit: '/s',
    target: atLeast(0.8),
    run: besideWaiters,
  },
]
