import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import type { JsonChange } from '../../src/json/diff.ts'
import { applyDiff } from '../setup/apply-diff.ts'
import { NaiveState } from '../setup/naive-state.ts'
import { drawing, randomStep, randomValue } from '../setup/random-steps.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type Change = JsonChange & { key: string }
type Entries = Record<string, { value: Json; version: number } | undefined>

async function allChanges(cairn: Cairn, from: number, to: number, limit: number): Promise<Change[]> {
  const all: Change[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { changes: Json[]; next_after?: string } = await cairn.state.diff({
      from,
      to,
      limit,
      ...(after === '' ? {} : { after }),
    })
    all.push(...(page.changes as unknown as Change[]))
    after = page.next_after
  }
  return all
}

/** A random history; `points` of it by place in the log. */
async function played(cairn: Cairn, seed: number, steps: number): Promise<{ state: NaiveState; points: string[] }> {
  const draw = drawing(seed)
  const state = new NaiveState()
  const points: string[] = ['{}', '{}']
  for (let step = 0; step < steps; step++) {
    if (draw(40) === 0) {
      const next = { ...state.document(), [`x${draw(4)}`]: randomValue(draw) }
      delete next.n1
      state.replace(next)
      await cairn.state.replace({ state: next })
    } else {
      const one = randomStep(draw, state)
      if (state.apply([one]) !== undefined) continue
      await cairn.state.batch({ operations: [one] })
    }
    points.push(state.points.at(-1) as string)
  }
  return { state, points }
}

for (const kind of STORES) {
  describe(`the difference of two points on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('shows by path what was added, removed, changed and moved', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: { n: 1, l: ['a', 'b', 'c'], o: { x: { y: 1 } }, gone: true, same: 1 } })
      const from = await lastSeq(cairn)
      await cairn.state.increment({ key: 'n', delta: 4 })
      await cairn.state.set({ key: 'l', value: ['c', 'a', 'b', 'd'] })
      await cairn.state.merge({ key: 'o', patch: { x: { y: 2 } } })
      await newChild(cairn, session)
      await cairn.state.delete({ key: 'gone' })
      await cairn.state.set({ key: 'new', value: null })
      await cairn.state.set({ key: 'same', value: 1 })
      const to = await lastSeq(cairn)
      expect(await cairn.state.diff({ from, to: 'now' })).toEqual({
        from,
        to,
        has_more: false,
        changes: [
          { op: 'removed', key: 'gone', path: '', before: true },
          { op: 'moved', key: 'l', path: '/0', from: '/2', to: '/0', after: 'c' },
          { op: 'added', key: 'l', path: '/3', after: 'd' },
          { op: 'changed', key: 'n', path: '', before: 1, after: 5 },
          { op: 'added', key: 'new', path: '', after: null },
          { op: 'changed', key: 'o', path: '/x/y', before: 1, after: 2 },
        ],
      })
      const back = await cairn.state.diff({ from: to, to: from })
      expect(back.changes).toContainEqual({ op: 'added', key: 'gone', path: '', after: true })
      expect(await cairn.state.diff({ from: 'now', to: String(to) })).toMatchObject({ changes: [], from: to, to })
    })

    it('makes any point of a random history of any other', async () => {
      const { cairn } = await newRoot(store())
      const seed = seedOf(7)
      const { points } = await played(cairn, seed, 220)
      const draw = drawing(seed + 1)
      for (let pair = 0; pair < 40; pair++) {
        const [from, to] = [draw(points.length), draw(points.length)]
        const [before, after] = [from, to].map((at) => JSON.parse(points[at] as string) as Entries) as [
          Entries,
          Entries,
        ]
        const changes = await allChanges(cairn, from, to, 1 + draw(30))
        for (const key of new Set([...Object.keys(before), ...Object.keys(after), ...changes.map(({ key }) => key)])) {
          const own = changes.filter((change) => change.key === key)
          expect(applyDiff(before[key]?.value, own), `${key} from ${from} to ${to}`).toEqual(after[key]?.value)
        }
      }
    })

    it('goes on after the key where a page ended', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, b: [1, 2, 3], c: 2, d: 4 } })
      const page = await cairn.state.diff({ from: 1, to: 'now', limit: 2 })
      expect(page).toMatchObject({ has_more: true, next_after: 'b', changes: [{ key: 'a' }, { key: 'b' }] })
      const next = await cairn.state.diff({ from: 1, to: 'now', limit: 2, after: 'b' })
      expect(next).toMatchObject({ has_more: false, changes: [{ key: 'c' }, { key: 'd' }] })
    })

    it('refuses points that do not exist', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      for (const bad of [99, -1, 1.5, 'then', '', '1e3', null]) {
        const asked = cairn.state.diff({ from: bad as number, to: 'now' })
        expect((await refused(asked)).code, String(bad)).toBe('invalid_input')
      }
      expect(await refused(cairn.state.diff({ from: 1, to: 3 }))).toMatchObject({ details: { last: 2 } })
      expect(await cairn.state.diff({ from: 0, to: 1 })).toMatchObject({ changes: [] })
    })
  })

  describe(`restoring on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('makes the state what it was by adding to the log; what did not change keeps its version', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { n: 1, l: [1], same: 'x', gone: true, back: 1 } })
      const to = await lastSeq(cairn)
      await cairn.state.increment({ key: 'n' })
      await cairn.state.append({ key: 'l', items: [2] })
      await cairn.state.delete({ key: 'gone' })
      await cairn.state.set({ key: 'new', value: 1 })
      await cairn.state.set({ key: 'back', value: 2 })
      await cairn.state.set({ key: 'back', value: 1 })
      const before = await lastSeq(cairn)
      const done = await cairn.state.restore({ to })
      expect(done).toMatchObject({ to, seq: before + 4, version: 11 })
      expect(done.changed).toEqual([
        { key: 'new', version: 2, deleted: true },
        { key: 'gone', version: 3 },
        { key: 'l', version: 3 },
        { key: 'n', version: 3 },
      ])
      const now = await cairn.state.all({})
      expect(now.state).toEqual({ n: 1, l: [1], same: 'x', gone: true, back: 1 })
      expect(now.keys).toMatchObject({ same: { version: 1 }, back: { version: 3 } })
      expect((await cairn.state.all({ at: before })).state).toMatchObject({ n: 2, new: 1 })
      expect(await cairn.state.restore({ to })).toMatchObject({ changed: [], seq: before + 4 })
      expect(await lastSeq(cairn)).toBe(before + 4)
    })

    it('restores any point of a random history', async () => {
      const { cairn } = await newRoot(store())
      const other = await store().open()
      const { session_id: session } = await cairn.session.show({})
      const seed = seedOf(11)
      const { points } = await played(cairn, seed, 150)
      const draw = drawing(seed + 1)
      for (let round = 0; round < 12; round++) {
        const to = 1 + draw(points.length - 1)
        const before = await cairn.state.all({})
        await (round % 2 ? cairn : other).state.restore({ session, to })
        const now = await cairn.state.all({})
        const wanted = Object.entries(JSON.parse(points[to] as string) as Entries)
        expect(now.state).toEqual(Object.fromEntries(wanted.map(([key, entry]) => [key, entry?.value])))
        const grown = Object.keys(now.keys).filter((key) => {
          const [old, own] = [before.keys[key], now.keys[key]] as { value: Json; version: number }[]
          return own?.version !== old?.version && JSON.stringify(own?.value) === JSON.stringify(old?.value)
        })
        expect(grown).toEqual([])
      }
    })

    it('restores only the keys it is given', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, 'b,c': 1, d: 1 } })
      for (const key of ['a', 'b,c', 'd', 'e']) await cairn.state.set({ key, value: 2 })
      await cairn.state.restore({ to: 2, keys: ['a', 'b,c', 'e', 'a'] })
      expect((await cairn.state.all({})).state).toEqual({ a: 1, 'b,c': 1, d: 2 })
    })

    it('restores what the calls before it in the same group made', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: ['before'] })
      const { state } = cairn
      await Promise.all([
        state.append({ key: 'k', items: [1] }),
        state.append({ key: 'k', items: [2] }),
        state.set({ key: 'k', value: 'after' }),
        state.restore({ to: 3 }),
      ])
      expect(await state.get({ key: 'k' })).toMatchObject({ value: ['before', 1], version: 5 })
    })

    it('takes a time that has passed', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const { updated_at } = await cairn.state.get({ key: 'k' })
      while (Date.now() <= Date.parse(updated_at)) await new Promise((resolve) => setTimeout(resolve, 1))
      await cairn.state.set({ key: 'k', value: 2 })
      expect(await cairn.state.restore({ to: updated_at })).toMatchObject({ to: 2 })
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 1 })
      const before = await cairn.state.all({})
      const early = await refused(cairn.state.restore({ to: '2020-01-01T00:00:00Z' }))
      const { created_at: created } = await cairn.session.show({})
      expect(early).toMatchObject({ code: 'invalid_input', details: { first: created } })
      expect(early.hint).toContain(`from ${created} to `)
      expect(await cairn.state.all({})).toEqual(before)
      const ahead = refused(cairn.state.restore({ to: '2999-01-01T00:00:00Z' }))
      expect(await ahead).toMatchObject({ code: 'invalid_input' })
    })

    it('has one effect when it is repeated with its request id', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      await cairn.state.set({ key: 'k', value: 2 })
      const first = await cairn.state.restore({ to: 2, request_id: 'once' })
      await cairn.state.set({ key: 'k', value: 3 })
      expect(await cairn.state.restore({ to: 2, request_id: 'once' })).toEqual(first)
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 3 })
    })

    it('refuses the future, unknown keys and conflict-free ones, and changes nothing', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      await cairn.state.counterAdd({ key: 'c', value: 1 })
      await cairn.state.counterAdd({ key: 'c', value: 1 })
      await cairn.state.set({ key: 'k', value: 2 })
      const last = await lastSeq(cairn)
      expect(await refused(cairn.state.restore({ to: 99 }))).toMatchObject({ code: 'invalid_input', details: { last } })
      expect(await refused(cairn.state.restore({ to: 2, keys: ['k', 'none'] }))).toMatchObject({
        code: 'key_not_found',
      })
      expect(await refused(cairn.state.restore({ to: 3 }))).toMatchObject({ code: 'wrong_type', details: { key: 'c' } })
      for (const keys of [[], [''], ['_x'], 7, [1]]) {
        expect((await refused(cairn.state.restore({ to: 2, keys: keys as string[] }))).code).toBe('invalid_input')
      }
      expect(await lastSeq(cairn)).toBe(last)
      expect(await cairn.state.restore({ to: 4 })).toMatchObject({ changed: [{ key: 'k', version: 3 }] })
    })

    it('names the first of several keys that it cannot restore, whatever is remembered', async () => {
      const { cairn, session } = await newRoot(store())
      for (const key of ['c2', 'c1', 'c3', 'c2', 'c3', 'c1']) await cairn.state.counterAdd({ key })
      for (const one of [cairn, await store().open({ session })]) {
        expect((await refused(one.state.restore({ to: 4 }))).details).toMatchObject({ key: 'c1' })
      }
    })

    it('is refused as a whole where the past has no room any more', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { a: 1, b: 'x'.repeat(300), c: 1 } })
      await cairn.state.replace({ state: { d: 1 } })
      const small = await store().open({ limits: { valueBytes: 200 } })
      const { session_id: session } = await cairn.session.show({})
      const last = await lastSeq(cairn)
      expect(await refused(small.state.restore({ session, to: 2 }))).toMatchObject({ code: 'value_too_large' })
      expect(await lastSeq(cairn)).toBe(last)
      expect((await cairn.state.all({})).state).toEqual({ d: 1 })
    })
  })
}
