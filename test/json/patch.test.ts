import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { applyJsonPatch } from '../../src/json/patch.ts'
import { readJsonPatch } from '../../src/json/patch-operation.ts'
import { checkJson, type Json } from '../../src/json/value.ts'
import { naiveJsonPatch } from '../setup/naive-json-patch.ts'
import { seedOf } from '../setup/seed.ts'

type Operation = { [name: string]: Json }

/** Reads and applies, as the operation does. */
function patched(value: Json | undefined, list: Json[], copiedMax?: number): Json | undefined | Refusal {
  const operations = readJsonPatch(list)
  return operations instanceof Refusal
    ? operations
    : applyJsonPatch(value, operations, copiedMax === undefined ? {} : { copiedMax })
}

const add = (path: string, value: Json): Operation => ({ op: 'add', path, value })
const remove = (path: string): Operation => ({ op: 'remove', path })
const replace = (path: string, value: Json): Operation => ({ op: 'replace', path, value })
const move = (from: string, path: string): Operation => ({ op: 'move', from, path })
const copy = (from: string, path: string): Operation => ({ op: 'copy', from, path })
const test = (path: string, value: Json): Operation => ({ op: 'test', path, value })

type Applied = [what: string, value: Json | undefined, operations: Json[], result: Json]

/** Appendix A of RFC 6902, by its numbers. A.13 (a member twice) cannot come this far: the reader of JSON refuses it. */
const APPENDIX_A: Applied[] = [
  ['A.1 adding an object member', { foo: 'bar' }, [add('/baz', 'qux')], { baz: 'qux', foo: 'bar' }],
  ['A.2 adding an array element', { foo: ['bar', 'baz'] }, [add('/foo/1', 'qux')], { foo: ['bar', 'qux', 'baz'] }],
  ['A.3 removing an object member', { baz: 'qux', foo: 'bar' }, [remove('/baz')], { foo: 'bar' }],
  ['A.4 removing an array element', { foo: ['bar', 'qux', 'baz'] }, [remove('/foo/1')], { foo: ['bar', 'baz'] }],
  ['A.5 replacing a value', { baz: 'qux', foo: 'bar' }, [replace('/baz', 'boo')], { baz: 'boo', foo: 'bar' }],
  [
    'A.6 moving a value',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [move('/foo/waldo', '/qux/thud')],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moving an array element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [move('/foo/1', '/foo/3')],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8 testing a value: success',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [test('/baz', 'qux'), test('/foo/1', 2)],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.10 adding a nested member object',
    { foo: 'bar' },
    [add('/child', { grandchild: {} })],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.11 ignoring unrecognized elements',
    { foo: 'bar' },
    [{ ...add('/baz', 'qux'), xyz: 123 }],
    { foo: 'bar', baz: 'qux' },
  ],
  ['A.14 ~ escape ordering', { '/': 9, '~1': 10 }, [test('/~01', 10)], { '/': 9, '~1': 10 }],
  ['A.16 adding an array value', { foo: ['bar'] }, [add('/foo/-', ['abc', 'def'])], { foo: ['bar', ['abc', 'def']] }],
]

/** What the specification asks for besides its own examples. */
const APPLIED: Applied[] = [
  ['no operations', { a: 1 }, [], { a: 1 }],
  ['add replaces a member', { foo: 1 }, [add('/foo', [1])], { foo: [1] }],
  ['add null', { foo: 1 }, [add('/foo', null)], { foo: null }],
  ['add at 0 of an empty array', [], [add('/0', 'a')], ['a']],
  ['add at the end by number', [1, 2], [add('/2', 3)], [1, 2, 3]],
  ['add at the end by -', [1], [add('/-', { a: [] }), add('/-', 2)], [1, { a: [] }, 2]],
  ['add before others', ['b'], [add('/0', 'a')], ['a', 'b']],
  ['add at a member named -', {}, [add('/-', 1)], { '-': 1 }],
  ['add at a number as a member', {}, [add('/0', 1), add('/01', 2)], { 0: 1, '01': 2 }],
  ['add at the empty member', {}, [add('/', 1)], { '': 1 }],
  ['add below the empty member', { '': { '': 1 } }, [add('//', 2)], { '': { '': 2 } }],
  ['add the whole', { a: 1 }, [add('', [1])], [1]],
  ['add the whole where nothing is', undefined, [add('', { a: 1 }), add('/b', 2)], { a: 1, b: 2 }],
  ['replace the whole', { foo: 'bar' }, [replace('', { baz: 'qux' })], { baz: 'qux' }],
  ['replace the whole by null', [1], [replace('', null)], null],
  ['replace an item', [1, [2, 3]], [replace('/1/0', 'x')], [1, ['x', 3]]],
  ['replace null', { a: null }, [replace('/a', 1)], { a: 1 }],
  ['remove null', { a: null, b: 1 }, [remove('/a')], { b: 1 }],
  ['remove the last item', [1, 2], [remove('/1')], [1]],
  ['remove several items', [1, 2, 3, 4], [remove('/1'), remove('/2')], [1, 3]],
  [
    'test without an order of members',
    { a: { b: 1, c: [2] } },
    [test('/a', { c: [2], b: 1 })],
    { a: { b: 1, c: [2] } },
  ],
  ['test the whole', { a: [] }, [test('', { a: [] })], { a: [] }],
  ['test null', { a: null }, [test('/a', null)], { a: null }],
  ['test 1.0 against 1', { a: 1 }, [test('/a', 1.0)], { a: 1 }],
  [
    'test members with ~ and /',
    { '~': 1, 'a/b': 2, '~/': 3 },
    [test('/~0', 1), test('/a~1b', 2), test('/~0~1', 3)],
    { '~': 1, 'a/b': 2, '~/': 3 },
  ],
  [
    'test members as RFC 6901 lists them',
    { 'c%d': 1, 'e^f': 2, 'g|h': 3, 'i\\j': 4, 'k"l': 5, ' ': 6 },
    [test('/c%d', 1), test('/e^f', 2), test('/g|h', 3), test('/i\\j', 4), test('/k"l', 5), test('/ ', 6)],
    { 'c%d': 1, 'e^f': 2, 'g|h': 3, 'i\\j': 4, 'k"l': 5, ' ': 6 },
  ],
  ['move to itself', { a: 1, b: 2 }, [move('/a', '/a')], { a: 1, b: 2 }],
  ['move the whole to itself', { a: 1 }, [move('', '')], { a: 1 }],
  ['move an item to a member', { a: ['x', 'y'] }, [move('/a/0', '/b')], { a: ['y'], b: 'x' }],
  ['move to the end of the same array', [1, 2, 3], [move('/0', '/-')], [2, 3, 1]],
  ['move over a member', { a: 1, b: 2 }, [move('/a', '/b')], { b: 1 }],
  ['move out to the whole', { a: { b: [1] } }, [move('/a/b', '')], [1]],
  ['move to a place that begins alike', { a: 1, ab: {} }, [move('/a', '/ab/c')], { ab: { c: 1 } }],
  ['copy null', { a: null }, [copy('/a', '/b')], { a: null, b: null }],
  ['copy into itself', { a: { b: 1 } }, [copy('', '/a/c')], { a: { b: 1, c: { a: { b: 1 } } } }],
  [
    'a copy that goes its own way',
    { a: { n: [1] } },
    [add('/a/n/-', 2), copy('/a', '/b'), add('/b/n/-', 3), remove('/a/n/0')],
    { a: { n: [2] }, b: { n: [1, 2, 3] } },
  ],
  [
    'a copy of a copy',
    [[0]],
    [copy('/0', '/1'), add('/1/-', 1), copy('/1', '/-'), replace('/2/0', 9)],
    [[0], [0, 1], [9, 1]],
  ],
  [
    'one value added twice',
    {},
    [add('/a', { n: 1 }), copy('/a', '/b'), replace('/a/n', 2)],
    { a: { n: 2 }, b: { n: 1 } },
  ],
  [
    'names of Object.prototype',
    {},
    [add('/toString', 1), add('/constructor', {}), add('/constructor/prototype', 2)],
    { toString: 1, constructor: { prototype: 2 } } as unknown as Json,
  ],
]

const invalid = 'invalid_input'
const conflict = 'version_conflict'

type Refused = [what: string, value: Json | undefined, operations: Json[], code: string, index: number]

/** What does not apply: the code, and which operation is named. */
const REFUSED: Refused[] = [
  ['A.9 testing a value: error', { baz: 'qux' }, [test('/baz', 'bar')], conflict, 0],
  ['A.12 adding to a nonexistent target', { foo: 'bar' }, [add('/baz/bat', 'qux')], invalid, 0],
  ['A.15 comparing strings and numbers', { '/': 9, '~1': 10 }, [test('/~01', '10')], conflict, 0],
  ['a test of what is not there', { a: 1 }, [test('/a', 1), test('/b', null)], conflict, 1],
  ['a test of a longer array', [1], [test('', [1, 2])], conflict, 0],
  ['a test of an array against an object', { a: {} }, [test('/a', [])], conflict, 0],
  ['a test of null against what is not there', {}, [test('/a', null)], conflict, 0],
  ['a test of the whole where nothing is', undefined, [test('', null)], conflict, 0],
  ['a test that fails after changes', { a: 1 }, [add('/b', 2), test('/a', 1), test('/b', 3)], conflict, 2],
  ['remove of a member that is not there', { a: 1 }, [remove('/b')], invalid, 0],
  ['remove of a member of Object.prototype', {}, [remove('/toString')], invalid, 0],
  ['remove of an item that is not there', [1], [remove('/1')], invalid, 0],
  ['remove at the end', [1], [remove('/-')], invalid, 0],
  ['remove of the whole', { a: 1 }, [remove('')], invalid, 0],
  ['replace of a member that is not there', {}, [replace('/a', 1)], invalid, 0],
  ['replace of an item that is not there', [], [replace('/0', 1)], invalid, 0],
  ['replace at the end', [1], [replace('/-', 1)], invalid, 0],
  ['replace of the whole where nothing is', undefined, [replace('', 1)], invalid, 0],
  ['add past the end', [1], [add('/2', 1)], invalid, 0],
  ['add at a negative place', [1], [add('/-1', 1)], invalid, 0],
  ['add at a place with a leading zero', [1, 2], [add('/01', 1)], invalid, 0],
  ['add at a place that is a fraction', [1, 2], [add('/1.0', 1)], invalid, 0],
  ['add at a place with an exponent', [1, 2], [add('/1e0', 1)], invalid, 0],
  ['add at a place in other digits', [1, 2], [add('/१', 1)], invalid, 0],
  ['add at a place with a space', [1, 2], [add('/ 1', 1)], invalid, 0],
  ['add at a word', [1], [add('/length', 1)], invalid, 0],
  ['add at a huge place', [1], [add('/99999999999999999999', 1)], invalid, 0],
  ['add into a text', { a: 'bar' }, [add('/a/0', 'x')], invalid, 0],
  ['add into a number', 1, [add('/a', 'x')], invalid, 0],
  ['add into null', { a: null }, [add('/a/b', 1)], invalid, 0],
  ['add below an item that is not there', [[]], [add('/1/0', 1)], invalid, 0],
  ['add below the end', [[]], [add('/-/0', 1)], invalid, 0],
  ['add below a place with a leading zero', [[], []], [add('/01/0', 1)], invalid, 0],
  ['add below nothing', undefined, [add('/a', 1)], invalid, 0],
  ['test in a text', { a: 'bar' }, [test('/a/length', 3)], conflict, 0],
  ['move from what is not there', {}, [move('/a', '/b')], invalid, 0],
  ['move from the end', [1], [move('/-', '/0')], invalid, 0],
  ['move into itself', { a: { b: 1 } }, [move('/a', '/a/b')], invalid, 0],
  ['move of the whole into itself', { a: 1 }, [move('', '/b')], invalid, 0],
  ['move to what is not there', { a: 1 }, [move('/a', '/b/c')], invalid, 0],
  ['move past the end that it leaves behind', [1, 2], [move('/0', '/2')], invalid, 0],
  ['copy from what is not there', {}, [copy('/a', '/b')], invalid, 0],
  ['copy to what is not there', { a: 1 }, [copy('/a', '/b/c')], invalid, 0],
]

/** What is no patch, and the member that is named. */
const MALFORMED: [what: string, operation: Json, path: string][] = [
  ['a text', 'add', ''],
  ['null', null, ''],
  ['an array', [add('/a', 1)], ''],
  ['no op', { path: '/a', value: 1 }, '.op'],
  ['an op that is unknown', { op: 'spam', path: '/a', value: 1 }, '.op'],
  ['an op in capitals', { op: 'ADD', path: '/a', value: 1 }, '.op'],
  ['an op of Object.prototype', { op: 'toString', path: '/a' }, '.op'],
  ['an op that is a number', { op: 1, path: '/a' }, '.op'],
  ['no path', { op: 'add', value: 1 }, '.path'],
  ['a path that is null', { op: 'remove', path: null }, '.path'],
  ['a path that is an array', { op: 'remove', path: ['a'] }, '.path'],
  ['a path without a /', { op: 'add', path: 'a', value: 1 }, '.path'],
  ['a path with a bad escape', { op: 'add', path: '/a~2', value: 1 }, '.path'],
  ['a path that ends in ~', { op: 'add', path: '/a~', value: 1 }, '.path'],
  ['a path to __proto__', { op: 'add', path: '/__proto__', value: {} }, '.path'],
  ['a path through __proto__', { op: 'add', path: '/a/__proto__/polluted', value: true }, '.path'],
  ['a test through __proto__', { op: 'test', path: '/__proto__/a', value: 1 }, '.path'],
  ['from __proto__', { op: 'copy', from: '/__proto__', path: '/a' }, '.from'],
  ['no value to add', { op: 'add', path: '/a' }, '.value'],
  ['no value to replace by', { op: 'replace', path: '/a' }, '.value'],
  ['no value to test', { op: 'test', path: '/a' }, '.value'],
  ['no place to move from', { op: 'move', path: '/a' }, '.from'],
  ['no place to copy from', { op: 'copy', path: '/a' }, '.from'],
  ['a place to copy from that is a number', { op: 'copy', from: 1, path: '/a' }, '.from'],
]

function nested(levels: number): Json {
  return levels === 0 ? 1 : [nested(levels - 1)]
}

describe('a JSON Patch', () => {
  it.each([...APPENDIX_A, ...APPLIED])('RFC 6902: %s', (_, value, operations, result) => {
    const before = structuredClone({ value, operations })
    expect(patched(value, operations)).toEqual(result)
    expect({ value, operations }, 'value or patch was changed').toEqual(before)
  })

  it.each(REFUSED)('RFC 6902 refuses %s', (_, value, operations, code, index) => {
    const before = structuredClone(value)
    const refusal = patched(value, operations)
    const { op, path } = operations[index] as { op: string; path: string }
    expect(refusal).toMatchObject({ code, details: { index, op, path } })
    expect((refusal as Refusal).message).toContain(`Operation ${index} (${op} ${JSON.stringify(path)})`)
    expect(value).toEqual(before)
  })

  it.each(MALFORMED)('RFC 6902 refuses what is no operation: %s', (_, operation, path) => {
    const refusal = patched({ a: 1 }, [add('/b', 1), operation])
    expect(refusal).toMatchObject({ code: invalid, details: { index: 1, path: `operations[1]${path}` } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('U8 makes nothing deeper than is allowed, by adding, moving or copying', () => {
    expect(patched({ a: 1 }, [add('/a', nested(63))])).toEqual({ a: nested(63) })
    const whole = { a: nested(62), b: { c: {} } }
    for (const operation of [add('/a', nested(64)), add('', nested(65)), copy('/a', '/b/c/d'), move('/a', '/b/c/d')]) {
      expect(patched(whole, [operation]), JSON.stringify(operation)).toMatchObject({
        code: 'too_deep',
        details: { index: 0 },
      })
    }
    expect(patched(whole, [copy('/a', '/b/d')])).toEqual({ ...whole, b: { c: {}, d: nested(62) } })
  })

  it('U8 refuses copies of copies before they fill the memory', () => {
    const doubling = Array.from({ length: 60 }, () => copy('/a', '/a/-'))
    const refusal = patched({ a: ['x'] }, doubling, 1024 * 1024)
    expect(refusal).toMatchObject({ code: 'value_too_large' })
    expect((refusal as Refusal).details.index).toBeLessThan(25)
  })

  it('any patch makes what a naive one makes on a copy of the value', () => {
    const usual = fc.constantFrom('', '/a', '/a/0', '/a/0/b', '/a/1', '/a/-', '/b', '/b/a', '/b/b/a', '/b/b/a/-', '/c')
    const part = fc.constantFrom('a', 'b', '0', '1', '-', 'x~0y')
    const odd = fc.array(part, { maxLength: 3 }).map((parts) => parts.map((each) => `/${each}`).join(''))
    const path = fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd })
    const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, 1, 'x', [], {}, [1, [2]], { a: { b: 1 }, 'x~y': [0] })
    const operation: fc.Arbitrary<Json> = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: leaf }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
    ) as fc.Arbitrary<Json>
    const start: Json = { a: [{ b: [1] }, 2], b: { a: 1, b: { a: [] } } }
    let applied = 0
    const property = fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (operations) => {
      const expected = naiveJsonPatch(start, operations)
      const made = patched(start, operations)
      if ('code' in expected) expect(made).toMatchObject({ code: expected.code, details: { index: expected.index } })
      else {
        applied += 1
        expect(made).toEqual(expected.value)
        expect(checkJson(made)).toBe(made)
      }
    })
    fc.assert(property, { numRuns: 5000, seed: seedOf(1) })
    expect(applied).toBeGreaterThan(500)
  })
})
