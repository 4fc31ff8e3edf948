// The past over HTTP: any point by `at`, and bodies that are not here any more.
import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { tellChange } from '../../src/surfaces/http/feed/messages.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { follow, listen } from './followers.ts'
import { serveStore } from './served.ts'

it('a body that never came here is named in the words of the feed, and is no empty patch', () => {
  const event = {
    root_session_id: 'sess_1',
    seq: 3,
    stream: 'state',
    version: 2,
    key: null,
    type: 'init',
    data: null,
    body: 'elsewhere',
  }
  const { messages } = tellChange(event as unknown as FeedEvent, undefined)
  expect(messages.map(({ text }) => JSON.parse(text))).toMatchObject([
    { type: 'event', event: { data: null, body: 'elsewhere' } },
    { type: 'state_event', event: { type: 'init', key: null, data: null, body: 'elsewhere' } },
    { type: 'state_updated', patch_omitted: true },
  ])
})

for (const kind of STORES) {
  describe(`the past over HTTP, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function written() {
      const { cairn, session } = await newRoot(store())
      const served = await serveStore(store())
      const get = async (path: string) => (await served.ask('GET', path)).body
      return { cairn, session, served, get, below: `/sessions/${session}` }
    }

    it('every GET of a root takes at, and answers what it answered then', async () => {
      const { cairn, session, served, get, below } = await written()
      await cairn.state.set({ key: 'k', value: [1] })
      const { session_id: child } = await cairn.session.create({ topic: 'below', parent: session })
      await cairn.schema.set({ target: 'k', schema: { type: 'array' } })
      const paths = [
        '',
        '/tree',
        '/state',
        '/state/keys/k',
        '/state/keys/k/history',
        '/state/keys/k/why',
        '/state/summary',
      ]
      const all = [...paths, '/state/events', '/schemas', '/events', '/rows?part=sessions', '/rows?part=state']
      const then = await Promise.all(all.map((path) => get(below + path)))
      await cairn.state.append({ key: 'k', items: [2] })
      await cairn.schema.delete({ target: 'k' })
      await cairn.session.end({ session: child })
      await cairn.session.end({ session })
      for (const [at, path] of all.entries()) {
        const point = `${below}${path}${path.includes('?') ? '&' : '?'}at=4`
        expect(await get(point), path).toEqual(past(then[at]))
        expect(await get(below + path), path).not.toEqual(then[at])
        expect(await served.ask('GET', point.replace('at=4', 'at=9')), path).toMatchObject({
          status: 422,
          body: { error: 'invalid_input', last: 8 },
        })
      }
      expect(await served.ask('GET', `/sessions/${child}?at=2`)).toMatchObject({
        status: 404,
        body: { error: 'session_not_found', hint: 'It was created at 3: ask for that or later.' },
      })
      expect(await served.ask('GET', `${below}/leases?at=2`)).toMatchObject({ status: 422 })
      const open = (await get('/sessions?at=7&limit=1000')).sessions as { session_id: string }[]
      expect(open.some(({ session_id }) => session_id === session)).toBe(true)
      const now = (await get('/sessions?at=8&limit=1000')).sessions as { session_id: string }[]
      expect(now.some(({ session_id }) => session_id === session)).toBe(false)
    })

    it('GET events begins at the first event unless since is given; the operation by name with the newest', async () => {
      const { cairn, served, get, below } = await written()
      for (let n = 0; n < 5; n++) await cairn.state.set({ key: 'n', value: n })
      const seqs = ({ events, ...rest }: Record<string, unknown>) => [
        (events as { seq: number }[]).map(({ seq }) => seq),
        rest.next_since,
        rest.next_at,
      ]
      expect(seqs(await get(`${below}/events?limit=2`))).toEqual([[1, 2], 2, undefined])
      expect(seqs(await get(`${below}/events?limit=2&since=3`))).toEqual([[4, 5], 5, undefined])
      expect(seqs(await get(`${below}/events?limit=9&since=3`))).toEqual([[4, 5, 6], undefined, undefined])
      const body = { session: below.slice('/sessions/'.length), limit: 2 }
      const newest = await served.ask('POST', '/operations/log.list', { body })
      expect(seqs(newest.body)).toEqual([[5, 6], undefined, 4])
      const before = await served.ask('POST', '/operations/log.list', { body: { ...body, at: 4 } })
      expect(seqs(before.body)).toEqual([[3, 4], undefined, 2])
    })

    it('U49 a removed body is named in lists, and refused by the feed and where mutations would lack their values', async () => {
      const { cairn, session, served, get, below } = await written()
      for (let n = 0; n < 5; n++) await cairn.state.set({ key: 'n', value: n })
      expect((await cairn.store.compact({ session, older_than: '0ms' })).floor).toBe(6)
      const { events } = await get(`${below}/events`)
      const bodies = (events as { data: unknown; body?: string }[]).map(({ data, body }) => [data === null, body])
      expect(bodies).toEqual([[false, undefined], ...Array.from({ length: 5 }, () => [true, 'removed'])])
      expect(await served.ask('GET', `${below}/state/events`)).toMatchObject({
        status: 410,
        body: { error: 'compacted', resume_since: 5 },
      })
      const told = { type: 'end', error: 'compacted', resume_since: 6 }
      const reader = await follow(served.port, `?root=${session}&since=0`)
      expect((await reader.closed).end).toMatchObject(told)
      expect(reader.heard.map(({ seq, type }) => ({ seq, type }))).toMatchObject([
        { seq: 1, type: 'event' },
        { type: 'end' },
      ])
      const { type: _type, ...said } = told
      const listener = await listen(served.port, `?root=${session}&since=1`)
      expect(await listener.until(({ error }) => error === 'compacted')).toMatchObject(said)
      await listener.ended
    })
  })
}

/** What a root takes up on disk is of the present only. */
function past(answer: unknown): unknown {
  const { root_disk: _, ...rest } = answer as { root_disk?: unknown }
  return rest
}
