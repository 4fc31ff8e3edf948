import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { startActors } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type Ask = (cairn: Cairn, request_id: string, parent: string) => Promise<Record<string, unknown>>

/** Every change there is, on a state of `{n: 1, l: [], o: {}}`. */
const CHANGES: [name: string, ask: Ask][] = [
  ['state.set', (cairn, request_id) => cairn.state.set({ key: 'n', value: 7, version: 1, request_id })],
  ['state.delete', (cairn, request_id) => cairn.state.delete({ key: 'n', request_id })],
  ['state.increment', (cairn, request_id) => cairn.state.increment({ key: 'n', delta: 3, request_id })],
  ['state.append', (cairn, request_id) => cairn.state.append({ key: 'l', items: [1], request_id })],
  ['state.merge', (cairn, request_id) => cairn.state.merge({ key: 'o', patch: { a: 1 }, request_id })],
  ['state.replace', (cairn, request_id) => cairn.state.replace({ state: { x: 1 }, version: 1, request_id })],
  [
    'state.batch',
    (cairn, request_id) =>
      cairn.state.batch({
        operations: [
          { op: 'increment', key: 'n' },
          { op: 'set', key: 'z', value: 0, create_only: true },
        ],
        request_id,
      }),
  ],
  [
    'session.create',
    (cairn, request_id, parent) => cairn.session.create({ topic: 't', name: 'one', parent, request_id }),
  ],
  ['session.end', (cairn, request_id) => cairn.session.end({ request_id })],
  ['project.use', (cairn, request_id) => cairn.project.use({ project: '/p', request_id })],
]

let made = 0

/** Request ids belong to the store, so each test has its own. */
function newId(): string {
  return `request ${made++}`
}

for (const kind of STORES) {
  describe(`request ids on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const made = 0

    it.each(CHANGES)('U15 gives a repeat of %s the first answer and no second effect', async (_, ask) => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: { n: 1, l: [], o: {} } })
      const id = newId()
      const first = await ask(cairn, id, session)
      const after = await lastSeq(cairn)
      expect(await ask(cairn, id, session)).toEqual(first)
      const again = await store().reopen({ session })
      expect(await ask(again, id, session)).toEqual(first)
      expect(await lastSeq(again)).toBe(after)
    })

    it('U15 gives a repeat of init the first answer', async () => {
      const { cairn } = await newRoot(store())
      const request_id = newId()
      const first = await cairn.state.init({ initial_state: { a: 1 }, request_id })
      await cairn.state.increment({ key: 'a' })
      expect(await cairn.state.init({ initial_state: { a: 1 }, request_id })).toEqual(first)
      expect(await cairn.state.get({ key: 'a' })).toMatchObject({ value: 2 })
    })

    it('U15 creates one root for one request id', async () => {
      const cairn = await store().open()
      const request_id = newId()
      const first = await cairn.session.create({ topic: 'once', request_id })
      expect(await cairn.session.create({ topic: 'once', request_id })).toEqual(first)
      const { sessions } = await cairn.session.list({ limit: 1000 })
      expect(sessions.filter((session) => session.topic === 'once')).toHaveLength(1)
    })

    it('U15 refuses the same id with another body, operation or root, and knows it again whichever session asks', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const other = await newRoot(store())
      const request_id = newId()
      const first = await cairn.state.increment({ key: 'n', delta: 2, request_id })
      const before = await lastSeq(cairn)
      const different = [
        () => cairn.state.increment({ key: 'n', delta: 3, request_id }),
        () => cairn.state.increment({ key: 'm', delta: 2, request_id }),
        () => cairn.state.increment({ key: 'n', request_id }),
        () => cairn.state.set({ key: 'n', value: 2, request_id }),
        () => other.cairn.state.increment({ key: 'n', delta: 2, request_id }),
        () => cairn.session.create({ topic: 't', request_id }),
      ]
      for (const ask of different) {
        expect(await refused(ask())).toMatchObject({ code: 'idempotency_mismatch', details: { request_id } })
      }
      expect(await cairn.state.increment({ session: child, key: 'n', delta: 2, request_id })).toEqual(first)
      expect(await lastSeq(cairn)).toBe(before)
      expect(await lastSeq(other.cairn)).toBe(1)
    })

    it('U15 knows a repeat however its session is named and its members are ordered', async () => {
      const { cairn, session } = await newRoot(store())
      const { slug } = await cairn.session.show({})
      const request_id = newId()
      const first = await cairn.state.merge({ key: 'o', patch: { a: 1, b: { c: 2, d: 3 } }, request_id })
      const named = [session, slug, session.slice(-8)]
      for (const asked of named) {
        const repeat = cairn.state.merge({ session: asked, request_id, patch: { b: { d: 3, c: 2 }, a: 1 }, key: 'o' })
        expect(await repeat).toEqual(first)
      }
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('U15 does not remember a refusal', async () => {
      const { cairn } = await newRoot(store())
      const request_id = newId()
      const ask = () => cairn.state.set({ key: 'k', value: 'v', version: 1, request_id })
      expect(await refused(ask())).toMatchObject({ code: 'version_conflict' })
      expect(await refused(ask())).toMatchObject({ code: 'version_conflict' })
      await cairn.state.set({ key: 'k', value: 'u' })
      const first = await ask()
      expect(first).toMatchObject({ value: 'v', version: 2 })
      expect(await ask()).toEqual(first)
      // What was refused under this id was never done: another body is another request only now.
      expect(await refused(cairn.state.set({ key: 'k', value: 'w', request_id }))).toMatchObject({
        code: 'idempotency_mismatch',
      })
    })

    it('U15 has one effect when the same request comes many times at once', async () => {
      const { cairn, session } = await newRoot(store())
      const second = await store().open()
      const request_id = newId()
      const ask = (library: Cairn) => library.state.increment({ session, key: 'n', delta: 5, request_id })
      const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at % 2 ? cairn : second)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
        new Set(['{"key":"n","value":5,"version":1}']),
      )
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('U15 tells repeats with other bodies apart from true ones in one group', async () => {
      const { cairn } = await newRoot(store())
      const request_id = newId()
      // A session that was met before is found at once: the calls then come in the order in which they were made.
      await cairn.session.show({})
      const outcomes = await Promise.allSettled(
        [1, 2, 1, 2].map((delta) => cairn.state.increment({ key: 'n', delta, request_id })),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 1, version: 1 })
    })

    it('U15 has one effect when two processes send the same requests at once', async () => {
      const { cairn, session } = await newRoot(store())
      const actors = await startActors(store().options, [session, session])
      const ids = Array.from({ length: 12 }, newId)
      const inputs = Array.from({ length: 8 }, (_, caller) =>
        ids.map((_, at) => ({ key: 'n', delta: 1, request_id: ids[(at + caller) % ids.length] })),
      )
      const answers = (await Promise.all(actors.map((actor) => actor.call('state.increment', inputs)))).flat(2)
      expect(answers.filter((done) => 'refused' in done)).toEqual([])
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: ids.length, version: ids.length })
      expect(new Set(answers.map((done) => JSON.stringify(done))).size).toBe(ids.length)
      expect(await lastSeq(cairn)).toBe(1 + ids.length)
    })

    it('U15 creates one root when two processes create it at once with one id', async () => {
      const cairn = await store().open()
      const actors = await startActors(store().options, ['', ''])
      const rounds = Array.from({ length: 5 }, () => ({ topic: `raced ${made}`, request_id: newId() }))
      const inputs = Array.from({ length: 8 }, () => rounds)
      const answers = (await Promise.all(actors.map((actor) => actor.call('session.create', inputs)))).flat(2)
      expect(answers.filter((done) => 'refused' in done)).toEqual([])
      expect(new Set(answers.map((done) => JSON.stringify(done))).size).toBe(rounds.length)
      const { sessions } = await cairn.session.list({ limit: 1000 })
      expect(sessions.filter(({ topic }) => topic.startsWith('raced'))).toHaveLength(rounds.length)
    })
  })
}

for (const kind of STORES) {
  describe(`large answers on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U15 are remembered without their values, which a repeat is told', async () => {
      const { cairn } = await newRoot(store())
      const request_id = newId()
      const value = 'x'.repeat(5000)
      const first = await cairn.state.set({ key: 'k', value, request_id })
      expect(first).toMatchObject({ value, version: 1 })
      const again = await cairn.state.set({ key: 'k', value, request_id })
      const { value: _, ...rest } = first
      expect(again).toEqual({ ...rest, value_omitted: true })
      const small = { key: 's', value: 'y', request_id: newId() }
      expect(await cairn.state.set(small)).toEqual(await cairn.state.set(small))
    })
  })
}
