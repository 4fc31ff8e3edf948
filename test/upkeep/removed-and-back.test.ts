// A root that was removed is nowhere, for whoever had met it; one that was adopted again is there, for everybody.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { bytesOf } from '../blobs/bytes.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { wholeLog } from './reading.ts'

/** What reads need besides the session. */
const inputs: Record<string, object> = {
  'state.get': { key: 'k' },
  'state.history': { key: 'k' },
  'state.why': { key: 'k' },
  'state.diff': { from: 1, to: 2 },
  'journal.diff': { from: 1, to: 2 },
  'log.rows': { part: 'state' },
}

const reads = Object.entries(operations).flatMap(([noun, verbs]) =>
  Object.entries(verbs)
    .filter(([, operation]) => operation.kind === 'read' && operation.about !== 'store')
    .map(([verb]) => ({ noun, verb, input: inputs[`${noun}.${verb}`] ?? {} })),
)

type Ask = (input: object) => Promise<object>
const method = (cairn: Cairn, noun: string, verb: string) =>
  (cairn as unknown as Record<string, Record<string, Ask>>)[noun]?.[verb] as Ask

async function removedRoot(store: TestStore) {
  const { cairn, session } = await newRoot(store)
  const other = await store.open({ session })
  await cairn.state.set({ key: 'k', value: 1 })
  const { hash } = await cairn.blob.put({ content: bytesOf(100) })
  for (const one of [cairn, other]) await one.state.get({ key: 'k' })
  const events = await wholeLog(cairn, session)
  const { slug: confirm } = await cairn.session.show({ session })
  await cairn.store.remove({ session, confirm, force: true })
  return { cairn, other, session, events, hash }
}

async function last(feed: AsyncIterable<unknown>): Promise<unknown> {
  let seen: unknown
  for await (const event of feed) seen = event
  return seen
}

for (const kind of STORES) {
  describe(`a root that was removed on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('is not found by any read, by whoever removed it and by another process that had met it', async () => {
      expect(reads.length).toBeGreaterThan(10)
      for (const { noun, verb, input } of reads) {
        const { cairn, other, session, hash } = await removedRoot(store())
        const gone = { code: 'session_not_found' }
        for (const one of [other, cairn]) {
          expect(await refused(method(one, noun, verb)({ session, ...input })), `${noun}.${verb}`).toMatchObject(gone)
          expect(await refused(one.blob.get({ hash, session }))).toMatchObject(gone)
        }
      }
    })

    it('is not found by what is done, whatever it is', async () => {
      const asking: ((cairn: Cairn, session: string) => Promise<unknown>)[] = [
        (cairn, session) => cairn.state.set({ session, key: 'k', value: 2 }),
        (cairn, session) => cairn.session.fork({ session }),
        (cairn, session) => cairn.blob.put({ session, content: bytesOf(10) }),
        (cairn, session) => cairn.store.compact({ session }),
        (cairn, session) => cairn.store.erase({ session, key: 'k' }),
        (cairn, session) => cairn.store.remove({ session }),
        (cairn, session) => cairn.token.create({ kind: 'agent', session }),
        (cairn, session) => cairn.state.wait({ session, key: 'k', timeout: '1s' }),
        (cairn, session) => cairn.log.wait({ session, since: 100, timeout: '1s' }),
      ]
      for (const ask of asking) {
        const { cairn, other, session } = await removedRoot(store())
        for (const one of [other, cairn])
          expect(await refused(ask(one, session)), String(ask)).toMatchObject({ code: 'session_not_found' })
      }
    })

    it('ends feeds and waits of whoever removed it and of another process', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await store().open({ session })
      const gone = { code: 'session_not_found', message: 'This session was removed.' }
      await cairn.state.set({ key: 'k', value: 1 })
      const { last_seq: since } = await cairn.log.list({})
      const ends: Promise<unknown>[] = []
      const begun: Promise<unknown>[] = []
      for (const one of [cairn, other]) {
        const seen = cairn.state.wait({ key: 'begun', timeout: '60s' })
        const feed = one.follow({ session, since: since - 1 })
        begun.push(feed.next(), seen)
        ends.push(refused(one.state.wait({ key: 'never', timeout: '600s' })))
        ends.push(refused(one.log.wait({ since, stream: 'lease', timeout: '600s' })))
        ends.push(Promise.all(begun).then(() => refused(last(feed))))
      }
      await cairn.state.set({ key: 'begun', value: 1 })
      await Promise.all(begun)
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.store.remove({ session, confirm, force: true })
      for (const end of await Promise.all(ends)) expect(end).toMatchObject(gone)
    })

    it('is there again for both once it was adopted', async () => {
      const { cairn, other, session, events } = await removedRoot(store())
      await cairn.log.adopt({ root: session, events: events as never })
      for (const one of [cairn, other]) {
        expect(await one.state.get({ session, key: 'k' })).toMatchObject({ value: 1 })
        expect((await one.log.list({ session })).events.length).toBeGreaterThan(1)
      }
      expect(await other.state.set({ session, key: 'k', value: 2 })).toMatchObject({ version: 2 })
      expect(await cairn.state.set({ session, key: 'k', value: 3 })).toMatchObject({ version: 3 })
      expect(await cairn.blob.put({ session, content: bytesOf(10) })).toMatchObject({ bytes: 10 })
    })
  })
}
