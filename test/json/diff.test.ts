import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { diffJson } from '../../src/json/diff.ts'
import { applyDiff } from '../setup/apply-diff.ts'
import { seedOf } from '../setup/seed.ts'

/** Few different values, so that many are equal. */
const values = fc.letrec<{ value: Json; array: Json[]; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 'a', 'b/c~d', ''),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 7 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', '0', '1', ''), tie('value')) as fc.Arbitrary<Json>,
}))

describe('the difference of two values', () => {
  it('names what was added, removed and changed by path', () => {
    expect(diffJson({ a: 1, b: { c: [1] }, d: 0 }, { a: 2, b: { c: [1, 5] }, e: null })).toEqual([
      { op: 'changed', path: '/a', before: 1, after: 2 },
      { op: 'added', path: '/b/c/1', after: 5 },
      { op: 'removed', path: '/d', before: 0 },
      { op: 'added', path: '/e', after: null },
    ])
  })

  it('says of items that only changed their places that they moved', () => {
    expect(diffJson(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual([
      { op: 'moved', path: '/0', from: '/3', to: '/0', after: 'd' },
    ])
  })

  it('looks into an item that changed between neighbours that stayed', () => {
    const before = [{ id: 1 }, { id: 2, done: false }, { id: 3 }]
    const after = [{ id: 0 }, { id: 1 }, { id: 2, done: true }, { id: 3 }]
    expect(diffJson([before[0], before[1], before[2]] as Json, after as Json)).toEqual([
      { op: 'added', path: '/0', after: { id: 0 } },
      { op: 'changed', path: '/2/done', before: false, after: true },
    ])
  })

  it('finds one item that was taken out from among equal ones', () => {
    expect(diffJson([1, 2, 1, 1], [2, 1, 1])).toEqual([{ op: 'removed', path: '/0', before: 1 }])
  })

  it('has nothing to say of equal values, whatever the order of their members', () => {
    expect(diffJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toEqual([])
    expect(diffJson(undefined, undefined)).toEqual([])
  })

  it('tells nothing there from null', () => {
    expect(diffJson(undefined, null)).toEqual([{ op: 'added', path: '', after: null }])
    expect(diffJson(null, undefined)).toEqual([{ op: 'removed', path: '', before: null }])
  })

  it('escapes names as JSON pointers do', () => {
    expect(diffJson({ 'a/b~c': 1 }, {})).toEqual([{ op: 'removed', path: '/a~1b~0c', before: 1 }])
  })

  it('compares long arrays that have nothing in order', () => {
    const before = Array.from({ length: 50_000 }, (_, at) => at)
    const changes = diffJson(before, [...before].reverse())
    expect(changes).toHaveLength(before.length - 1)
    expect(changes.every(({ op }) => op === 'moved')).toBe(true)
  })

  it('makes the later value of the earlier one, for any two', () => {
    const property = fc.property(values.value, values.value, (before, after) => {
      expect(applyDiff(before, diffJson(before, after))).toEqual(after)
    })
    fc.assert(property, { numRuns: 2000, seed: seedOf(1) })
  })
})
