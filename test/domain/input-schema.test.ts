import { describe, expect, it } from 'vitest'
import {
  flag,
  integer,
  isOptional,
  json,
  jsonList,
  jsonObject,
  list,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  text,
} from '../../src/domain/log/input-schema.ts'
import { Refusal, refuse } from '../../src/domain/log/refusal.ts'

const even = text('t', {
  check: (value) => (value.length % 2 ? refuse('invalid_input', 'It is odd.', 'h') : undefined),
})

const FITS: [what: string, schema: Schema<unknown>, values: unknown[]][] = [
  ['text', text('t'), ['a', ' ', 'x'.repeat(4096), '\u{1f600}']],
  ['text with bounds', text('t', { min: 0, max: 2 }), ['', 'ab']],
  ['text with a check', even, ['ab', 'abcd']],
  ['oneOf', oneOf('t', ['a', 'b']), ['a', 'b']],
  ['integer', integer('t'), [0, 1, Number.MAX_SAFE_INTEGER]],
  ['integer with bounds', integer('t', { min: -2, max: 2 }), [-2, 0, 2]],
  ['number', number('t'), [0, -1.5, 5e-324, Number.MAX_SAFE_INTEGER]],
  ['flag', flag('t'), [true, false]],
  ['json', json('t'), [null, 0, '', [], {}, [{ a: [null] }]]],
  ['jsonObject', jsonObject('t'), [{}, { a: [1] }]],
  ['jsonList', jsonList('t'), [[], [1, [2]]]],
  ['list', list('t', integer('i')), [[], [1, 2]]],
  ['object', object({ a: integer('a'), b: optional(text('b')) }), [{ a: 1 }, { a: 1, b: 'x' }]],
]

const MISFITS: [what: string, schema: Schema<unknown>, values: [value: unknown, path: string][]][] = [
  [
    'text',
    text('t'),
    [
      ['', 'p'],
      ['x'.repeat(4097), 'p'],
      [1, 'p'],
      [null, 'p'],
      [['a'], 'p'],
      ['a\0', 'p'],
      ['\ud800', 'p'],
      [new String('a'), 'p'],
    ],
  ],
  ['text with a check', even, [['a', 'p']]],
  [
    'oneOf',
    oneOf('t', ['a', 'b']),
    [
      ['c', 'p'],
      ['', 'p'],
      ['toString', 'p'],
      [0, 'p'],
    ],
  ],
  [
    'integer',
    integer('t'),
    [
      [-1, 'p'],
      [0.5, 'p'],
      [2 ** 53, 'p'],
      ['1', 'p'],
      [Number.NaN, 'p'],
      [1n, 'p'],
      [null, 'p'],
    ],
  ],
  [
    'integer with bounds',
    integer('t', { min: 1, max: 2 }),
    [
      [0, 'p'],
      [3, 'p'],
    ],
  ],
  [
    'number',
    number('t'),
    [
      ['1', 'p'],
      [Number.NaN, 'p'],
      [Infinity, 'p'],
      [-0, 'p'],
      [2 ** 53, 'p'],
      [null, 'p'],
    ],
  ],
  [
    'flag',
    flag('t'),
    [
      ['true', 'p'],
      [1, 'p'],
      [null, 'p'],
    ],
  ],
  [
    'json',
    json('t'),
    [
      [undefined, '$'],
      [() => 1, '$'],
      [{ a: [Number.NaN] }, '$.a[0]'],
      [new Date(0), '$'],
    ],
  ],
  [
    'jsonObject',
    jsonObject('t'),
    [
      [[], 'p'],
      [null, 'p'],
      ['a', 'p'],
      [{ a: undefined }, '$.a'],
      [new Map(), '$'],
    ],
  ],
  [
    'jsonList',
    jsonList('t'),
    [
      [{}, 'p'],
      ['a', 'p'],
      [null, 'p'],
      [[undefined], '$[0]'],
      [new Array(2), '$[0]'],
    ],
  ],
  [
    'list',
    list('t', integer('i')),
    [
      [{}, 'p'],
      [[1, 'x'], 'p[1]'],
      [[null], 'p[0]'],
      [new Array(2), 'p[0]'],
    ],
  ],
  [
    'list of json',
    list('t', json('i')),
    [
      [[1, { a: -0 }], 'p[1].a'],
      [[undefined], 'p[0]'],
    ],
  ],
  [
    'object',
    object({ a: integer('a'), b: optional(object({ c: text('c') })) }),
    [
      [[], 'p'],
      [null, 'p'],
      [{}, 'p.a'],
      [{ a: undefined }, 'p.a'],
      [{ a: 1, x: 1 }, 'p.x'],
      [{ a: 1, b: {} }, 'p.b.c'],
      [{ a: 1, b: { c: 1 } }, 'p.b.c'],
      [Object.create({ a: 1 }), 'p.a'],
      [JSON.parse('{"a":1,"__proto__":1}'), 'p.__proto__'],
    ],
  ],
]

describe('a schema', () => {
  it.each(FITS)('of %s takes what fits', (_, schema, values) => {
    for (const value of values) expect(schema.check(value, 'p'), JSON.stringify(value)).toEqual(value)
  })

  it.each(MISFITS)('of %s refuses what does not fit, with the path and a hint', (_, schema, values) => {
    for (const [value, path] of values) {
      const refusal = schema.check(value, 'p')
      expect(refusal, String(value)).toBeInstanceOf(Refusal)
      expect(refusal, String(value)).toMatchObject({ details: { path } })
      expect((refusal as Refusal).hint).toMatch(/\S/)
    }
  })

  it('hands back a copy that its owner cannot change any more', () => {
    const given = { value: { a: [1] }, items: [{ b: 1 }], list: [{ c: [1] }], left: undefined }
    const schema = object({
      value: json('v'),
      items: jsonList('i'),
      list: list('l', jsonObject('o')),
      left: optional(text('t')),
    })
    const kept = schema.check(given, '')
    const before = JSON.stringify(kept)
    given.value.a.push(2)
    given.items.push({ b: 2 })
    ;(given.list[0] as { c: number[] }).c.push(2)
    given.list.length = 0
    expect(JSON.stringify(kept)).toBe(before)
    expect(Object.keys(kept as object)).toEqual(['value', 'items', 'list'])
  })

  it('does not read a member twice', () => {
    let reads = 0
    const shifty = {
      get key() {
        return reads++ ? 5 : 'fine'
      },
    }
    expect(object({ key: optional(text('k')) }).check(shifty, '')).toEqual({ key: 'fine' })
  })

  it('writes itself as JSON Schema', () => {
    const schema = object(
      {
        a: integer('an a', { min: 1, max: 9 }),
        b: optional(oneOf('a b', ['x', 'y'])),
        c: list('cs', flag('f')),
        d: text('a d'),
        e: json('an e'),
      },
      'All of it.',
    )
    expect(schema.json).toEqual({
      type: 'object',
      description: 'All of it.',
      additionalProperties: false,
      required: ['a', 'c', 'd', 'e'],
      properties: {
        a: { type: 'integer', minimum: 1, maximum: 9, description: 'an a' },
        b: { type: 'string', enum: ['x', 'y'], description: 'a b' },
        c: { type: 'array', items: { type: 'boolean', description: 'f' }, description: 'cs' },
        d: { type: 'string', minLength: 1, maxLength: 4096, description: 'a d' },
        e: { description: 'an e' },
      },
    })
    expect(isOptional(optional(text('t')))).toBe(true)
    expect(isOptional(text('t'))).toBe(false)
  })
})
