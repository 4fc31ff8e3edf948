import type { Audience, Heard } from '../audience.ts'
import { interleaved, type Measured, spreadOf } from '../measure.ts'
import { atLeast, type Context, type Scenario } from '../scenario.ts'
import { incrementRequest, megabytesOf, serveBare, serveRoot } from '../served.ts'
import { startWorker } from '../worker.ts'

const subscribers = 500

async function deliveries(context: Context): Promise<Measured> {
  const { url, session, headers } = await serveRoot(context)
  const relay = await serveBare(context, 'relay')
  const attend = await startWorker<Audience, Heard>(context, 'audience')
  const all = { headers, listeners: subscribers, stalled: 0, writes: context.quick ? 40 : 300, each: 1 }
  const path = `/ws?root=${session}&type=event`
  const request = incrementRequest(session, 'counter-100', headers)
  let bytes = 0
  return interleaved(
    context.rounds,
    async () => {
      const heard = await attend({ ...all, url, path, request })
      bytes = heard.bytes
      return heard.rate
    },
    async () => {
      const body = 'x'.repeat(bytes)
      return (await attend({ ...all, url: relay.url, path, request: { ...request, body } })).rate
    },
  )
}

const stalledLimitMB = 8
/**
 * More than the system takes for a connection that nobody reads, and the server after it. They are many and small, because
 * each costs something beside its text.
 */
const stalledWrites = { writes: 60, each: 500 }

/** Lets Node collect garbage again and again: what it has is then what it needs. */
const tidying = ['--expose-gc', '--import', 'data:text/javascript,setInterval(gc,200).unref()']

async function stalled(context: Context): Promise<Measured> {
  const attend = await startWorker<Audience, Heard>(context, 'audience')
  const found: number[] = []
  for (let round = 0; round < (context.quick ? 1 : 3); round++) {
    const peak = (count: number) => peakMegabytes(context, attend, count)
    found.push((await peak(1)) - (await peak(0)))
  }
  return {
    ours: spreadOf(found),
    bare: spreadOf([stalledLimitMB]),
    ratio: spreadOf(found.map((megabytes) => megabytes / stalledLimitMB)),
  }
}

/** The most that a new server has while one writes, one reads that, and so many do not. */
async function peakMegabytes(context: Context, attend: (task: Audience) => Promise<Heard>, stalled: number) {
  const { url, pid, session, headers, stop } = await serveRoot(context, tidying)
  const operations = Array.from({ length: stalledWrites.each }, () => ({ op: 'increment', key: 'counter-100' }))
  const body = JSON.stringify({ session, operations })
  const request = { method: 'POST', path: '/operations/state.batch', headers, body } as const
  const path = `/ws?root=${session}&type=event`
  let most = 0
  const looking = setInterval(() => {
    most = Math.max(most, megabytesOf(pid))
  }, 100)
  await attend({ url, path, headers, listeners: 1, stalled, request, ...stalledWrites })
  clearInterval(looking)
  await stop()
  return most
}

export const serverFeed: readonly Scenario[] = [
  {
    name: 'server-feed',
    about: `deliveries to ${subscribers} who follow a root over WebSocket, one writer`,
    against: 'bare ws, which passes on messages of that length that are posted to it',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.6),
    run: deliveries,
  },
  {
    name: 'server-stalled',
    about: 'memory that a server has for a WebSocket that nobody reads',
    against: 'the most that may be',
    store: 'sqlite',
    unit: 'MB',
    target: { of: 'ours', is: 'at most', limit: stalledLimitMB },
    run: stalled,
  },
]
