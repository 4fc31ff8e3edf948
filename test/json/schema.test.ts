import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { type Compiled, compile } from '../../src/json/schema/compile.ts'
import { patternOf } from '../../src/json/schema/pattern.ts'
import { checkJson, type Json } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

function compiled(schema: Json): Compiled {
  const made = compile(schema)
  if (made instanceof Refusal) throw new Error(made.message)
  return made
}

/** A group of the public JSON Schema Test Suite (json-schema-org, MIT), draft 2020-12, without other documents. */
interface Group {
  readonly about: string
  readonly schema: Json
  readonly fits: Json[]
  readonly breaks: Json[]
}

const suite = readFileSync(new URL('../fixtures/json-schema-2020-12.jsonl', import.meta.url), 'utf8')
const groups = suite
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Group)

describe('the public test suite of JSON Schema 2020-12', () => {
  it('has all of its cases that stay within one document', () => {
    const cases = groups.flatMap(({ fits, breaks }) => [...fits, ...breaks])
    expect([groups.length, cases.length]).toEqual([249, 972])
  })

  it.each(groups)('$about', ({ schema, fits, breaks }) => {
    const check = compiled(schema)
    for (const value of fits) expect(check(value), JSON.stringify(value)).toBeUndefined()
    for (const value of breaks) expect(check(value), JSON.stringify(value)).toBeDefined()
  })
})

/** What is said of a value that breaks a schema: the path within the value, and which rule it is. */
const FAULTS: [schema: Json, value: Json, path: Json[], what: string, rule: string][] = [
  [{ type: 'string' }, 1, [], 'must be of type string', '#/type'],
  [{ type: ['string', 'null'] }, 1, [], 'must be of type string or null', '#/type'],
  [
    { properties: { a: { items: { minimum: 3 } } } },
    { a: [3, 2] },
    ['a', 1],
    'must be at least 3',
    '#/properties/a/items/minimum',
  ],
  [
    { items: { $ref: '#/$defs/n' }, $defs: { n: { maximum: 1 } } },
    [0, 2],
    [1],
    'must be at most 1',
    '#/$defs/n/maximum',
  ],
  [{ required: ['a', 'b'] }, { a: 1 }, [], 'must have the member "b"', '#/required'],
  [
    { additionalProperties: false, properties: { a: true } },
    { a: 1, b: 2 },
    ['b'],
    'is not allowed',
    '#/additionalProperties',
  ],
  [
    { propertyNames: { maxLength: 2 } },
    { abc: 1 },
    [],
    'has a member "abc" whose name must have at most 2 characters',
    '#/propertyNames/maxLength',
  ],
  [
    { uniqueItems: true },
    [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
    [],
    'must not hold an item twice: items 0 and 2 are equal',
    '#/uniqueItems',
  ],
  [
    { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
    1,
    [],
    'must match exactly one of the 2 schemas of oneOf, but matches 2',
    '#/oneOf',
  ],
  [
    { 'x/y~z': 1, properties: { 'a/b': { const: 'x' } } },
    { 'a/b': 'y' },
    ['a/b'],
    'must be "x"',
    '#/properties/a~1b/const',
  ],
  [{ enum: ['a', 1, null] }, 'b', [], 'must be one of "a", 1, null', '#/enum'],
  [{ pattern: '^a+$' }, 'ab', [], 'must match the pattern ^a+$', '#/pattern'],
  [{ multipleOf: 0.1 }, 0.35, [], 'must be a multiple of 0.1', '#/multipleOf'],
  [false, 1, [], 'is not allowed', '#'],
]

/** Schemas that are none: what is wrong and where. */
const NONE: [what: string, schema: Json, path: string, says: RegExp][] = [
  ['a number', 5, '$', /must be a schema/],
  ['a type that does not exist', { type: 'text' }, '$.type', /must be one of null, boolean/],
  ['a type twice', { type: ['string', 'string'] }, '$.type', /must be one of/],
  ['text as a bound', { properties: { a: { minimum: '1' } } }, '$.properties.a.minimum', /must be a number/],
  ['a negative length', { minLength: -1 }, '$.minLength', /whole number/],
  ['half a count', { maxItems: 1.5 }, '$.maxItems', /whole number/],
  ['a count beside nothing', { minContains: 'x' }, '$.minContains', /whole number/],
  ['a multiple of 0', { multipleOf: 0 }, '$.multipleOf', /more than 0/],
  ['a name that is required twice', { required: ['a', 'a'] }, '$.required', /each once/],
  ['required as in draft 3', { properties: { a: { required: true } } }, '$.properties.a.required', /list of names/],
  ['items as a list', { items: [{ type: 'string' }] }, '$.items', /must be a schema/],
  ['properties as a list', { properties: ['a'] }, '$.properties', /must be an object/],
  ['a member that is no schema', { properties: { a: 'string' } }, '$.properties.a', /must be a schema/],
  ['an empty choice', { anyOf: [] }, '$.anyOf', /at least one schema/],
  ['a choice of texts', { oneOf: ['a'] }, '$.oneOf[0]', /must be a schema/],
  ['a definition that is none', { $defs: { a: 1 } }, '$.$defs.a', /must be a schema/],
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
  ['then without if, and none', { then: 3 }, '$.then', /must be a schema/],
  ['a pattern that is none', { pattern: '(' }, '$.pattern', /not a valid regular expression/],
  [
    'a pattern of members that is none',
    { patternProperties: { '[': true } },
    '$.patternProperties["["]',
    /not a valid regular expression/,
  ],
  ['a pattern that looks ahead', { pattern: '^(?!a)' }, '$.pattern', /looks ahead/],
  ['a pattern that looks behind', { pattern: '(?<=a)b' }, '$.pattern', /looks ahead or behind/],
  ['a pattern that refers back', { pattern: '(a)\\1' }, '$.pattern', /refers back/],
  ['a pattern that refers back by name', { pattern: '(?<n>a)\\k<n>' }, '$.pattern', /refers back/],
  ['a pattern that repeats too much', { pattern: '((a{50}){50}){50}' }, '$.pattern', /more than 2000 steps/],
  [
    'a pattern that repeats nothing too much',
    { pattern: '((((){999}){999}){999}){999}' },
    '$.pattern',
    /more than 2000 steps/,
  ],
  ['a long pattern', { pattern: 'a'.repeat(600) }, '$.pattern', /longer than 512/],
  ['a reference to nothing', { $ref: '#/$defs/a' }, '$.$ref', /points at nothing/],
  ['a reference to another document', { $ref: 'https://example.org/a.json' }, '$.$ref', /other documents/],
  ['a reference to a neighbour file', { items: { $ref: 'a.json#/b' } }, '$.items.$ref', /other documents/],
  ['a reference to an anchor', { $ref: '#a' }, '$.$ref', /anchors/],
  ['a reference to no schema', { $ref: '#/title', title: 'a' }, '$.title', /must be a schema/],
  ['a reference to itself', { $ref: '#' }, '$', /leads back to itself/],
  [
    'references in a ring',
    { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
    '$.$defs',
    /leads back to itself/,
  ],
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
  ['if that is itself', { if: { $ref: '#' }, then: false }, '$', /leads back to itself/],
  ['a chain of references', chain(60), '$', /more than 24 schemas/],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$.$schema', /2020-12/],
  ['an id within', { $defs: { a: { $id: 'x' } } }, '$.$defs.a.$id', /not supported/],
  [
    'what would let values through unseen',
    { unevaluatedProperties: false },
    '$.unevaluatedProperties',
    /not supported/,
  ],
  ['dependencies as in draft 7', { dependencies: { a: ['b'] } }, '$.dependencies', /not supported/],
  ['a title that is none', { title: 1 }, '$.title', /must be text/],
  ['a format that is none', { format: [] }, '$.format', /must be text/],
]

/** A schema that refers to the next, so many times. */
function chain(length: number): Json {
  const $defs = Object.fromEntries(
    Array.from({ length }, (_, at) => [`d${at}`, at + 1 < length ? { $ref: `#/$defs/d${at + 1}` } : true]),
  )
  return { $ref: '#/$defs/d0', $defs } as Json
}

describe('a schema', () => {
  it.each(FAULTS)('%j says of %j where it breaks and which rule', (schema, value, path, what, rule) => {
    expect(compiled(schema)(value)).toEqual({ path, what, rule })
  })

  it.each(NONE)('is refused when it is none: %s', (_what, schema, path, says) => {
    const refusal = compile(schema)
    if (!(refusal instanceof Refusal)) throw new Error('it was taken')
    expect(refusal.code).toBe('invalid_input')
    expect(refusal.message).toMatch(says)
    expect(String(refusal.details.path).startsWith(path), String(refusal.details.path)).toBe(true)
  })

  it('is refused when it is too large', () => {
    expect(compile({ title: 'a'.repeat(33 * 1024) })).toMatchObject({ code: 'value_too_large' })
  })

  it('may hold keywords that nobody knows', () => {
    expect(compiled({ requird: ['a'], 'x-note': 1, format: 'date' })({})).toBeUndefined()
  })

  it('may recur: a tree of any depth is checked to its leaves', () => {
    const check = compiled({ type: 'object', properties: { next: { $ref: '#' } }, required: ['id'] })
    let tree: Json = { id: 1 }
    for (let level = 0; level < 60; level++) tree = { id: 1, next: tree }
    expect(check(tree)).toBeUndefined()
    expect(check({ id: 1, next: { id: 2, next: {} } })?.path).toEqual(['next', 'next'])
  })

  it('cannot ask for work without end: a check that grows with every level is given up and refused', () => {
    const twice = { anyOf: [{ $ref: '#' }, { $ref: '#' }] }
    const check = compiled({ properties: { a: twice, b: false }, additionalProperties: false })
    let value: Json = { b: 1 }
    for (let level = 0; level < 62; level++) value = { a: value }
    expect(check(value)?.what).toMatch(/more than 1500000 steps/)
    // Giving up is no fit, also where not to fit is asked for.
    expect(compiled({ not: { properties: { a: twice } } })(value)).toBeDefined()
  })

  it('does not overflow the stack at the deepest value under the longest chain of schemas', () => {
    const deep = { ...(chain(22) as object), properties: { a: { $ref: '#' } } } as Json
    let value: Json = 1
    for (let level = 0; level < 63; level++) value = { a: value }
    expect(checkJson(value)).toBe(value)
    expect(compiled(deep)(value)).toBeUndefined()
  })
})

/** Parts of patterns; a generated pattern is some of them in a row, grouped, chosen between and repeated. */
const atoms = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\.',
  '\\u0061',
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '\\p{L}',
  '\\x62',
  '[\\]b]',
]
const marks = ['^', '$', '\\b', '\\B', '']
const counts = ['', '*', '+', '?', '{2}', '{1,}', '{0,2}', '{1,3}?', '*?']

const pattern = fc.letrec((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...counts)).map((parts) => parts.join('')),
    fc.constantFrom(...marks),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom(...counts))
      .map(([open, inside, count]) => `${open}${inside})${count}`),
  ),
})).pattern as fc.Arbitrary<string>

describe('a pattern', () => {
  it('matches what the regular expression of the language matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', ']', '\n', ' ', 'é'), maxLength: 8 })
    let found = 0
    const agrees = fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
      const matches = patternOf(source)
      if (typeof matches === 'string') throw new Error(`${source} ${matches}`)
      const native = new RegExp(source, 'u')
      for (const each of texts) {
        const wanted = native.test(each)
        found += Number(wanted)
        expect(matches(each, { steps: 0 }), `${source} on ${JSON.stringify(each)}`).toBe(wanted)
      }
    })
    fc.assert(agrees, { seed: seedOf(71), numRuns: 2000 })
    expect(found).toBeGreaterThan(1000)
  })

  it.each([
    ['^.$', '😀', true],
    ['^[😀]$', '😀', true],
    ['^\\u{1f600}+$', '😀😀', true],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^[^a]$', '😀', true],
    ['^..$', '😀', false],
  ])('takes a code point for a character: %s on %s', (source, text, wanted) => {
    const matches = patternOf(source)
    expect(typeof matches === 'string' ? matches : matches(text, { steps: 0 })).toBe(wanted)
  })

  it.each(['^(a+)+$', '^(a|a)*$', '(.*)*x', '^([a-z0-9]+-?)+$', 'a*a*a*a*a*a*b'])(
    'takes steps in line with the text: %s',
    (source) => {
      const matches = patternOf(source)
      if (typeof matches === 'string') throw new Error(matches)
      const stepsOf = (length: number) => {
        const run = { steps: 0 }
        expect(matches(`${'a'.repeat(length)}!`, run)).toBe(false)
        return run.steps
      }
      expect(stepsOf(4000) / stepsOf(400)).toBeLessThan(11)
    },
  )
})
