// The keys and values of the model tests: few keys, so that commands meet; values of every kind, some of them long.
import fc from 'fast-check'
import type { Json } from '../../src/json/value.ts'
import type { Obj } from './model.ts'

/** Names that are members of every JavaScript object, not ASCII, or look like paths. */
export const KEYS = ['count', 'list', 'toString', 'constructor', 'ключ/é🪨', 'a.b'] as const

export const key = fc.constantFrom(...KEYS)
/** Now and then one that is usually of a conflict-free kind. */
export const anyKey = fc.oneof(
  { weight: 5, arbitrary: key as fc.Arbitrary<string> },
  { weight: 1, arbitrary: fc.constantFrom('votes', 'crowd', 'phase') },
)
/** Mostly one key, so that it keeps its type and grows. */
export const mostly = (usual: (typeof KEYS)[number]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: key })

const name = fc.constantFrom('a', 'b', 'c', 'constructor', 'hasOwnProperty', 'é', 'a.b')
const text = fc.oneof(
  fc.constantFrom('', 'x', '\u{1f600}', '\ud7ff\ue000', '\n\t"\\', '__proto__', '\u2028', 'ﬀ', '1'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((each) => !each.includes('\0') && each.isWellFormed()),
)
const numbers = fc.constantFrom(0, 1, -1, 0.1, -2.5, 1e-7, 5e-324, 2 ** 53 - 1, -(2 ** 53 - 1))
const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constantFrom(null, true, false), numbers, text)

const small: fc.Arbitrary<Json> = fc.letrec<{ any: Json; list: Json[]; object: Obj }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, { weight: 3, arbitrary: leaf }, tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(name, tie('any'), { maxKeys: 4 }),
})).any

/** Beyond what is kept whole: 4 KiB for an array, 1 KiB for an object. */
const longList = fc
  .integer({ min: 90, max: 150 })
  .map((items) => Array.from({ length: items }, (_, at) => `item ${at} é ${'.'.repeat(30)}`))
export const longObject = fc
  .integer({ min: 30, max: 60 })
  .map((members) =>
    Object.fromEntries(Array.from({ length: members }, (_, at) => [`m${at}`, { at, of: 'é'.repeat(8) }])),
  )

export const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: small },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(name, small, { maxKeys: 4 }) },
  { weight: 2, arbitrary: fc.array(small, { maxLength: 4 }) },
  { weight: 1, arbitrary: longList },
  { weight: 1, arbitrary: longObject },
)

export const items: fc.Arbitrary<Json[]> = fc.oneof(
  { weight: 5, arbitrary: fc.array(small, { maxLength: 3 }) },
  { weight: 1, arbitrary: longList },
)

const patched = fc.constantFrom('a', 'b', 'c', 'constructor', 'é', 'a.b', 'a.b.c', 'm3', 'm4.of')
const operator: fc.Arbitrary<Json> = fc.oneof(
  fc.array(small, { maxLength: 2 }).map((each) => ({ $append: each })),
  fc.constantFrom(1, 2, -0.5, 2 ** 53 - 1).map((each) => ({ $increment: each })),
  small.map((each) => ({ $set: each })),
  fc.constant({ $delete: true }),
)
const patchLeaf: fc.Arbitrary<Json> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: small },
  { weight: 1, arbitrary: operator },
)
export const patch: fc.Arbitrary<Obj> = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(patched, patchLeaf, { maxKeys: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(patched, fc.dictionary(patched, patchLeaf, { maxKeys: 2 }), { maxKeys: 2 }) },
  { weight: 1, arbitrary: longObject },
)

export const delta = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, -0.25, 2 ** 53 - 1, -(2 ** 53 - 1)) },
)

const replica = fc.constantFrom<Obj>({}, { replica: 'r' })
/** Keys of conflict-free kinds; now and then one that others use. */
const crdtKey = (usual: string) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: key as fc.Arbitrary<string> })
const crdt = (usual: string, given: fc.Arbitrary<Obj>): fc.Arbitrary<Obj> =>
  fc.tuple(crdtKey(usual), given, replica).map(([of, rest, by]) => ({ key: of, ...rest, ...by }))

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53 - 1, -(2 ** 53 - 1)) },
)
const counterKind = fc.constantFrom<Obj>({}, {}, {}, { kind: 'g' }, { kind: 'pn' })
export const counting = crdt(
  'votes',
  fc.tuple(amount, counterKind).map(([by, of]) => ({ value: by, ...of })),
)
const members = fc.array(fc.constantFrom<Json>('a', 'b', 10, 9, null, [1], { p: 1, q: 2 }, { q: 2, p: 1 }), {
  maxLength: 3,
})
export const changingSet = crdt(
  'crowd',
  members.map((each) => ({ items: each })),
)
export const registering = crdt(
  'phase',
  small.map((each) => ({ value: each })),
)

/** Names of keys, and paths below them. */
const documentName = fc.oneof(
  { weight: 4, arbitrary: key as fc.Arbitrary<string> },
  { weight: 3, arbitrary: fc.constantFrom('toString.a', 'toString.a.b', 'constructor.é', 'toString.m3', 'count.a') },
)
const documentPart: fc.Arbitrary<Json> = fc.oneof({ weight: 3, arbitrary: patchLeaf }, { weight: 1, arbitrary: patch })
export const documentPatch: fc.Arbitrary<Obj> = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(documentName, documentPart, { maxKeys: 3 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      count: fc.constant({ $increment: 1 }),
      list: items.map((each) => ({ $append: each })),
      'toString.n': fc.constant({ $increment: 1 }),
    }),
  },
)

const place = fc.constantFrom('/a', '/b', '/c', '/a/b', '/m3', '/m4/of', '/new', '/0', '/-', '/a/-')
const jsonPatchOperation: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ op: fc.constant('add'), path: fc.constantFrom('/a', '/b', '/new', '/a', ''), value: small }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: place, value: small }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove'), path: place }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('move', 'copy'), from: place, path: place }) },
) as fc.Arbitrary<Json>
export const jsonPatch: fc.Arbitrary<Json[]> = fc.array(jsonPatchOperation, { maxLength: 3 })

export const document: fc.Arbitrary<Obj> = fc.dictionary(key, value, { maxKeys: 4 })

const schema = fc.constantFrom<Json>(
  { type: 'number' },
  { type: ['number', 'array', 'object'] },
  { type: 'object', required: ['a'] },
  { maximum: 2 },
  { maxItems: 3 },
  true,
)
const target = fc.oneof(
  { weight: 4, arbitrary: key.map((each): Obj => ({ target: each })) },
  { weight: 1, arbitrary: fc.constantFrom<Obj>({ target: 'votes' }, { target: 'crowd' }, { target: 'phase' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', 'co', 'ключ/', 'li').map((each): Obj => ({ target: each, prefix: true })),
  },
)
export const schemaTarget: fc.Arbitrary<Obj> = target
export const holding: fc.Arbitrary<Obj> = fc
  .tuple(
    target,
    fc.oneof({ weight: 9, arbitrary: schema }, { weight: 1, arbitrary: fc.constant<Json>({ type: 'nonsense' }) }),
    fc.boolean(),
  )
  .map(([of, each, force]): Obj => ({ ...of, schema: each, ...(force ? { force } : {}) }))

/** When a key goes by itself, if it does. */
export const lapse = fc.oneof(
  fc.constant<Obj>({}),
  fc.constantFrom<Obj>({ ttl: '30m' }, { ttl: '90m' }, { ephemeral: true }, { ephemeral: true, ttl: '90m' }),
)

/** Something under every key, for roots that do not begin empty. */
export const begun: Obj = {
  count: 1,
  list: ['a', 'b'],
  toString: { a: 1, b: { c: [] } },
  constructor: { é: 'x' },
  'ключ/é🪨': 2,
  'a.b': null,
}
