// The keys and values of the model tests: few keys, so that commands meet; values of every kind, some of them long.
import fc from 'fast-check'
import type { Json } from '../../src/domain/json.ts'
import type { Obj } from './model.ts'

/** Names that are members of every JavaScript object, not ASCII, or look like paths. */
export const KEYS = ['count', 'list', 'toString', 'constructor', 'ключ/é🪨', 'a.b'] as const

export const key = fc.constantFrom(...KEYS)
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
const patchLeaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), small)
export const patch: fc.Arbitrary<Obj> = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(patched, patchLeaf, { maxKeys: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(patched, fc.dictionary(patched, patchLeaf, { maxKeys: 2 }), { maxKeys: 2 }) },
  { weight: 1, arbitrary: longObject },
)

export const delta = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, -0.25, 2 ** 53 - 1, -(2 ** 53 - 1)) },
)

export const document: fc.Arbitrary<Obj> = fc.dictionary(key, value, { maxKeys: 4 })
