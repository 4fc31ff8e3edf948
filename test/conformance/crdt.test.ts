import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { operations } from '../../src/operations/index.ts'
import type { Done } from '../setup/actor.ts'
import { type Actor, sharedActors } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'

type Ask = (input: object) => Promise<Record<string, Json>>

/** One key of each kind; what it shows, and the operations that may change it. */
const KINDS = [
  { key: 'g', kind: 'g-counter', type: 'number', value: 3, by: ['counterAdd'] },
  { key: 'pn', kind: 'pn-counter', type: 'number', value: -2, by: ['counterAdd'] },
  { key: 's', kind: 'or-set', type: 'array', value: ['a', 'b'], by: ['setAdd', 'setRemove'] },
  { key: 'r', kind: 'lww-register', type: 'object', value: { n: 1 }, by: ['registerSet'] },
] as const

async function makeAll(cairn: Cairn): Promise<void> {
  await cairn.state.counterAdd({ key: 'g', value: 3, kind: 'g' })
  await cairn.state.counterAdd({ key: 'pn', value: -2 })
  await cairn.state.setAdd({ key: 's', items: ['b', 'a'] })
  await cairn.state.registerSet({ key: 'r', value: { n: 1 } })
}

/** An input for each operation that changes one key, one that would fit a plain key of some type. */
const INPUTS: Record<string, object> = {
  set: { value: 1 },
  delete: {},
  increment: {},
  append: { items: [1] },
  merge: { patch: { a: 1 } },
  jsonPatch: { operations: [{ op: 'replace', path: '', value: 1 }] },
  min: { value: 1 },
  max: { value: 1 },
  setIfAbsent: { value: 1 },
  counterAdd: {},
  setAdd: { items: [1] },
  setRemove: { items: ['a'] },
  registerSet: { value: 1 },
}

const mutations = Object.entries(operations.state).flatMap(([verb, { kind, ...rest }]) => {
  return kind === 'change' && 'mutation' in rest ? [verb] : []
})

/** An operation as batches and events call it. */
const wordOf = (verb: string) => verb.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function innerOf(store: TestStore, root: string, key: string): Promise<Json> {
  const [row] = await store.sql('SELECT traits FROM state_keys WHERE root = $1 AND key = $2', root, key)
  return JSON.parse(String(row?.traits)).crdt
}

function refusals(done: readonly Done[]): Done[] {
  return done.filter((each) => 'refused' in each)
}

for (const kind of STORES) {
  describe(`conflict-free kinds on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-92 S0-95 counts: by 1 unless told, up and down, each actor for itself', async () => {
      const { cairn, session } = await newRoot(store())
      expect(await cairn.state.counterAdd({ key: 'n' })).toEqual({ key: 'n', value: 1, version: 1 })
      expect(await cairn.state.counterAdd({ key: 'n', value: -5 })).toEqual({ key: 'n', value: -4, version: 2 })
      const child = await newChild(cairn, session)
      const other = { key: 'n', session: child, replica: 'laptop' }
      expect(await cairn.state.counterAdd({ ...other, value: 10 })).toEqual({ key: 'n', value: 6, version: 3 })
      expect(await cairn.state.counterAdd({ ...other, value: 0 })).toEqual({ key: 'n', value: 6, version: 4 })
      const { events } = await cairn.state.events({})
      const fact = { type: 'counter_add', key: 'n', kind: 'pn-counter' }
      expect(events).toMatchObject([
        { ...fact, value: 1, actor: '0/main', plus: 1, minus: 0 },
        { ...fact, value: -5, actor: '0/main', plus: 1, minus: 5 },
        { ...fact, value: 10, actor: '1/laptop', plus: 10, minus: 0 },
        { ...fact, value: 0, actor: '1/laptop', plus: 10, minus: 0 },
      ])
      const totals = { '0/main': [1, 5], '1/laptop': [10, 0] }
      expect(await innerOf(store(), session, 'n')).toEqual({ kind: 'pn-counter', totals })
    })

    it('S0-95 a G-counter only grows, and a counter keeps its kind', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.counterAdd({ key: 'g', value: 2, kind: 'g' })).toMatchObject({ value: 2 })
      expect(await cairn.state.counterAdd({ key: 'g' })).toMatchObject({ value: 3 })
      const before = await lastSeq(cairn)
      const shrunk = await refused(cairn.state.counterAdd({ key: 'g', value: -1 }))
      expect(shrunk).toMatchObject({ code: 'invalid_input', details: { key: 'g', kind: 'g-counter', path: 'value' } })
      const born = await refused(cairn.state.counterAdd({ key: 'new', value: -1, kind: 'g' }))
      expect(born).toMatchObject({ code: 'invalid_input' })
      const other = await refused(cairn.state.counterAdd({ key: 'g', kind: 'pn' }))
      expect(other).toMatchObject({ code: 'wrong_type', details: { key: 'g', kind: 'g-counter', current_version: 2 } })
      expect(await lastSeq(cairn)).toBe(before)
    })

    it('U11 counts in whole numbers that stay exact', async () => {
      const { cairn } = await newRoot(store())
      const max = Number.MAX_SAFE_INTEGER
      await cairn.state.counterAdd({ key: 'n', value: max })
      await cairn.state.counterAdd({ key: 'n', value: -max })
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 0 })
      for (const value of [1, -1, max]) {
        const refusal = await refused(cairn.state.counterAdd({ key: 'n', value, replica: 'other' }))
        expect(refusal, `${value}`).toMatchObject({ code: 'number_out_of_range', details: { key: 'n' } })
      }
      for (const value of [0.5, -0, 2 ** 53, Number.NaN, '1']) {
        const refusal = await refused(cairn.state.counterAdd({ key: 'n', value: value as number }))
        expect(refusal, `${value}`).toMatchObject({ code: 'invalid_input', details: { path: 'value' } })
      }
    })

    it('S0-95 a set holds each item once, in one order, whoever added it', async () => {
      const { cairn, session } = await newRoot(store())
      const first = [10, 'b', { y: 1, x: 2 }, 9, 'b']
      expect(await cairn.state.setAdd({ key: 's', items: first })).toEqual({ key: 's', length: 4, version: 1 })
      const again = { key: 's', items: [{ x: 2, y: 1 }, 'a'], replica: 'other' }
      expect(await cairn.state.setAdd(again)).toEqual({ key: 's', length: 5, version: 2 })
      expect(await cairn.state.get({ key: 's' })).toMatchObject({ value: ['a', 'b', 9, 10, { x: 2, y: 1 }] })
      const gone = await cairn.state.setRemove({ key: 's', items: [9, 'never there', { x: 2, y: 1 }] })
      expect(gone).toEqual({ key: 's', length: 3, version: 3 })
      expect((await cairn.state.all({})).state).toEqual({ s: ['a', 'b', 10] })
      expect(await innerOf(store(), session, 's')).toEqual({
        kind: 'or-set',
        seen: { '0/main': [4], '0/other': [2] },
        dots: [{ '0/other': [2] }, { '0/main': [2] }, { '0/main': [1] }],
      })
      expect(await cairn.state.setRemove({ key: 's', items: ['a', 'b', 10] })).toMatchObject({ length: 0 })
      expect(await cairn.state.setAdd({ key: 's', items: [] })).toMatchObject({ length: 0, version: 5 })
      expect(await refused(cairn.state.setRemove({ key: 'none', items: [1] }))).toMatchObject({
        code: 'key_not_found',
      })
    })

    it('S0-95 U22 a register holds what was written last, by a clock that never goes back', async () => {
      const { cairn, session } = await newRoot(store())
      const first = await cairn.state.registerSet({ key: 'r', value: { phase: 'plan' } })
      expect(first).toMatchObject({ key: 'r', value: { phase: 'plan' }, version: 1, updated_by: session })
      expect(await cairn.state.get({ key: 'r' })).toEqual(first)
      for (let at = 0; at < 5; at++) await cairn.state.registerSet({ key: 'r', value: at, replica: `r${at % 2}` })
      const { events } = await cairn.state.events({})
      const clocks = events.map(({ clock }) => clock as [string, number, string])
      for (const [at, clock] of clocks.slice(1).entries()) {
        const [time, count] = clocks[at] as [string, number, string]
        expect(clock[0] > time || (clock[0] === time && clock[1] > count), JSON.stringify(clocks)).toBe(true)
      }
      const [time, ...rest] = clocks.at(-1) as [string, number, string]
      expect(new Date(time).toISOString(), 'C14 an event says it as a time').toBe(time)
      const clock = [Date.parse(time), ...rest]
      expect(await innerOf(store(), session, 'r')).toEqual({ kind: 'lww-register', clock })
      expect(await cairn.state.get({ key: 'r' })).toMatchObject({ value: 4, version: 6 })
      await cairn.state.registerSet({ key: 'r', value: null })
      expect(await cairn.state.get({ key: 'r' })).toMatchObject({ value: null })
    })

    it('S0-95 shows plain JSON in every read, of the present and of the past', async () => {
      const { cairn, session } = await newRoot(store())
      await makeAll(cairn)
      await cairn.state.counterAdd({ key: 'pn', value: 7 })
      await cairn.state.setRemove({ key: 's', items: ['b'] })
      await cairn.state.setAdd({ key: 's', items: ['c'] })
      await cairn.state.registerSet({ key: 'r', value: 'later' })
      const now = { g: 3, pn: 5, s: ['a', 'c'], r: 'later' }
      const then = { g: 3, pn: -2, s: ['a', 'b'], r: { n: 1 } }
      for (const reader of [cairn, await store().open({ session })]) {
        expect((await reader.state.all({})).state).toEqual(now)
        expect((await reader.state.all({ at: 5 })).state).toEqual(then)
        expect((await reader.state.all({ at_sequence: 6 })).state).toEqual({ ...then, pn: 5, s: ['a'] })
        expect(await reader.state.get({ key: 's', at: 7 })).toMatchObject({ value: ['a'], version: 2 })
        expect(await reader.state.get({ key: 'pn', at_sequence: 2 })).toMatchObject({ value: -2, version: 1 })
      }
    })

    it('S0-107 keeps what is inside through compaction, reopening and a rebuild', async () => {
      const { cairn, session } = await newRoot(store())
      await makeAll(cairn)
      await cairn.state.setRemove({ key: 's', items: ['b'] })
      const inner = () => Promise.all(KINDS.map(({ key }) => innerOf(store(), session, key)))
      const before = await inner()
      await cairn.store.compact({ session, older_than: '0s' })
      expect(await inner()).toEqual(before)
      await store().sql("UPDATE state_keys SET traits = NULL, value = '0' WHERE root = $1", session)
      const again = await store().reopen({ session })
      expect(await again.store.doctor({})).toMatchObject({ ok: false })
      expect(await again.store.doctor({ repair: true })).toMatchObject({ ok: true })
      expect(await inner()).toEqual(before)
      expect(await again.state.counterAdd({ key: 'pn', value: -1 })).toEqual({ key: 'pn', value: -3, version: 2 })
      expect(await again.state.setAdd({ key: 's', items: ['b'] })).toEqual({ key: 's', length: 2, version: 3 })
      expect(await innerOf(store(), session, 's')).toMatchObject({ seen: { '0/main': [3] } })
      expect(await again.state.registerSet({ key: 'r', value: 2 })).toMatchObject({ value: 2, version: 2 })
      expect(await refused(again.state.increment({ key: 'g' }))).toMatchObject({ code: 'wrong_type' })
    })

    it('S0-95 any other operation on a key of a kind is refused by the name of the kind', async () => {
      const { cairn } = await newRoot(store())
      expect(mutations.toSorted()).toEqual(Object.keys(INPUTS).toSorted())
      await makeAll(cairn)
      const before = await lastSeq(cairn)
      const state = cairn.state as unknown as Record<string, Ask>
      for (const { key, kind: own, type, by } of KINDS) {
        for (const verb of mutations.filter((each) => each !== 'delete' && !(by as readonly string[]).includes(each))) {
          const expected = { code: 'wrong_type', details: { key, kind: own, type, current_version: 1 } }
          const input = { key, ...INPUTS[verb] }
          expect(await refused(state[verb]?.(input) as Promise<object>), `${verb} on ${own}`).toMatchObject(expected)
          const batch = cairn.state.batch({ operations: [{ op: wordOf(verb), ...input } as never] })
          expect(await refused(batch), `${verb} on ${own} in a batch`).toMatchObject(expected)
        }
      }
      expect(await lastSeq(cairn)).toBe(before)
    })

    it('S0-95 operations of a kind on a plain key are refused', async () => {
      const { cairn } = await newRoot(store())
      const plain: Record<string, Json> = {
        number: 1,
        array: ['a'],
        object: {},
        string: 's',
        null: null,
        boolean: true,
      }
      await cairn.state.init({ initial_state: plain })
      const state = cairn.state as unknown as Record<string, Ask>
      for (const type of Object.keys(plain)) {
        for (const verb of ['counterAdd', 'setAdd', 'setRemove', 'registerSet']) {
          const refusal = await refused(state[verb]?.({ key: type, ...INPUTS[verb] }) as Promise<object>)
          const details = { key: type, kind: 'plain', type, current_version: 1 }
          expect(refusal, `${verb} on ${type}`).toMatchObject({ code: 'wrong_type', details })
        }
      }
      expect((await cairn.state.all({})).state).toEqual(plain)
    })

    it('S0-95 a whole document may leave or remove such a key, and cannot change it', async () => {
      const { cairn, session } = await newRoot(store())
      await makeAll(cairn)
      const all = { g: 3, pn: -2, s: ['a', 'b'], r: { n: 1 } }
      for (const changed of [{ g: 4 }, { pn: 0 }, { s: ['b', 'a'] }, { r: null }]) {
        const refusal = await refused(cairn.state.replace({ state: { ...all, ...changed } }))
        expect(refusal).toMatchObject({ code: 'wrong_type', details: { key: Object.keys(changed)[0] } })
      }
      await cairn.state.replace({ state: { ...all, plain: 1 } })
      expect(await cairn.state.counterAdd({ key: 'g' })).toEqual({ key: 'g', value: 4, version: 2 })
      await cairn.state.replace({ state: { s: ['a', 'b'] } })
      expect(await innerOf(store(), session, 's')).toMatchObject({ kind: 'or-set' })
      expect((await cairn.state.all({})).state).toEqual({ s: ['a', 'b'] })
    })

    it('S0-95 a deleted key is free for any kind, and begins anew', async () => {
      const { cairn } = await newRoot(store())
      await makeAll(cairn)
      for (const { key } of KINDS)
        expect(await cairn.state.delete({ key, version: 1 })).toMatchObject({ deleted: true })
      expect(await cairn.state.counterAdd({ key: 'g', kind: 'pn' })).toEqual({ key: 'g', value: 1, version: 3 })
      expect(await cairn.state.setAdd({ key: 'pn', items: [1] })).toEqual({ key: 'pn', length: 1, version: 3 })
      expect(await cairn.state.registerSet({ key: 's', value: 1 })).toMatchObject({ value: 1, version: 3 })
      expect(await cairn.state.set({ key: 'r', value: 1 })).toMatchObject({ version: 3 })
      expect(await cairn.state.increment({ key: 'r' })).toMatchObject({ value: 2 })
    })

    it('S0-65 S0-66 U16 in a batch: in order, a key twice, all or nothing', async () => {
      const { cairn } = await newRoot(store())
      const done = await cairn.state.batch({
        operations: [
          { op: 'counter_add', key: 'n', value: 4, kind: 'g' },
          { op: 'counter_add', key: 'n' },
          { op: 'set_add', key: 's', items: ['a', 'b'] },
          { op: 'set_remove', key: 's', items: ['a'] },
          { op: 'register_set', key: 'r', value: 'x' },
          { op: 'delete', key: 'n', if_match: 2 },
          { op: 'set_add', key: 'n', items: [1] },
        ],
      })
      expect(done.results).toMatchObject([
        { key: 'n', value: 4, version: 1, status: 'success' },
        { key: 'n', value: 5, version: 2 },
        { key: 's', length: 2, version: 1 },
        { key: 's', length: 1, version: 2 },
        { key: 'r', value: 'x', version: 1 },
        { key: 'n', version: 3, deleted: true },
        { key: 'n', length: 1, version: 4 },
      ])
      const before = await cairn.state.all({})
      const failing = cairn.state.batch({
        operations: [
          { op: 'set_add', key: 's', items: ['z'] },
          { op: 'increment', key: 'n' },
        ],
      })
      expect(await refused(failing)).toMatchObject({ code: 'wrong_type', details: { index: 1, kind: 'or-set' } })
      expect(await cairn.state.all({})).toEqual(before)
    })

    it('U8 what is kept inside counts against stateBytes', async () => {
      const { cairn } = await newRoot(store(), { limits: { stateBytes: 1000 } })
      const filling = async () => {
        for (let at = 0; at < 100; at++) await cairn.state.counterAdd({ key: `n${at}`, replica: 'r'.repeat(60) })
      }
      expect(await refused(filling())).toMatchObject({ code: 'value_too_large', details: { limit: 'stateBytes' } })
    })

    it('U8 what is kept inside counts against valueBytes', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { valueBytes: 300 } })
      let added = 0
      const adding = async () => {
        for (; added < 100; added++) await cairn.state.setAdd({ key: 's', items: [added], replica: `r${added}` })
      }
      expect(await refused(adding())).toMatchObject({ code: 'value_too_large', details: { limit: 'valueBytes' } })
      const size = (value: Json) => JSON.stringify(value).length
      const value = (await cairn.state.get({ key: 's' })).value as Json
      expect(value).toHaveLength(added)
      expect(size(value) + size({ crdt: await innerOf(store(), session, 's') })).toBeLessThanOrEqual(300)
      expect(size(value)).toBeLessThan(100)
      const replicas = async () => {
        for (let at = 0; at < 100; at++) await cairn.state.counterAdd({ key: 'n', replica: `replica-${at}` })
      }
      expect(await refused(replicas())).toMatchObject({ code: 'value_too_large' })
      const long = { key: 'r', value: 'x'.repeat(290) }
      expect(await refused(cairn.state.registerSet(long))).toMatchObject({ code: 'value_too_large' })
    })

    it('S0-92 as raw mutations, with the actor that the event names', async () => {
      const { cairn } = await newRoot(store())
      const raw = (mutation: object) => cairn.state.mutate({ mutation: mutation as never })
      await raw({ type: 'counter_add', key: 'n', value: 2, actor: 'a' })
      await raw({ type: 'counter_add', key: 'n', value: 3, actor: 'b' })
      await raw({ type: 'set_add', key: 's', items: [1, 2] })
      await raw({ type: 'set_remove', key: 's', items: [1] })
      await raw({ type: 'register_set', key: 'r', value: 'x' })
      expect((await cairn.state.all({})).state).toEqual({ n: 5, s: [2], r: 'x' })
      const { events } = await cairn.state.events({ limit: 2 })
      expect(events).toMatchObject([
        { actor: '0/a', value: 2 },
        { actor: '0/b', value: 3 },
      ])
      expect(await refused(raw({ type: 'set', key: 'n', value: 1 }))).toMatchObject({ code: 'wrong_type' })
    })

    it('refuses names of replicas that are none', async () => {
      const { cairn } = await newRoot(store())
      for (const replica of ['', 'a b', 'é', 'a/b', 'x'.repeat(65), 'a\n']) {
        const refusal = await refused(cairn.state.counterAdd({ key: 'n', replica }))
        expect(refusal, JSON.stringify(replica)).toMatchObject({ code: 'invalid_input', details: { path: 'replica' } })
      }
      expect(await cairn.state.counterAdd({ key: 'n', replica: 'a-b_c.d:1' })).toMatchObject({ value: 1 })
    })

    it('S0-137 a repeated request counts once', async () => {
      const { cairn } = await newRoot(store())
      const asked = { key: 'n', value: 3, request_id: 'once' }
      const first = await cairn.state.counterAdd(asked)
      expect(await cairn.state.counterAdd(asked)).toEqual(first)
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 3, version: 1 })
    })
  })

  describe(`conflict-free kinds in many processes on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const shared = sharedActors(() => store().options, 4)

    it('S0-92 S0-95 U21 four processes of four sessions: nothing is lost, nobody meets a conflict', async () => {
      const { cairn, session } = await newRoot(store())
      const actors: Actor[] = []
      for (const actor of shared()) actors.push(actor.as(await newChild(cairn, session)))
      const callers = 4
      const times = 10
      const each = <T>(input: (actor: number, caller: number, at: number) => T) =>
        actors.map((_, actor) =>
          Array.from({ length: callers }, (_none, caller) =>
            Array.from({ length: times }, (_nothing, at) => input(actor, caller, at)),
          ),
        )
      const all = async (operation: string, inputs: object[][][]) => {
        const done = await Promise.all(actors.map((actor, at) => actor.call(operation, inputs[at] ?? [])))
        expect(refusals(done.flat(2))).toEqual([])
      }
      await all(
        'state.counterAdd',
        each((actor, _, at) => ({ key: 'n', value: at % 2 ? -actor : 5, replica: 'p' })),
      )
      const half = times / 2
      const sum = 5 * half * callers * 4 - (0 + 1 + 2 + 3) * half * callers
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: sum, version: 4 * callers * times })

      await all(
        'state.setAdd',
        each((actor, caller, at) => ({ key: 's', items: [actor * 1000 + caller * 100 + at, 'same'] })),
      )
      await all(
        'state.setRemove',
        each((actor, caller, at) => ({ key: 's', items: [actor * 1000 + caller * 100 + (at - (at % 2))] })),
      )
      const kept = each((actor, caller, at) => actor * 1000 + caller * 100 + at)
        .flat(2)
        .filter((item) => item % 2 === 1)
      expect(await cairn.state.get({ key: 's' })).toMatchObject({ value: ['same', ...kept] })

      await all(
        'state.registerSet',
        each((actor, caller, at) => ({ key: 'r', value: [actor, caller, at] })),
      )
      const { events } = await cairn.state.events({ since: 3 * 4 * callers * times, limit: 1000 })
      expect(events).toHaveLength(4 * callers * times)
      expect(await cairn.state.get({ key: 'r' })).toMatchObject({ value: events.at(-1)?.value as Json })
    })
  })
}
