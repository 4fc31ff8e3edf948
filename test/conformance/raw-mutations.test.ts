import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type Mutation = Parameters<Awaited<ReturnType<typeof newRoot>>['cairn']['state']['mutate']>[0]['mutation']

/** One of each, in an order in which they apply; what the state is after it, and where an event says it in other words. */
const MUTATIONS: [mutation: Mutation, state: { [key: string]: Json }, said?: object][] = [
  [{ type: 'init', payload: { a: 1 } }, { a: 1 }],
  [
    { type: 'set', key: 'o', value: { n: 1 } },
    { a: 1, o: { n: 1 } },
  ],
  [
    { type: 'patch', key: 'o', patch: { n: { $increment: 1 }, 'x.y': [] } },
    { a: 1, o: { n: 2, x: { y: [] } } },
    { patch: { n: 2, x: { y: [] } } },
  ],
  [
    { type: 'increment', key: 'a', delta: -3 },
    { a: -2, o: { n: 2, x: { y: [] } } },
  ],
  [
    { type: 'append', key: 'l', items: ['x'] },
    { a: -2, o: { n: 2, x: { y: [] } }, l: ['x'] },
  ],
  [
    { type: 'delete', key: 'o' },
    { a: -2, l: ['x'] },
  ],
  [
    { type: 'json_patch', key: 'l', operations: [{ op: 'add', path: '/0', value: 'w' }] },
    { a: -2, l: ['w', 'x'] },
  ],
  [{ type: 'full_replace', payload: { z: null } }, { z: null }],
]

for (const kind of STORES) {
  describe(`raw mutations on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-85 S0-86 S0-87 S0-88 S0-89 S0-90 S0-91 S0-96 records one event of each type and says where', async () => {
      const { cairn, session } = await newRoot(store())
      for (const [at, [mutation, state, said]] of MUTATIONS.entries()) {
        const done = await cairn.state.mutate({ mutation })
        expect(done, mutation.type).toEqual({
          event_id: expect.any(String),
          sequence_number: at + 1,
          timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
          seq: at + 2,
        })
        const { events } = await cairn.state.events({ since: at })
        const { type, ...data } = mutation
        expect(events).toMatchObject([
          { type, ...data, ...said, event_id: done.event_id, timestamp: done.timestamp, session_id: session },
        ])
        expect((await cairn.state.all({})).state).toEqual(state)
      }
      const anew = await store().reopen({ session })
      for (const [at, [, state]] of MUTATIONS.entries()) {
        expect((await anew.state.all({ at_sequence: at + 1 })).state).toEqual(state)
      }
    })

    it('S0-96 keeps the rules of the operations they stand for, and refuses as they do', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { text: 'x', o: {} } })
      const cases: [mutation: unknown, code: string, path?: string][] = [
        [{ type: 'init', payload: {} }, 'already_exists'],
        [{ type: 'increment', key: 'text', delta: 1 }, 'wrong_type'],
        [{ type: 'append', key: 'o', items: [1] }, 'wrong_type'],
        [{ type: 'patch', key: 'text', patch: {} }, 'wrong_type'],
        [{ type: 'patch', key: 'o', patch: { a: { $nope: 1 } } }, 'invalid_input', '$.a'],
        [{ type: 'delete', key: 'none' }, 'key_not_found'],
        [{ type: 'set', key: 'text', value: 1, version: 7 }, 'version_conflict'],
        [
          { type: 'json_patch', key: 'o', operations: [{ op: 'test', path: '/a', value: 1 }] },
          'version_conflict',
          '/a',
        ],
        [{ type: 'full_replace', payload: { _own: 1 } }, 'invalid_input', '$._own'],
        [{ type: 'move', key: 'o' }, 'invalid_input', 'mutation.type'],
        [{ key: 'o', value: 1 }, 'invalid_input', 'mutation.type'],
        [{ type: 'set', key: 'o' }, 'invalid_input', 'mutation.value'],
        [{ type: 'set', value: 1 }, 'invalid_input', 'mutation.key'],
        [{ type: 'append', key: 'l', items: 'x' }, 'invalid_input', 'mutation.items'],
        [{ type: 'increment', key: 'n', value: 1 }, 'invalid_input', 'mutation.value'],
        [{ type: 'full_replace', payload: [] }, 'invalid_input', 'mutation.payload'],
        [{ type: 'set', key: '', value: 1 }, 'invalid_input', 'mutation.key'],
        [[{ type: 'set', key: 'o', value: 1 }], 'invalid_input', 'mutation'],
        [null, 'invalid_input', 'mutation'],
      ]
      for (const [mutation, code, path] of cases) {
        const refusal = await refused(cairn.state.mutate({ mutation: mutation as never }))
        expect(refusal, JSON.stringify(mutation)).toMatchObject(
          path === undefined ? { code } : { code, details: { path } },
        )
      }
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('U15 a request id makes a repeat harmless', async () => {
      const { cairn } = await newRoot(store())
      const once = () => cairn.state.mutate({ mutation: { type: 'increment', key: 'n' }, request_id: 'once' })
      expect(await once()).toEqual(await once())
      expect((await cairn.state.all({})).state).toEqual({ n: 1 })
    })
  })
}
