import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/domain/json.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { mergeInto, mergePatch } from '../../src/domain/state/merge.ts'

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
      const result = mergeInto(original, patch)
      expect(result).toBeInstanceOf(Refusal)
      expect(result).toMatchObject({ code })
      expect(({} as Record<string, unknown>).b).toBeUndefined()
    },
  )
})
