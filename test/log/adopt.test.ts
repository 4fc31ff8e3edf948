import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

type Events = Awaited<ReturnType<Cairn['log']['list']>>['events']

async function exported(cairn: Cairn, session: string, since = 0): Promise<Events> {
  const { events } = await cairn.log.list({ session, since, limit: 1000 })
  return events
}

async function write(cairn: Cairn, session: string): Promise<void> {
  await newChild(cairn, session, 'child')
  await cairn.state.init({ session, initial_state: { a: 1, list: ['x'], object: { b: null } } })
  for (let at = 0; at < 20; at++) {
    await cairn.state.append({ session, key: 'list', items: [`item ${at} ${'.'.repeat(300)}`] })
    await cairn.state.increment({ session, key: 'a' })
    await cairn.state.merge({ session, key: 'object', patch: { [`m${at}`]: at } })
  }
  await cairn.state.setAdd({ session, key: 'set', items: ['a', 'b'] })
  await cairn.schema.set({ session, target: 'typed', schema: { type: 'string' } })
  await cairn.state.delete({ session, key: 'object' })
}

for (const kind of STORES) {
  describe(`a history that was adopted on ${kind.name}`, () => {
    const from = sharedStore(kind)
    const to = freshStore(kind)

    it('is the same in an empty store: hashes, ids, state, past and feed', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      const answer = await other.log.adopt({ root: session, events })
      expect(answer).toEqual({ root_session_id: session, adopted: events.length, forked_at: null })
      expect(await exported(other, session)).toEqual(events)
      expect(await other.state.all({ session })).toEqual(await cairn.state.all({ session }))
      expect(await other.state.all({ session, at: 20 })).toEqual(await cairn.state.all({ session, at: 20 }))
      const sameTree = ({ project_dir: _, ...rest }: { project_dir?: unknown }) => rest
      expect(sameTree(await other.session.tree({ session }))).toEqual(sameTree(await cairn.session.tree({ session })))
      await other.state.append({ session, key: 'list', items: ['own'] })
    })

    it('has values as deep as they may be', async () => {
      const { cairn, session } = await newRoot(from())
      const value = JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`)
      await cairn.state.set({ session, key: 'deep', value })
      const other = await to().open()
      await other.log.adopt({ root: session, events: await exported(cairn, session) })
      expect((await other.state.get({ session, key: 'deep' })).value).toEqual(value)
    })

    it('goes on where a known one ends, in pieces, and again without harm', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      for (const [start, end] of [
        [0, 10],
        [10, 30],
        [5, 40],
        [0, events.length],
        [0, events.length],
      ] as const)
        await other.log.adopt({ root: session, events: events.slice(start, end) })
      expect(await exported(other, session)).toEqual(events)
      expect(await other.state.all({ session })).toEqual(await cairn.state.all({ session }))
    })

    it('goes on in a store that has compacted it, where its past begins as late as before', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      await other.log.adopt({ root: session, events: events.slice(0, 30) })
      await other.store.compact({ session, older_than: '0s' })
      await other.log.adopt({ root: session, events })
      expect(await other.state.all({ session })).toEqual(await cairn.state.all({ session }))
      expect(await other.state.all({ session, at: 40 })).toEqual(await cairn.state.all({ session, at: 40 }))
      expect(await refused(other.state.all({ session, at: 20 }))).toMatchObject({ code: 'compacted' })
      expect(await other.store.doctor({})).toMatchObject({ ok: true })
    })

    it('that parted from the one that is there becomes a fork at the last event both have, once', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      await other.log.adopt({ root: session, events: events.slice(0, 30) })
      await other.state.set({ session, key: 'here', value: true })
      const before = await other.state.all({ session })
      const answer = await other.log.adopt({ root: session, events })
      expect(answer).toMatchObject({ adopted: events.length - 30, forked_at: 30 })
      const forked = answer.root_session_id
      expect(forked).not.toBe(session)
      expect(await other.state.all({ session })).toEqual(before)
      const { state, version, seq } = await cairn.state.all({ session })
      expect(await other.state.all({ session: forked })).toMatchObject({ state, version, seq })
      expect((await exported(other, forked)).map(({ hash }) => hash)).toEqual(events.map(({ hash }) => hash))
      await cairn.state.set({ session, key: 'later', value: 1 })
      const again = await other.log.adopt({ root: session, events: await exported(cairn, session) })
      expect(again).toEqual({ root_session_id: forked, adopted: 1, forked_at: null })
    })

    it('that parted goes on in its fork when only the next part is given', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const other = await to().open()
      await other.log.adopt({ root: session, events: await exported(cairn, session) })
      await other.state.set({ session, key: 'here', value: true })
      const given: string[] = []
      for (const value of [1, 2, 3]) {
        const { last_seq: since } = await cairn.log.list({ session, limit: 1 })
        await cairn.state.set({ session, key: 'there', value })
        const { root_session_id } = await other.log.adopt({
          root: session,
          events: await exported(cairn, session, since),
        })
        given.push(root_session_id)
      }
      expect(new Set(given).size).toBe(1)
      expect(given).not.toContain(session)
      expect((await other.state.get({ session: given[0] as string, key: 'there' })).value).toBe(3)
    })

    it('is checked where it is known already, too', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      await other.log.adopt({ root: session, events })
      const changed = events.map((e) => (e.seq === 5 ? { ...e, data: { items: [1] } } : e)) as Events
      for (const wrong of [changed, events.filter(({ seq }) => seq !== 7), [...events].reverse()])
        expect(await refused(other.log.adopt({ root: session, events: wrong }))).toMatchObject({
          code: 'invalid_input',
        })
      const [last] = events.slice(-1)
      const foreign = [{ ...(last as NonNullable<typeof last>), hash: 'f'.repeat(64) }]
      expect(await refused(other.log.adopt({ root: session, events: foreign }))).toMatchObject({
        code: 'already_exists',
      })
    })

    it('is refused whole when bodies of it were compacted or erased where it comes from', async () => {
      const other = await to().open()
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const { slug } = await cairn.session.show({ session })
      const removals = [
        () => cairn.store.erase({ session, key: 'set', confirm: slug }),
        () => cairn.store.compact({ session, older_than: '0s' }),
      ]
      for (const remove of removals) {
        await remove()
        const events = await exported(cairn, session)
        const seq = events.find(({ body }) => body === 'removed')?.seq
        expect(seq).toBeGreaterThan(1)
        expect(await refused(other.log.adopt({ root: session, events }))).toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining(`The body of event ${seq} was removed`),
          hint: expect.stringContaining('store.backup'),
          details: { seq },
        })
      }
      expect((await other.session.list({ all: true })).sessions).toEqual([])
    })

    it('is refused whole when an event is missing, was changed, or is of a newer program', async () => {
      const { cairn, session } = await newRoot(from())
      await write(cairn, session)
      const events = await exported(cairn, session)
      const other = await to().open()
      const [first, second] = events
      const bad: [string, Events, object][] = [
        ['a gap', events.filter(({ seq }) => seq !== 7), { code: 'invalid_input', details: { seq: 8 } }],
        [
          'a changed body',
          events.map((e) => (e.seq === 5 ? { ...e, data: { items: [1] } } : e)) as Events,
          { code: 'invalid_input', details: { seq: 5 } },
        ],
        [
          'a changed author',
          events.map((e) => (e.seq === 5 ? { ...e, actor: 'x' } : e)),
          { code: 'invalid_input', details: { seq: 5 } },
        ],
        [
          'an unknown type',
          events.map((e) => (e.seq === 5 ? { ...e, type: 'of_the_future' } : e)),
          {
            code: 'invalid_input',
            details: { seq: 5, type: 'of_the_future' },
            hint: expect.stringContaining('upgrade'),
          },
        ],
        ['nothing', [], { code: 'invalid_input', details: { path: 'events' } }],
        ['no beginning', events.slice(3), { code: 'invalid_input' }],
        [
          'no body',
          events.map((e) => (e.seq === 5 ? { ...e, data: null, digest: 'aa' } : e)) as Events,
          { code: 'invalid_input' },
        ],
        [
          'no event',
          [{ ...first, hash: 5 } as unknown as NonNullable<typeof first>],
          { code: 'invalid_input', details: { path: 'events[0].hash' } },
        ],
        [
          'no time',
          [{ ...first, at: 'x' } as NonNullable<typeof first>, second as NonNullable<typeof second>],
          { code: 'invalid_input' },
        ],
      ]
      for (const [what, given, refusal] of bad)
        expect(await refused(other.log.adopt({ root: session, events: given })), what).toMatchObject(refusal)
      expect(await refused(other.log.adopt({ root: 'x', events }))).toMatchObject({ code: 'invalid_input' })
      expect((await other.session.list({ all: true })).sessions).toEqual([])
    })
  })
}
