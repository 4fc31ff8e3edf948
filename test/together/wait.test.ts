// Waiting for keys: what is answered, when, and what it costs.
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { startActor } from '../setup/processes.ts'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { askedOf, ownLog } from './own-log.ts'

const waiters = 1000

for (const kind of STORES) {
  describe(`state.wait on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('answers as state.get does: at once when it is so already, else as soon as it is', async () => {
      const { cairn } = await newRoot(store())
      const coming = cairn.state.wait({ key: 'a' })
      await cairn.state.set({ key: 'other', value: 0 })
      await cairn.state.set({ key: 'a', value: { n: 1 } })
      expect(await coming).toEqual(await cairn.state.get({ key: 'a' }))
      expect(await cairn.state.wait({ key: 'a', timeout: '0' })).toEqual(await cairn.state.get({ key: 'a' }))
      await cairn.state.append({ key: 'long', items: Array.from({ length: 2000 }, (_, at) => `item ${at}`) })
      await cairn.state.append({ key: 'long', items: ['last'] })
      const long = await cairn.state.wait({ key: 'long', condition: 'length > 2000' })
      expect(long).toEqual(await cairn.state.get({ key: 'long' }))
    })

    it('gives each who waits an answer of its own', async () => {
      const { cairn } = await newRoot(store())
      const both = Promise.all([cairn.state.wait({ key: 'a' }), cairn.state.wait({ key: 'a' })])
      await cairn.state.set({ key: 'a', value: { n: 1 } })
      const [one, other] = await both
      expect(one).toEqual(other)
      expect((one as { value: Json }).value).not.toBe((other as { value: Json }).value)
    })

    it('waits for a value, for a condition, and for a key to be gone', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'n', value: null })
      expect(await cairn.state.wait({ key: 'n', equals: null })).toMatchObject({ value: null })
      const aims: [input: object, values: Json[], answer: Json][] = [
        [{ equals: 2 }, [1, '2', [2], 2], 2],
        [{ equals: { a: [1], b: null } }, [{ a: [1] }, { b: null, a: [1] }], { b: null, a: [1] }],
        [{ condition: 'value >= 3 && value < 10' }, [2, '5', 10, 3], 3],
        [{ condition: '.path.to == "x"' }, ['x', { path: 'x' }, { path: { to: 'x' } }], { path: { to: 'x' } }],
      ]
      for (const [input, values, answer] of aims) {
        const coming = cairn.state.wait({ key: 'n', ...input })
        for (const value of values) await cairn.state.set({ key: 'n', value })
        expect(await coming).toMatchObject({ key: 'n', value: answer })
      }
      const going = cairn.state.wait({ key: 'n', condition: 'absent' })
      await cairn.state.delete({ key: 'n' })
      expect(await going).toEqual({ key: 'n', absent: true })
    })

    it('hears of changes to the whole document', async () => {
      const { cairn } = await newRoot(store())
      const coming = cairn.state.wait({ key: 'a', equals: 1 })
      await cairn.state.init({ initial_state: { a: 0 } })
      await cairn.state.replace({ state: { a: 1 } })
      expect(await coming).toMatchObject({ value: 1, version: 2 })
      const going = cairn.state.wait({ key: 'a', condition: 'absent' })
      await cairn.state.replace({ state: {} })
      expect(await going).toEqual({ key: 'a', absent: true })
    })

    it('S0-51 S0-108 never answers with what was before the last answered write', async () => {
      const { cairn } = await newRoot(store())
      const standing = cairn.state.wait({ key: 'n', condition: 'value < 0', timeout: '1h' })
      for (let value = 1; value <= 50; value++) {
        await cairn.state.set({ key: 'n', value })
        const before = cairn.state.wait({ key: 'n', equals: value - 1, timeout: '0' })
        const [now] = await Promise.all([cairn.state.wait({ key: 'n', equals: value, timeout: '0' }), refused(before)])
        expect(now).toMatchObject({ value, version: value })
      }
      await cairn.state.set({ key: 'n', value: -1 })
      expect(await standing).toMatchObject({ value: -1 })
    })

    it('refuses with timeout when the time is over, and says what is there', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.state.wait({ key: 'a', timeout: '20ms' }))).toMatchObject({
        code: 'timeout',
        details: { key: 'a' },
      })
      await cairn.state.set({ key: 'a', value: 1 })
      const seq = await lastSeq(cairn)
      expect(await refused(cairn.state.wait({ key: 'a', equals: 2, timeout: '20ms' }))).toMatchObject({
        code: 'timeout',
        details: { key: 'a', current_version: 1, current_value: 1 },
      })
      expect(await lastSeq(cairn)).toBe(seq)
    })

    it('refuses waits without end, conditions that do not parse, and two aims at once', async () => {
      const { cairn } = await newRoot(store())
      const bad: [input: object, details: object][] = [
        [{ timeout: '2h' }, { path: 'timeout' }],
        [{ timeout: 'for ever' }, {}],
        [{ timeout: '-1s' }, {}],
        [{ timeout: '' }, { path: 'timeout' }],
        [{ condition: 'value >' }, { path: 'condition', position: 8 }],
        [{ condition: '' }, { path: 'condition' }],
        [{ condition: ' '.repeat(1001) }, { path: 'condition' }],
        [{ condition: 'exists', equals: 1 }, {}],
        [{ key: '' }, {}],
      ]
      for (const [input, details] of bad) {
        const refusal = await refused(cairn.state.wait({ key: 'a', ...input }))
        expect(refusal, JSON.stringify(input)).toMatchObject({ code: 'invalid_input', details })
      }
      const elsewhere = cairn.state.wait({ key: 'a', session: 'nowhere-at-all' })
      expect(await refused(elsewhere)).toMatchObject({ code: 'session_not_found' })
    })

    it('hears of what another process wrote, and so does the other process', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await startActor(store().options, session)
      const here = cairn.state.wait({ key: 'there', equals: 'done' })
      const there = other.call('state.wait', [[{ key: 'here', condition: 'value == "done"' }]])
      await cairn.state.set({ key: 'here', value: 'done' })
      expect(await there).toMatchObject([[{ answer: { key: 'here', value: 'done', version: 1 } }]])
      await other.call('state.set', [[{ key: 'there', value: 'done' }]])
      expect(await here).toMatchObject({ key: 'there', value: 'done', version: 1 })
    })

    it('ends with unavailable when the store is closed', async () => {
      const { cairn } = await newRoot(store())
      const waiting = Promise.all(
        Array.from({ length: 10 }, (_, at) => refused(cairn.state.wait({ key: `k${at % 3}`, timeout: '1h' }))),
      )
      await cairn.state.set({ key: 'other', value: 1 })
      await cairn.close()
      for (const refusal of await waiting) expect(refusal).toMatchObject({ code: 'unavailable' })
      expect(await refused(cairn.state.wait({ key: 'a' }))).toMatchObject({ code: 'unavailable' })
    })

    it(`reads a key once for ${waiters} that wait for it, and not at all when another key is written`, async () => {
      const { cairn, asked } = await ownLog(store())
      const looks = () => askedOf(asked, 'key_now')
      const wait = (key: string) => cairn.state.wait({ key, timeout: '1h' })
      const same = Array.from({ length: waiters }, () => wait('k'))
      const others = Array.from({ length: 100 }, (_, at) => wait(`other ${at}`))
      await cairn.state.set({ key: 'first', value: 1 })
      const first = wait('first')
      await first
      // Each key is read when somebody begins to wait for it; those of the same moment share that.
      expect(looks()).toBeLessThanOrEqual(105)
      const before = looks()
      for (let at = 0; at < 20; at++) await cairn.state.set({ key: 'unrelated', value: at })
      await cairn.state.set({ key: 'last', value: 1 })
      await wait('last')
      expect(looks() - before).toBeLessThanOrEqual(2)
      await cairn.state.set({ key: 'k', value: 'now' })
      const answers = await Promise.all(same)
      expect(answers).toHaveLength(waiters)
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(looks() - before).toBeLessThanOrEqual(4)
      await cairn.state.batch({
        operations: others.map((_, at) => ({ op: 'set' as const, key: `other ${at}`, value: at })),
      })
      expect(await Promise.all(others)).toHaveLength(100)
    })
  })
}
