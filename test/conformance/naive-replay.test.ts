// Whoever replays the log by nothing but the rules of its source (deep merge, increment, append …) and the RFCs gets the state.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { naiveJsonPatch } from '../setup/naive-json-patch.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

type Obj = { [name: string]: Json }
type Event = Awaited<ReturnType<Cairn['state']['events']>>['events'][number]

function isObject(value: Json | undefined): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A merge that knows no operator and no path: whatever stands in a patch is data, and null removes. */
function deepMerge(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) merged.delete(name)
    else merged.set(name, deepMerge(merged.get(name), part))
  }
  return Object.fromEntries(merged)
}

function valueAfter({ type, value, delta, items, patch, operations }: Event, old: Json | undefined): Json | undefined {
  switch (type) {
    case 'set':
      return value
    case 'delete':
      return undefined
    case 'increment':
      return Number(old ?? 0) + Number(delta)
    case 'append':
      return [...((old ?? []) as Json[]), ...(items as Json[])]
    case 'patch':
      return deepMerge(old, patch as Json)
    case 'json_patch': {
      const made = naiveJsonPatch(old ?? null, operations as Json[])
      if ('code' in made) throw new Error(`operation ${made.index} does not apply`)
      return made.value
    }
    default:
      throw new Error(`unknown type ${type}`)
  }
}

async function replayed(cairn: Cairn): Promise<Obj> {
  const state = new Map<string, Json>()
  for (let since = 0, more = true; more; ) {
    const page = await cairn.state.events({ since, limit: 100 })
    for (const event of page.events) {
      since = event.seq
      const { type, key, payload = {} } = event
      if (type === 'init' || type === 'full_replace') {
        state.clear()
        for (const [name, value] of Object.entries(payload)) state.set(name, value)
        continue
      }
      const value = valueAfter(event, state.get(key as string))
      if (value === undefined) state.delete(key as string)
      else state.set(key as string, value)
    }
    more = page.has_more
  }
  return Object.fromEntries(state)
}

const before: Obj = {
  o: { n: 1, list: ['a'], deep: { x: 1, y: { z: 2 } }, 'dot.ted': 1, none: null },
  n: 1,
  list: ['a'],
}

/** Patches of the document, and what the event of the key says of them. */
const CASES: [what: string, patch: Obj, said: object][] = [
  ['an increment below a key', { o: { n: { $increment: 2 } } }, { type: 'patch', patch: { n: 3 } }],
  ['a path', { 'o.deep.y.z': 5 }, { type: 'patch', patch: { deep: { y: { z: 5 } } } }],
  ['a name that has a dot', { o: { 'dot.ted': 2 } }, { type: 'patch', patch: { 'dot.ted': 2 } }],
  [
    'an append below a key',
    { 'o.list': { $append: ['b', { $set: 1 }] } },
    {
      type: 'json_patch',
      operations: [
        { op: 'add', path: '/list/-', value: 'b' },
        { op: 'add', path: '/list/-', value: { $set: 1 } },
      ],
    },
  ],
  [
    'a removal by its operator',
    { o: { deep: { x: { $delete: true } } } },
    { type: 'patch', patch: { deep: { x: null } } },
  ],
  [
    'an object that replaces one',
    { o: { deep: { $set: { w: 1 } } } },
    { type: 'patch', patch: { deep: { w: 1, x: null, y: null } } },
  ],
  [
    'a null that is set',
    { o: { deep: { x: { $set: null } } } },
    { type: 'json_patch', operations: [{ op: 'replace', path: '/deep/x', value: null }] },
  ],
  [
    'a value that looks like an operator',
    { o: { n: { $set: { $inc: 1, 'a.b': 2 } } } },
    { type: 'patch', patch: { n: { $inc: 1, 'a.b': 2 } } },
  ],
  [
    'a null where no key is',
    { 'fresh.a': { $set: null } },
    { type: 'json_patch', operations: [{ op: 'add', path: '', value: { a: null } }] },
  ],
  [
    'a plain patch',
    { o: { n: null, deep: { y: { w: [null] } } } },
    { type: 'patch', patch: { n: null, deep: { y: { w: [null] } } } },
  ],
]

const names = fc.constantFrom('a', 'b', 'a.b', 'b.a.c', 'x.y')
const leaf: fc.Arbitrary<Json> = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(null, 'text', [1], [], {}))
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(names, tie('value'), { maxKeys: 3 })),
}))
const { part: anyPart } = fc.letrec<{ part: Json }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(names, tie('part'), { maxKeys: 3 }),
    anyValue.map((value) => ({ $set: value })),
    fc.array(anyValue, { minLength: 1, maxLength: 2 }).map((items) => ({ $append: items })),
    fc.integer({ min: -5, max: 5 }).map((delta) => ({ $increment: delta })),
    fc.constant({ $delete: true }),
  ),
}))
const anyPatch = fc.dictionary(names, anyPart, { minKeys: 1, maxKeys: 4 })

for (const kind of STORES) {
  describe(`the log replayed by naive rules on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each(CASES)('S0-88 S0-98 gives the state after %s, and says what was done', async (_, patch, said) => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: before })
      await cairn.state.patch({ patch })
      expect((await cairn.state.events({ since: 1 })).events).toMatchObject([said])
      expect(await replayed(cairn)).toEqual((await cairn.state.all({})).state)
    })

    it('S0-88 says an append to a long array by its items, and very many of them as a whole', async () => {
      const { cairn } = await newRoot(store())
      const long = Array.from({ length: 2000 }, (_, at) => at)
      await cairn.state.set({ key: 'o', value: { long } })
      await cairn.state.merge({ key: 'o', patch: { long: { $append: ['end'] } } })
      await cairn.state.merge({ key: 'o', patch: { long: { $append: long.slice(0, 600) } } })
      const { events } = await cairn.state.events({ since: 1 })
      expect(events.map(({ operations }) => operations)).toEqual([
        [{ op: 'add', path: '/long/-', value: 'end' }],
        [{ op: 'add', path: '', value: { long: [...long, 'end', ...long.slice(0, 600)] } }],
      ])
      expect(await replayed(cairn)).toEqual((await cairn.state.all({})).state)
    })

    it('S0-88 S0-93 gives the state after any patches', async () => {
      const { cairn } = await newRoot(store())
      const act = fc.oneof(
        anyPatch.map((patch) => () => cairn.state.patch({ patch })),
        anyPatch.map((patch) => () => cairn.state.merge({ key: 'a', patch })),
        fc.tuple(names, anyValue).map(
          ([key, value]) =>
            () =>
              cairn.state.set({ key, value }),
        ),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), async (acts) => {
          // Whatever is refused changes nothing.
          for (const perform of acts) await perform().catch((error) => refused(Promise.reject(error)))
          expect(await replayed(cairn)).toEqual((await cairn.state.all({}).catch(() => ({ state: {} }))).state)
        }),
        { numRuns: 40 },
      )
    })
  })
}
