import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { readCondition } from '../../src/domain/state/condition.ts'
import type { Json } from '../../src/json/value.ts'

function holds(text: string, value: Json | undefined): boolean {
  const condition = readCondition(text)
  if (condition instanceof Refusal) throw new Error(condition.message)
  return condition(value)
}

/** A condition, values it holds for, and values it does not hold for; undefined is no key. */
const CASES: [text: string, holdsFor: (Json | undefined)[], not: (Json | undefined)[]][] = [
  ['exists', [0, null, false, ''], [undefined]],
  ['absent', [undefined], [0, null, false]],
  ['!exists', [undefined], [null]],
  ['value', [true], [1, 'true', false, null, undefined]],
  ['value == 3', [3], ['3', [3], null, undefined]],
  ['value == 3.0', [3], [3.1]],
  ['value == -1e2', [-100], [100]],
  ['value != 3', [4, '3', null], [3, undefined]],
  ['value >= 3 && value < 10', [3, 9.5], [10, 2, '5', undefined]],
  ['value<3||value>9', [2, 10], [3, 9, undefined]],
  ['value > "a"', ['b'], ['a', 5, undefined]],
  ['value < true', [], [false, 0]],
  ['9 < value', [10, 100], [9, '10']],
  ['value == null', [null], [undefined, 0]],
  ['value == "a \\"b\\" && c"', ['a "b" && c'], ['a']],
  ['length > 2', [[1, 2, 3], 'abc', { a: 1, b: 2, c: 3 }], [[1, 2], 'ab', 3, null, undefined]],
  ['length == 1', ['😀', [0]], ['', []]],
  ['.path.to == "x"', [{ path: { to: 'x' } }], [{ path: 'x' }, { path: null }, {}, 'x', undefined]],
  ['value.path.to == "x"', [{ path: { to: 'x' } }], [{}]],
  ['.items.0 == 1 && .items.1 == 2', [{ items: [1, 2] }], [{ items: [1] }, { items: { 0: 1, 1: 2, x: 0 }.x }]],
  ['."a b"."c.d" == 1', [{ 'a b': { 'c.d': 1 } }], [{ a: 1 }]],
  ['.ready', [{ ready: true }], [{ ready: 1 }, {}, undefined]],
  ['.length == 5', [{ length: 5 }], ['abcde', [1, 2, 3, 4, 5]]],
  ['.constructor != 1', [], [{}, []]],
  ['.missing != 1', [], [{ a: 1 }]],
  ['!(.missing == 1)', [{ a: 1 }, undefined], [{ missing: 1 }]],
  ['.a == .b', [{ a: [1, { x: 2 }], b: [1, { x: 2 }] }], [{ a: 1, b: 2 }, { a: 1 }, {}]],
  ['absent || value == 1 && length == 2', [undefined], [1, 'ab']],
  ['(absent || value == 1) && !exists', [undefined], [1]],
  ['!!exists', [1], [undefined]],
  ['  exists  ', [1], [undefined]],
  ['true', [1, undefined], []],
  ['1', [], [1]],
]

describe('a condition', () => {
  for (const [text, yes, no] of CASES) {
    it(`reads ${text}`, () => {
      expect(yes.filter((value) => !holds(text, value))).toEqual([])
      expect(no.filter((value) => holds(text, value))).toEqual([])
    })
  }

  const BAD: [text: string, position: number][] = [
    ['', 1],
    ['   ', 4],
    ['value >', 8],
    ['value > ', 9],
    ['&& exists', 1],
    ['exists exists', 8],
    ['(exists', 8],
    ['exists)', 7],
    ['value = 3', 7],
    ['value == abc', 10],
    ['value == "abc', 10],
    ['value == 01', 10],
    ['value == 1e999', 10],
    ['value == "\\q"', 10],
    ['value =~ /a/', 7],
    ['length(value) > 2', 7],
    ['value & 3', 7],
    ['.', 1],
    ['value..a == 1', 6],
    ['a < b < c', 1],
    ['value < 3 < 4', 11],
    ['value; exists', 6],
    ['value == [1]', 10],
    [`${'('.repeat(400)}exists`, 407],
  ]
  for (const [text, position] of BAD) {
    it(`refuses ${text.slice(0, 30)} at ${position}`, () => {
      const refusal = readCondition(text)
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { path: 'condition', position } })
      expect((refusal as Refusal).message).toContain(`position ${position}`)
    })
  }

  it('can be nested as deep as its length allows', () => {
    expect(holds(`${'('.repeat(490)}exists${')'.repeat(490)}`, 1)).toBe(true)
    expect(holds(`${'!'.repeat(990)}exists`, 1)).toBe(true)
  })
})
