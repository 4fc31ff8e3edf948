// What was rewound stays readable until gc takes it out, and nothing else goes with it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const day = 24 * 3_600_000
const call = { type: 'tool_use', id: 'c1', name: 'ls', input: { path: 'secret-path' } }

const say = (cairn: Cairn, session: string, content: string) => cairn.context.append({ session, role: 'user', content })

async function texts(cairn: Cairn, session: string, more: object = {}): Promise<unknown[]> {
  const { messages } = await cairn.context.show({ session, format: 'text', ...more })
  return (messages as { role: string; content: string }[])
    .filter(({ role }) => role !== 'mark')
    .map(({ content }) => content)
}

for (const kind of STORES) {
  describe(`gc of what was rewound on ${kind.name}`, () => {
    const store = sharedStore(kind)
    // What other tests left hidden counts too.
    const gc = async (cairn: Cairn, input: object = {}) =>
      (await cairn.store.gc(input)) as unknown as { hidden: number }

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it('C16 removes bodies that have been hidden for long, and never the headers', async () => {
      const { cairn, session } = await newRoot(store())
      await say(cairn, session, 'stays')
      await cairn.context.append({ session, role: 'assistant', content: [call], id: 'm1' })
      await cairn.context.append({ session, role: 'tool', tool_call_id: 'c1', content: 'hidden result' })
      await say(cairn, session, 'hidden question')
      await cairn.context.overwrite({ session, from_point: 1 })
      await say(cairn, session, 'goes on')
      vi.setSystemTime(Date.now() + 29 * day)
      expect(await gc(cairn)).toMatchObject({ hidden: 0 })
      expect(await texts(cairn, session, { all: true })).toContain('hidden question')
      vi.setSystemTime(Date.now() + 2 * day)
      expect(await gc(cairn)).toMatchObject({ hidden: 4 })
      expect(await gc(cairn)).toMatchObject({ hidden: 0 })
      expect(await texts(cairn, session)).toEqual(['stays', 'goes on'])
      expect(await texts(cairn, session, { all: true })).toEqual(['stays', 'goes on'])
      expect(JSON.stringify(await store().sql('SELECT data FROM events'))).not.toMatch(/hidden result|secret-path/)
      const { events } = await cairn.log.list({ limit: 100 })
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
      expect(events.filter(({ data }) => data === null).map(({ body }) => body)).toEqual(Array(4).fill('removed'))
      // What is gone is told, and its ids can be used again.
      expect(await cairn.context.show({ session, point: 5 })).toMatchObject({ absent: 3 })
      expect(await cairn.context.append({ session, role: 'assistant', content: 'anew', id: 'm1' })).toMatchObject({
        sequence_number: 8,
      })
      const late = cairn.context.append({ session, role: 'tool', tool_call_id: 'c1', content: 'late' })
      expect(await refused(late)).toMatchObject({ code: 'invalid_input' })
    })

    it('C16 counts from when it was hidden, also what was shown again in between', async () => {
      const { cairn, session } = await newRoot(store())
      for (const text of ['one', 'two', 'three']) await say(cairn, session, text)
      await cairn.context.overwrite({ session, from_point: 1 })
      vi.setSystemTime(Date.now() + 20 * day)
      await cairn.context.overwrite({ session, from_point: 2 })
      expect(await texts(cairn, session)).toEqual(['one', 'two'])
      await cairn.context.overwrite({ session, from_point: 1 })
      vi.setSystemTime(Date.now() + 20 * day)
      await gc(cairn)
      expect(await texts(cairn, session, { all: true })).toEqual(['one', 'two'])
      await gc(cairn, { hidden_older_than: '0s' })
      expect(await texts(cairn, session, { all: true })).toEqual(['one'])
      expect((await refused(cairn.store.gc({ hidden_older_than: 'long' }))).code).toBe('invalid_input')
    })

    it('C16 leaves what a summary stands for, what others were copied from, and what forks share', async () => {
      const { cairn, session } = await newRoot(store())
      const [summed, copied] = [await newChild(cairn, session), await newChild(cairn, session)]
      const { session_id: forked } = await cairn.session.create({ topic: 'another root' })
      for (const text of ['one', 'two', 'three']) await say(cairn, summed, text)
      await cairn.context.compact({ session: summed, summary: 'one and two', from: 1, upto: 2 })
      await cairn.context.compact({ session: summed, summary: 'all of them', from: 1, upto: 4 })
      for (const text of ['one', 'two', 'three']) await say(cairn, copied, text)
      const { session_id: copy } = await cairn.context.copy({ session: copied, to_point: 2, context_only: true })
      await cairn.context.overwrite({ session: copied, from_point: 0 })
      for (const text of ['one', 'two']) await say(cairn, forked, text)
      const { session_id: fork } = await cairn.context.copy({ session: forked })
      await say(cairn, forked, 'own')
      await cairn.context.overwrite({ session: forked, from_point: 1 })
      vi.setSystemTime(Date.now() + 40 * day)
      await gc(cairn)
      expect(await texts(cairn, summed, { all: true })).toEqual(['one', 'two', 'three'])
      expect(await texts(cairn, copy)).toEqual(['one', 'two'])
      expect(await texts(cairn, copied, { all: true })).toEqual(['one', 'two'])
      expect(await texts(cairn, forked, { all: true })).toEqual(['one', 'two'])
      expect(await texts(cairn, fork)).toEqual(['one', 'two'])
    })
  })
}
