// How feeds of the typed client go on and how they end.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { followRoots } from '../../src/client/all-roots-feed.ts'
import { connect } from '../../src/client/connect.ts'
import type { FeedQuery } from '../../src/client/fetch-transport.ts'
import { messagesIn } from '../../src/client/server-sent-events.ts'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { openCairn } from '../../src/open.ts'
import { sandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()

async function take(events: AsyncGenerator<FeedEvent, void>, count: number): Promise<FeedEvent[]> {
  const took: FeedEvent[] = []
  while (took.length < count) took.push((await events.next()).value as FeedEvent)
  return took
}

it('C28 follows the state without gap or repeat over a server that is started again', async () => {
  const { url, stop, token, direct, session } = await startedIn(cairn)
  const leaving = new AbortController()
  const events = direct.state.watch({ session, prefix: 'a', since: 0 }, leaving.signal)
  for (const key of ['a1', 'b', 'a2']) await direct.state.set({ session, key, value: 1 })
  const first = await take(events, 2)
  await stop()
  const next = take(events, 2)
  const again = await serveHere({ home: cairn.home, port: Number(new URL(url).port) })
  const writer = connect({ url, token, session })
  for (const key of ['a3', 'a4']) await writer.state.set({ key, value: 1 })
  expect([...first, ...(await next)].map(({ key }) => key)).toEqual(['a1', 'a2', 'a3', 'a4'])
  leaving.abort()
  expect((await events.next()).done).toBe(true)
  await again.stop()
})

it('follows what is asked for, from the sequence that is asked for', async () => {
  const { direct, session } = await startedIn(cairn)
  const { session_id: child } = await direct.session.create({ topic: 'below', parent: session })
  await direct.state.set({ session: child, key: 'a', value: 1 })
  await direct.state.increment({ session, key: 'n' })
  const kinds = async (options: object, count: number) => {
    const events = direct.follow({ session: child, ...options })
    const took = await take(events, count)
    await events.return()
    return took.map(({ seq, type }) => `${seq} ${type}`)
  }
  expect(await kinds({}, 4)).toEqual(['1 session_created', '2 session_created', '3 set', '4 increment'])
  expect(await kinds({ since: 2 }, 2)).toEqual(['3 set', '4 increment'])
  expect(await kinds({ session_no: 1, stream: 'state' }, 1)).toEqual(['3 set'])
  expect(await kinds({ type: 'increment' }, 1)).toEqual(['4 increment'])
  expect(await kinds({ type: ['increment', 'set'] }, 2)).toEqual(['3 set', '4 increment'])
  expect(await kinds({ type: 'set, session_created' }, 3)).toEqual(['1 session_created', '2 session_created', '3 set'])
  expect(await kinds({ prefix: 'n', stream: 'state' }, 1)).toEqual(['4 increment'])
})

it('C28 one who reads too slowly is cut off, comes back by itself and misses nothing', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const slow = connect({ url: cutting.url, token, session })
  const events = slow.follow({ since: 0 })
  await take(events, 1)
  // More than all that is kept on the way.
  const [batches, ofBatch, value] = [15, 20, 'x'.repeat(100_000)]
  const operations = Array.from({ length: ofBatch }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value }))
  for (let at = 0; at < batches; at++) await direct.state.batch({ session, operations })
  const rest = await take(events, batches * ofBatch)
  expect(rest.map(({ seq }) => seq)).toEqual(Array.from(rest.keys(), (at) => at + 2))
  expect(cutting.asked.filter((path) => path.startsWith('/events')).length).toBeGreaterThan(1)
  await slow.close()
})

it('C28 says when the past was removed, and where to go on', async () => {
  const { direct, session } = await startedIn(cairn)
  for (const value of [1, 2, 3]) await direct.state.set({ session, key: 'a', value })
  await direct.store.compact({ session, older_than: '0s' })
  const { code, details } = await refused(direct.follow({ session, since: 1 }).next())
  expect(code).toBe('compacted')
  await direct.state.set({ session, key: 'a', value: 4 })
  const [event] = await take(direct.follow({ session, since: Number(details.resume_since) }), 1)
  expect(event).toMatchObject({ key: 'a', data: { value: 4 } })
  const lost = await refused(direct.follow({ session, since: 1000 }).next())
  expect(lost).toMatchObject({ code: 'history_lost', details: { since: 1000 } })
})

it('refuses what the library refuses', async () => {
  const { url, direct, session } = await startedIn(cairn)
  const { token } = await direct.token.create({ kind: 'agent', session })
  const agent = connect({ url, token })
  expect((await refused(agent.followAll().next())).code).toBe('forbidden')
  expect((await refused(direct.follow({ session: 'nobody' }).next())).code).toBe('session_not_found')
  const library = await openCairn({ home: cairn.home })
  onTestFinished(() => library.close())
  for (const each of [direct, library]) {
    for (const following of [
      each.follow({ session, type: ['set', 'sett'] }),
      each.followAll({ type: 'state_updated' }),
    ]) {
      const { code, details } = await refused(following.next())
      expect([code, details.path]).toEqual(['invalid_input', 'type'])
      expect(details.known).toContain('session_created')
    }
  }
  const wrong = connect({ url, token: 'cairn_install_wrong', session })
  expect((await refused(wrong.follow().next())).code).toBe('unauthorized')
})

it('ends with its signal, and when the client is closed', async () => {
  const { url, token, session } = await startedIn(cairn)
  const client = connect({ url, token, session })
  const leaving = new AbortController()
  const [one, all, watch] = [client.follow({ signal: leaving.signal }), client.followAll(), client.state.watch({})]
  await take(one, 1)
  await take(all, 1)
  const ends = [one.next(), watch.next()]
  leaving.abort()
  expect((await ends[0])?.done).toBe(true)
  const last = all.next().then(async function drain({ done }): Promise<boolean> {
    return done || (await all.next().then(drain))
  })
  await client.close()
  expect((await ends[1])?.done).toBe(true)
  expect(await last).toBe(true)
  expect(
    await client
      .follow({ signal: AbortSignal.abort() })
      .next()
      .catch(({ code }) => code),
  ).toBe('unavailable')
})

it('says where it ended when the server does not come back', async () => {
  const { url, stop, token, session } = await startedIn(cairn)
  const client = connect({ url, token, session, deadlineMs: 300 })
  const [one, all] = [client.follow(), client.followAll({ since: { [session]: 0 } })]
  await take(one, 1)
  await take(all, 1)
  const lost = [refused(one.next()), refused(drained(all))]
  await stop()
  expect(await lost[0]).toMatchObject({ code: 'unavailable', details: { since: 1 } })
  expect(await lost[1]).toMatchObject({ code: 'unavailable', details: { since: { [session]: 1 } } })
})

async function drained(events: AsyncGenerator<FeedEvent, void>): Promise<void> {
  for await (const _event of events) await turn()
}

it('takes a connection on which nothing at all comes for lost', async () => {
  let isCancelled = false
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n: heart')),
    cancel: () => {
      isCancelled = true
    },
  })
  const heard: string[] = []
  for await (const { data } of messagesIn(silent, 20)) heard.push(data)
  expect(heard).toEqual(['1'])
  expect(isCancelled).toBe(true)
})

it('reads from the log what was left out on the way', async () => {
  const told = (...seqs: number[]) => {
    const texts = seqs.map((seq) => `data: ${JSON.stringify({ event: { root_session_id: 'r', seq } })}\n\n`)
    return new Blob(texts).stream()
  }
  const leaving = new AbortController()
  const open = async ({ root, since = 0 }: FeedQuery) => (root === undefined ? told(2, 5) : told(since + 1, since + 2))
  const roots = { list: async function* () {}, last: async () => 0 }
  const seqs: number[] = []
  for await (const { seq } of followRoots({ open, deadlineMs: 1000, signal: leaving.signal }, roots, { r: 1 })) {
    seqs.push(seq)
    if (seq === 5) leaving.abort()
  }
  expect(seqs).toEqual([2, 3, 4, 5])
})
