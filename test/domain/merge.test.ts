import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { mergePatch } from '../../src/domain/state/document/merge.ts'
import { checkJson, type Json } from '../../src/json/value.ts'

/** Appendix A of RFC 7396, row by row. */
const RFC_7396: [original: Json, patch: Json, result: Json][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

/** Dotted names: a path below the first part, unless a member of exactly that name exists. */
const DOTTED: [original: Json, patch: Json, result: Json][] = [
  [{}, { 'a.b': 1 }, { a: { b: 1 } }],
  [{ a: { b: 1, c: 2 } }, { 'a.b': 3 }, { a: { b: 3, c: 2 } }],
  [{ 'a.b': 1 }, { 'a.b': 3 }, { 'a.b': 3 }],
  [{ 'a.b': { c: 1 } }, { 'a.b': { d: 2 } }, { 'a.b': { c: 1, d: 2 } }],
  [{ 'a.b': 1 }, { 'a.b': null }, {}],
  [{ a: { 'b.c': 1 } }, { 'a.b.c': 2 }, { a: { 'b.c': 2 } }],
  [{ a: { b: 1 } }, { 'a.b': null }, { a: {} }],
  [{ a: {} }, { 'a.b.c': null }, { a: {} }],
  [{}, { 'a.b': null }, {}],
  [{}, { 'a.b': { 'c.d': 1, e: null } }, { a: { b: { c: { d: 1 } } } }],
  [{ a: [] }, { a: [{ 'b.c': 1 }] }, { a: [{ 'b.c': 1 }] }],
  [{}, { 'constructor.prototype': 1 }, { constructor: { prototype: 1 } } as unknown as Json],
]

/** Operators, at a member and anywhere below it. */
const OPERATORS: [what: string, original: Json, patch: Json, result: Json][] = [
  ['S0-41 $append to an array', { a: [1] }, { a: { $append: [[2], null] } }, { a: [1, [2], null] }],
  ['S0-41 $append to nothing', {}, { a: { $append: [1] } }, { a: [1] }],
  ['S0-41 $append of nothing', { a: [1] }, { a: { $append: [] } }, { a: [1] }],
  ['S0-41 $append below', { a: { b: [1] } }, { a: { b: { $append: [2] }, c: 3 } }, { a: { b: [1, 2], c: 3 } }],
  ['S0-42 $increment of a number', { a: 1.5 }, { a: { $increment: -2 } }, { a: -0.5 }],
  ['S0-42 $increment of nothing', {}, { a: { b: { $increment: 3 } } }, { a: { b: 3 } }],
  ['S0-42 S0-45 $increment at a path', { c: { p: 1 } }, { 'c.p': { $increment: 1 } }, { c: { p: 2 } }],
  ['S0-42 S0-45 $increment at a new path', {}, { 'c.p.q': { $increment: 1 } }, { c: { p: { q: 1 } } }],
  ['S0-45 $increment at a dotted name', { 'c.p': 1, c: {} }, { 'c.p': { $increment: 1 } }, { 'c.p': 2, c: {} }],
  ['S0-43 $set without merging', { a: { b: 1, c: 2 } }, { a: { $set: { b: 3 } } }, { a: { b: 3 } }],
  ['S0-43 U9 $set of null', { a: 1 }, { a: { $set: null } }, { a: null }],
  [
    'S0-43 $set of what a patch cannot say',
    {},
    { a: { $set: { b: null, $x: { 'c.d': 1 } } } },
    { a: { b: null, $x: { 'c.d': 1 } } },
  ],
  ['S0-44 $delete of a member', { a: 1, b: 2 }, { a: { $delete: true } }, { b: 2 }],
  ['S0-44 $delete of nothing', { b: 2 }, { a: { $delete: true } }, { b: 2 }],
  ['S0-44 $delete at a path', { a: { b: 1, c: 2 } }, { 'a.b': { $delete: true } }, { a: { c: 2 } }],
  ['S0-44 $delete at a path that is not there', {}, { 'a.b.c': { $delete: true } }, {}],
  [
    'several of them',
    { a: 1, b: [] },
    { a: { $increment: 1 }, b: { $append: [0] }, c: { $set: 1 } },
    { a: 2, b: [0], c: 1 },
  ],
  [
    'an operator below what is no object, which RFC 7396 replaces',
    { a: 5 },
    { a: { b: { $increment: 1 } } },
    { a: { b: 1 } },
  ],
  ['objects in arrays, which are plain', {}, { a: [{ $append: 1, $x: 2 }] }, { a: [{ $append: 1, $x: 2 }] }],
]

const max = Number.MAX_SAFE_INTEGER

/** Operators that cannot be done, with the path that is named. */
const REFUSED: [what: string, original: Json, patch: Json, code: string, path: string][] = [
  ['an unknown operator', {}, { a: { $push: [1] } }, 'invalid_input', '$.a'],
  ['an unknown operator below', {}, { a: { b: { $inc: 1 } } }, 'invalid_input', '$.a.b'],
  ['an operator of Object.prototype', {}, { a: { $toString: 1 } }, 'invalid_input', '$.a'],
  ['two operators', { a: 1 }, { a: { $increment: 1, $set: 2 } }, 'invalid_input', '$.a'],
  ['an operator beside a member', { a: {} }, { a: { b: 1, $delete: true } }, 'invalid_input', '$.a'],
  ['an operator at the top', {}, { $append: [1] }, 'invalid_input', '$'],
  ['an unknown operator at the top', {}, { b: 1, $x: [1] }, 'invalid_input', '$'],
  ['an operator in a dotted name', { a: [] }, { 'a.$append': [1] }, 'invalid_input', '$'],
  ['$append of a text', { a: [] }, { a: { $append: 'x' } }, 'invalid_input', '$.a'],
  ['$append of an object', { a: [] }, { a: { $append: { 0: 1 } } }, 'invalid_input', '$.a'],
  ['$increment by a text', { a: 1 }, { a: { $increment: '1' } }, 'invalid_input', '$.a'],
  ['$increment by null', { a: 1 }, { a: { $increment: null } }, 'invalid_input', '$.a'],
  ['$delete with false', { a: 1 }, { a: { $delete: false } }, 'invalid_input', '$.a'],
  ['$delete with 1', { a: 1 }, { a: { $delete: 1 } }, 'invalid_input', '$.a'],
  ['$append to a text', { a: 'x' }, { a: { $append: [1] } }, 'wrong_type', '$.a'],
  ['$append to null', { a: null }, { a: { $append: [1] } }, 'wrong_type', '$.a'],
  ['$append to an object', { a: { b: {} } }, { 'a.b': { $append: [1] } }, 'wrong_type', '$.a.b'],
  ['$increment of a text', { a: { b: '1' } }, { a: { b: { $increment: 1 } } }, 'wrong_type', '$.a.b'],
  ['$increment of an array', { a: [1] }, { a: { $increment: 1 } }, 'wrong_type', '$.a'],
  ['$increment beyond the exact numbers', { a: max }, { a: { $increment: 1 } }, 'number_out_of_range', '$.a'],
  ['$increment below them', { 'a b': -1 }, { 'a b': { $increment: -max } }, 'number_out_of_range', '$["a b"]'],
  ['a path into a number', { a: { b: 1 } }, { 'a.b.c': { $increment: 1 } }, 'wrong_type', '$.a.b'],
]

function nested(levels: number): Json {
  let value: Json = 1
  for (let at = 0; at < levels; at++) value = at % 2 ? [value] : { a: value }
  return value
}

/** Values that come to lie at the last level that is allowed, and one below it. */
const DEEP: [what: string, patchOf: (levels: number) => Json][] = [
  ['$set', (levels) => ({ a: { $set: nested(levels) } })],
  ['$append', (levels) => ({ a: { $append: [nested(levels - 1)] } })],
  ['an array', (levels) => ({ a: [nested(levels - 1)] })],
  ['an object', (levels) => ({ a: { b: nested(levels - 1) } })],
  ['a path', (levels) => ({ 'a.b.c': { $set: nested(levels - 2) } })],
]

function dotted(parts: number): string {
  return Array.from({ length: parts }, () => 'a').join('.')
}

describe('a merge patch', () => {
  it.each(RFC_7396)('U10 S0-36 of %j by %j is %j', (original, patch, result) => {
    const before = structuredClone(original)
    expect(mergePatch(original, patch)).toEqual(result)
    expect(original, 'the original was changed').toEqual(before)
  })

  it.each(DOTTED)('U10 S0-45 with dotted names: %j by %j is %j', (original, patch, result) => {
    const before = structuredClone(original)
    expect(mergePatch(original, patch)).toEqual(result)
    expect(original, 'the original was changed').toEqual(before)
  })

  it.each([
    [{ a: 1 }, { 'a.b': 1 }, 'wrong_type'],
    [{ a: [] }, { 'a.0': 1 }, 'wrong_type'],
    [{ a: null }, { 'a.b': 1 }, 'wrong_type'],
    [{ a: { b: 'x' } }, { 'a.b.c': 1 }, 'wrong_type'],
    [{}, { '.a': 1 }, 'invalid_input'],
    [{}, { 'a.': 1 }, 'invalid_input'],
    [{}, { 'a..b': 1 }, 'invalid_input'],
    [{}, { 'a.__proto__': 1 }, 'invalid_input'],
    [{}, { '__proto__.a': 1 }, 'invalid_input'],
    [{}, { 'a.__proto__.b': 1 }, 'invalid_input'],
    [{}, { x: { 'a.__proto__.b': 1 } }, 'invalid_input'],
    [{}, { [dotted(65)]: 1 }, 'too_deep'],
    [{}, { [dotted(200_001)]: 1 }, 'too_deep'],
  ] as [Json, { [key: string]: Json }, string][])(
    'U10 is refused where it cannot be done, case %#',
    (original, patch, code) => {
      const result = mergePatch(original, patch)
      expect(result).toBeInstanceOf(Refusal)
      expect(result).toMatchObject({ code })
      expect(({} as Record<string, unknown>).b).toBeUndefined()
    },
  )

  it.each(OPERATORS)('%s', (_, original, patch, result) => {
    const before = structuredClone({ original, patch })
    expect(mergePatch(original, patch)).toEqual(result)
    expect({ original, patch }, 'original or patch was changed').toEqual(before)
  })

  it.each(REFUSED)('S0-41 S0-42 S0-44 U10 U11 refuses %s', (_, original, patch, code, path) => {
    const refusal = mergePatch(original, patch)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code, details: { path } })
    expect((refusal as Refusal).message).toContain(path)
  })

  it.each(DEEP)('U8 makes nothing deeper than is allowed, by %s', (_, patchOf) => {
    const made = mergePatch({}, patchOf(63))
    expect(checkJson(made)).toBe(made)
    expect(mergePatch({}, patchOf(64))).toMatchObject({
      code: 'too_deep',
      details: { path: expect.stringMatching(/^\$\.a/) },
    })
  })

  it('makes a member for each of very many dotted names, and leaves the target and what it took from the patch alone', () => {
    // Copying what lies below for each name would take minutes.
    const count = 20_000
    const target = { a: { old: { b: 1 } } }
    const names = Array.from({ length: count }, (_, at) => `a.k${at}`)
    const given = { x: { y: 1 } }
    const patch = {
      ...Object.fromEntries(names.map((name) => [name, 1])),
      'a.old.b': 2,
      c: { $set: given },
      'c.x.y': 3,
    }
    const merged = mergePatch(target, patch) as { a: { [name: string]: Json } }
    expect(Object.keys(merged.a)).toHaveLength(count + 1)
    expect(merged).toMatchObject({ a: { old: { b: 2 }, k0: 1 }, c: { x: { y: 3 } } })
    expect([target, given]).toEqual([{ a: { old: { b: 1 } } }, { x: { y: 1 } }])
  })
})
