// What nobody should send to a conversation: each is refused, says what is wrong, and costs no more than it is long.
import { describe, expect, it } from 'vitest'
import { aRoot, chained, child, type Forged, session as rootMade } from '../adopt/forging.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const said = (content: string, no = 0): Forged => ({
  stream: `context/${no}`,
  type: 'user_message',
  data: { message: { role: 'user', content } },
})
const rewound = (visible: unknown, on?: unknown, no = 0): Forged => ({
  stream: `context/${no}`,
  type: 'context_rewound',
  data: { to: 1, visible, ...(on === undefined ? {} : { on }) },
})

/** Behind a root with a message, and its child with another: what cannot follow. */
const impossible: Record<string, Forged> = {
  'builds on itself': rewound([], [0, 2, 1]),
  'builds on what comes later': rewound([], [0, 3, 1]),
  'builds on what another conversation has yet to say': rewound([], [1, 2, 1]),
  'builds on a session that is not there': rewound([], [7, 1, 1]),
  'builds on less than nothing': rewound([], [0, 1, -1]),
  'builds on version 0': rewound([], [0, 0, 1]),
  'builds on half a version': rewound([], [0, 0.5, 1]),
  'builds on too few numbers': rewound([], [0, 1]),
  'builds on a text': rewound([], 'x'),
  'leaves what comes later': rewound([[0, 1, 9]]),
  'leaves what another conversation has yet to say': rewound([[1, 1, 2]]),
  'leaves a stretch that ends before it begins': rewound([[0, 2, 1]]),
  'leaves a session that is not there': rewound([[7, 1, 1]]),
  'leaves what is no stretch': rewound(['x']),
}

for (const kind of STORES) {
  describe(`bad input to a conversation on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U36 names the nearest points also in a turn of very many calls', async () => {
      const { cairn, session } = await newRoot(store())
      const calls = Array.from({ length: 500 }, (_, at) => ({
        type: 'tool_use',
        id: `c${at}`,
        name: 'look',
        input: {},
      }))
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' }))
      await cairn.context.append({ session, role: 'user', content: 'Look everywhere.' })
      await cairn.context.append({ session, role: 'assistant', content: calls })
      await cairn.context.append({ session, role: 'user', content: results })
      await cairn.context.append({ session, role: 'assistant', content: 'Nothing.' })
      for (const point of [2, 3, 502, 503, 1001]) {
        const { code, details } = await refused(cairn.context.overwrite({ session, from_point: point }))
        expect([code, details.nearest]).toEqual(['bad_cut', [1, 1002]])
      }
      expect((await cairn.context.overwrite({ session, from_point: 1002 })).hidden).toBe(1)
    })

    it('U39 compacts nothing before more than 1 024 stretches, and all of it up to the end', async () => {
      const cairn = await store().open()
      const session = aRoot()
      const count = 1025
      // Every other message was rewound.
      const visible = Array.from({ length: count }, (_, at) => [0, 2 * at + 1, 2 * at + 1])
      const messages = Array.from({ length: 2 * count }, (_, at) => said(`message ${at + 1}`))
      await cairn.log.adopt({ root: session, events: chained([rootMade(), ...messages, rewound(visible)]) })
      const compact = (upto?: number) =>
        cairn.context.compact({ session, from: 1, summary: 'All that was.', ...(upto === undefined ? {} : { upto }) })
      const before = await cairn.log.list({ session, limit: 1 })
      expect(await refused(compact(1))).toMatchObject({ code: 'invalid_input', details: { path: 'upto', upto: 1 } })
      expect((await cairn.log.list({ session, limit: 1 })).last_seq).toBe(before.last_seq)
      expect(await compact(3)).toMatchObject({ from: 1, upto: 3 })
      await compact()
      expect((await cairn.context.show({ session })).messages).toEqual([{ role: 'user', content: 'All that was.' }])
    })

    it.each(Object.entries(impossible))('adopts no history that %s', async (_, last) => {
      const cairn = await store().open()
      const root = aRoot()
      const events = chained([rootMade(), child({ no: 1 }), said('one'), said('other', 1), last])
      const refusal = await refused(cairn.log.adopt({ root, events }))
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { seq: 5 } })
      expect((await refused(cairn.context.show({ session: root }))).code).toBe('session_not_found')
    })
  })
}
