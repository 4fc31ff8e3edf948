import type { Request } from '../connection.ts'
import type { Load, Loaded } from '../load.ts'
import { interleaved, type Measured, spreadOf } from '../measure.ts'
import { atLeast, atMost, type Context, manyCallers, type Scenario } from '../scenario.ts'
import { incrementRequest, keyPath, serveBare, serveRoot } from '../served.ts'
import { startWorker } from '../worker.ts'

type RequestOf = (session: string, key: string, headers: Request['headers']) => Request

const increments = incrementRequest
const reads: RequestOf = (session, _key, headers) => ({ method: 'GET', path: keyPath(session, 'counter-100'), headers })

/** So many requests, a key each. */
function requests(session: string, headers: Request['headers'], requestOf: RequestOf): Request[] {
  return Array.from({ length: manyCallers }, (_, caller) => requestOf(session, `counter-${100 + caller}`, headers))
}

/** A server with a root whose keys are there, and who asks it. */
export async function servedRoot(context: Context) {
  const served = await serveRoot(context)
  const load = await startWorker<Load, Loaded>(context, 'load')
  const asked = (requestOf: RequestOf) => requests(served.session, served.headers, requestOf)
  await load({ url: served.url, requests: asked(increments), ms: 200 })
  return {
    load,
    increments: { url: served.url, requests: asked(increments), ms: context.roundMs },
    reads: { url: served.url, requests: asked(reads), ms: context.roundMs },
  }
}

async function againstEcho(context: Context, what: 'increments' | 'reads'): Promise<Measured> {
  const root = await servedRoot(context)
  const echo = await serveBare(context, 'echo')
  // The same bytes in, so that both have as much to read.
  const echoed = { ...root.increments, url: echo.url }
  return interleaved(
    context.rounds,
    async () => (await root.load(root[what])).rate,
    async () => (await root.load(echoed)).rate,
  )
}

async function latency(context: Context): Promise<Measured> {
  const { load, increments } = await servedRoot(context)
  const rounds = Math.ceil(context.rounds / 2)
  const found: Loaded[] = []
  for (let round = 0; round < rounds; round++) {
    const { rate } = await load(increments)
    found.push(await load({ ...increments, ms: 2 * context.roundMs, pace: rate / 2 }))
  }
  return {
    ours: spreadOf(found.map(({ msP99 }) => msP99)),
    bare: spreadOf(found.map(({ msMedian }) => msMedian)),
    ratio: spreadOf(found.map(({ msP99, msMedian }) => msP99 / msMedian)),
  }
}

const against = 'a fastify route that checks and echoes the body of an increment'

export const server: readonly Scenario[] = [
  {
    name: 'server-increment',
    about: 'durable increments over HTTP, 64 connections, a key each',
    against,
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.5),
    run: (context) => againstEcho(context, 'increments'),
  },
  {
    name: 'server-read',
    about: 'reads of one key over HTTP, 64 connections',
    against,
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.7),
    run: (context) => againstEcho(context, 'reads'),
  },
  {
    name: 'server-latency',
    about: 'the slowest hundredth of durable increments over HTTP, at half of what the server can do',
    against: 'the median of the same',
    store: 'sqlite',
    unit: 'ms',
    target: atMost(10),
    run: latency,
  },
]
