import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { checkKey } from '../../src/domain/state/key-name.ts'
import { depthMax } from '../../src/json/limits.ts'
import { byteLength, canonical, checkJson, type Json, readJson, sameJson } from '../../src/json/value.ts'

const runs = process.env.CAIRN_LONG ? 50_000 : 1_000
const nest = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels)

describe('readJson', () => {
  it('U9 reads every kind of value, null among them', () => {
    const text =
      ' {"n": null, "t": true, "f": false, "i": [0, -1, 0.1, 1e3], "s": "é\\u00e9\\n\\ud83d\\ude00", "o": {}} '
    expect(readJson(text)).toEqual(JSON.parse(text))
    for (const each of ['null', '0', '""', '[]', '{}', '\t\r\n 12 ']) expect(readJson(each)).toEqual(JSON.parse(each))
  })

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '9007199254740991.0',
    '0.1',
    '0.0',
    '5e-324',
    '0e-400',
    '1e15',
    '1e21',
    '-1.5e300',
  ])('U12 keeps the number %s', (number) => {
    expect(readJson(`{"a": ${number}}`)).toEqual({ a: Number(number) })
  })

  it.each(['9007199254740992', '9007199254740993', '-9007199254740993', '100000000000000000000', `1${'0'.repeat(30)}`])(
    'U12 refuses %s, beyond the exact integers, with its path',
    (number) => {
      expect(readJson(`{"a": [0, ${number}]}`)).toMatchObject({
        code: 'number_out_of_range',
        message: `$.a[1] holds ${number}, which is beyond the exact integers.`,
        details: { path: '$.a[1]' },
      })
    },
  )

  it.each([
    ['1e20', '100000000000000000000'],
    ['-1.5E18', '-1500000000000000000'],
    ['9007199254740993.0', '9007199254740992'],
  ])('U12 refuses %s, which would be written back as an integer literal, and says so', (number, written) => {
    expect(JSON.stringify(Number(number))).toBe(written)
    expect(readJson(`{"a": ${number}}`)).toMatchObject({
      code: 'number_out_of_range',
      message: `$.a holds ${number}, which JSON writes back as ${written}, an integer beyond the exact ones.`,
      hint: expect.stringContaining('as a string'),
    })
  })

  it.each(['1e400', '-1e400', '123456789e999999999'])('U12 refuses %s, which overflows, with its path', (number) => {
    expect(readJson(`[${number}]`)).toMatchObject({ code: 'number_out_of_range', details: { path: '$[0]' } })
  })

  const small = [`0.${'0'.repeat(330)}1`, `0.${'0'.repeat(250)}1e-99`]
  it.each(['1e-400', '-1e-400', '1.5E-0324000', '0.001e-330', ...small])(
    'U12 refuses %s, which would read as 0, with its path',
    (number) => {
      for (const text of [`{"a": [0, ${number}]}`, `{"a": [-1, ${number}], "page-100": "0e-999"}`]) {
        const refused = readJson(text)
        expect(refused).toMatchObject({ code: 'number_out_of_range', details: { path: '$.a[1]' } })
        expect((refused as { message: string }).message).toMatch(/ is too small for a number and would read as 0\.$/)
      }
    },
  )

  it('U12 keeps what only looks like such a number', () => {
    for (const text of [
      '"1e-400"',
      '{"9e-400": 0}',
      `"${'0'.repeat(400)}1"`,
      `1${'0'.repeat(14)}`,
      '0.0e-999',
      '2e-323',
    ])
      expect(readJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['-0', '-0.0', '-0e5', '-0E-5', '-0.00e+1'])('U12 refuses %s with its path', (number) => {
    expect(readJson(`{"a": ${number}}`)).toMatchObject({ code: 'number_out_of_range', details: { path: '$.a' } })
    expect(readJson(number)).toMatchObject({ code: 'number_out_of_range', details: { path: '$' } })
  })

  it.each([
    ['a duplicate key', '{"x": {"a": 1, "b": 2, "a": 1}}', '$.x.a'],
    ['a duplicate key in another spelling', '[{"a": 1, "\\u0061": 2}]', '$[0].a'],
    ['an empty key given twice', '{"": 1, "": 1}', '$[""]'],
    ['__proto__ as a key', '{"a": [{"__proto__": {}}]}', '$.a[0].__proto__'],
    ['__proto__ as an escaped key', '{"\\u005f_pr\\u006fto__": 1}', '$.__proto__'],
    ['__proto__ given twice', '{"__proto__": 1, "__proto__": 1}', '$.__proto__'],
    ['a raw high surrogate', '{"a": "x\ud800"}', '$.a'],
    ['a raw low surrogate', '["\udc00x"]', '$[0]'],
    ['an escaped high surrogate', '{"a": "\\ud800"}', '$.a'],
    ['an escaped low surrogate', '{"a": "\\uDC00"}', '$.a'],
    ['surrogates in the wrong order', '{"a": "\\udc00\\ud800"}', '$.a'],
    ['a raw half and an escaped half', '{"a": "\ud83d\\ude00"}', '$.a'],
    ['half a surrogate pair in a key', '{"a": {"\\ud800": 1}}', '$.a["\\ud800"]'],
    ['an escaped NUL', '{"a": "x\\u0000"}', '$.a'],
    ['an escaped NUL in a key', '{"x\\u0000": 1}', '$["x\\u0000"]'],
    ['a raw NUL', '{"a": "x\0"}', '$.a'],
  ])('U12 refuses %s with its path', (_, text, path) => {
    expect(readJson(text)).toMatchObject({ code: 'invalid_input', details: { path } })
  })

  it('U12 keeps what only looks like a fault', () => {
    for (const text of [
      '{"a": "__proto__"}',
      '{"proto": "\\\\u0000"}',
      '["\\\\ud800", "\\u005f"]',
      '{"a":{"a":{"a":1}}}',
    ]) {
      expect(readJson(text)).toEqual(JSON.parse(text))
    }
  })

  it('U12 names the first fault in reading order', () => {
    expect(readJson('{"a": -0, "a": 1')).toMatchObject({ code: 'number_out_of_range' })
    expect(readJson(`[${nest(depthMax)}, -0`)).toMatchObject({ code: 'too_deep' })
  })

  it('U8 reads 64 levels and refuses 65', () => {
    expect(readJson(nest(depthMax))).toEqual(JSON.parse(nest(depthMax)))
    expect(readJson(`[${'[],'.repeat(1000)}[]]`)).toHaveLength(1001)
    expect(readJson(`{"a":${nest(depthMax)}}`)).toMatchObject({
      code: 'too_deep',
      details: { path: `$.a${'[0]'.repeat(depthMax - 1)}` },
    })
    expect(readJson(nest(depthMax + 2), depthMax + 2)).not.toBeInstanceOf(Refusal)
  })

  it.each(['[', '{"a":', '[{"a":['])('U8 refuses five million levels of %s without overflowing the stack', (open) => {
    expect(readJson(open.repeat(5_000_000))).toMatchObject({ code: 'too_deep' })
  })

  it('U8 refuses five million levels that are closed again', () => {
    expect(readJson(nest(5_000_000))).toMatchObject({ code: 'too_deep' })
    expect(readJson(']'.repeat(5_000_000))).toMatchObject({ code: 'invalid_input' })
  })
})

describe('readJson on what is not JSON', () => {
  it.each([
    ['an empty text', '', 1, 1, 'Send a JSON value'],
    ['blanks', ' \n ', 2, 2, 'Send a JSON value'],
    ['a byte order mark', '\ufeff{}', 1, 1, 'byte order mark'],
    ['bare text', 'hello', 1, 1, 'double quotes around text'],
    ['single quotes', "{'a': 1}", 1, 2, 'double quotes'],
    ['a comment', '{\n  // why\n  "a": 1}', 2, 3, 'comment'],
    ['a hash comment', '[1] # one', 1, 5, 'comment'],
    ['a trailing comma in an array', '[1,\r\n2, ]', 2, 4, 'Remove the comma'],
    ['a trailing comma in an object', '{"a": 1,}', 1, 9, 'Remove the comma'],
    ['a missing comma', '[1 2]', 1, 4, 'commas between items'],
    ['a missing colon', '{"a" 1}', 1, 6, 'colon'],
    ['a missing value', '{"a": }', 1, 7, 'Write a string'],
    ['two documents', '{} {}', 1, 4, 'nothing after it'],
    ['a text cut short', '{"a": [1', 1, 9, 'whole text'],
    ['a string without an end', '["abc', 1, 2, 'double quote'],
    ['a string that ends in a backslash', '["abc\\', 1, 6, 'backslash'],
    ['an unknown escape', '["\\x41"]', 1, 3, 'backslash'],
    ['a short unicode escape', '["\\u12g4"]', 1, 3, 'backslash'],
    ['a raw line break in a string', '["a\nb"]', 1, 4, 'line break is written \\n'],
    ['a leading zero', '[012]', 1, 3, 'leading zeros'],
    ['a leading plus', '[+1]', 1, 2, 'Write a string'],
    ['a number without its fraction', '[1.]', 1, 4, '0.5'],
    ['a number without its exponent', '[1e+]', 1, 5, '1e3'],
    ['NaN', '[NaN]', 1, 2, 'null'],
    ['-Infinity', '[-Infinity]', 1, 2, 'null'],
    ['a Python constant', '[None]', 1, 2, 'lower case'],
    ['a word that goes on', '[nullx]', 1, 6, 'quotes'],
    ['a no-break space', '[\u00a01]', 1, 2, 'Write a string'],
  ])('U12 refuses %s with line and column', (_, text, line, column, hint) => {
    const refusal = readJson(text)
    expect(refusal).toMatchObject({ code: 'invalid_input', details: { line, column } })
    expect((refusal as Refusal).hint).toContain(hint)
    expect((refusal as Refusal).message).toMatch(
      /^Invalid JSON at line \d+, column \d+ \(\$.*\): expected .+, found .+\.$/,
    )
  })

  it('U12 writes what a caller reads', () => {
    expect(readJson('{"a": {"two words": [tru]}}')).toEqual(
      new Refusal(
        'invalid_input',
        'Invalid JSON at line 1, column 22 ($.a["two words"][0]): expected a value, found "tru]}}".',
        'Put double quotes around text: "like this".',
        { path: '$.a["two words"][0]', line: 1, column: 22 },
      ),
    )
  })

  it('U12 keeps refusals short and fit to print, whatever the text', () => {
    const long = 'x'.repeat(100_000)
    const texts = [
      long,
      `{"${long}": -0}`,
      `{"\\u001b[31m\u202e\u009b": -0}`,
      `[-0.${'0'.repeat(10_000)}]`,
      `\u001b${long}`,
    ]
    texts.push(`${`{"${long}":`.repeat(60)}-0`, `{"${'😀'.repeat(50)}": -0}`, '\u007f', '"\u009f\t"')
    for (const text of texts) expectFitToPrint(readJson(text))
  })
})

/** Texts that are mostly JSON, with faults sown in. */
const space = fc.constantFrom('', '', ' ', '\n', '\t\r\n  ')
const piece = fc.constantFrom(
  ...['a', 'é', '😀', ' ', '_', '\\n', '\\\\', '\\"', '\\/', '\\u0041', '\\u00e9', '\\ud83d\\ude00'],
)
const badPiece = fc.constantFrom('\\u0000', '\\ud800', '\\udc00', '\ud83d', '\ude00', '\0', '\n', '\\x', '\\u12')
const goodNumber = fc.oneof(
  fc.integer().map(String),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((n) => `${n}`),
)
const badNumber = fc.constantFrom(
  '-0',
  '-0.0',
  '-0e5',
  '-1e-400',
  '1e-400',
  '1e400',
  '1e20',
  '1e300',
  `9${'0'.repeat(25)}`,
  '9007199254740993',
  '01',
  '1.',
  '+1',
  '-',
)
const seldom = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, faults: boolean) =>
  faults ? fc.oneof({ arbitrary: good, weight: 40 }, { arbitrary: bad, weight: 1 }) : good
const stringText = (faults: boolean) =>
  fc.array(seldom(piece, badPiece, faults), { maxLength: 30 }).map((pieces) => `"${pieces.join('')}"`)
const nameText = (faults: boolean) =>
  faults
    ? fc.oneof(stringText(true), fc.constantFrom('"a"', '"b"', '"\\u0061"', '"c"', '"__proto__"'))
    : stringText(false)

const documentText = (faults: boolean) =>
  fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('null', 'true', 'false', '[]', '{}'),
      stringText(faults),
      seldom(goodNumber, badNumber, faults).filter((text) => faults || text !== '-0'),
      tie('array'),
      tie('object'),
    ),
    array: fc
      .array(fc.tuple(space, tie('value'), space), { maxLength: 6 })
      .map((items) => `[${items.map((each) => each.join('')).join(',')}]`),
    object: fc
      .uniqueArray(fc.tuple(space, nameText(faults), space, fc.constant(':'), space, tie('value'), space), {
        maxLength: 6,
        selector: (member) => (faults ? {} : JSON.parse(member[1])),
      })
      .map((members) => `{${members.map((each) => each.join('')).join(',')}}`),
  })).value

const mutated = fc
  .tuple(
    documentText(true),
    fc.nat(),
    fc.nat(3),
    fc.oneof(fc.string({ maxLength: 2 }), piece, badPiece, fc.constant('"')),
  )
  .map(([text, place, cut, put]) => {
    const at = place % (text.length + 1)
    return cut === 3 ? text.slice(0, at) : text.slice(0, at) + put + text.slice(at + cut)
  })

describe('readJson held against JSON.parse', () => {
  it('U12 reads every sound text as JSON.parse does', () => {
    fc.assert(
      fc.property(space, documentText(false), space, (before, text, after) => {
        expect(readJson(before + text + after)).toStrictEqual(JSON.parse(text))
      }),
      { numRuns: runs },
    )
  })

  it('U12 refuses a text exactly when JSON.parse throws or hides a fault', () => {
    fc.assert(
      fc.property(fc.oneof(documentText(true), mutated, fc.string({ unit: 'binary' })), (text) => {
        const read = readJson(text)
        const [fault] = faultsByTokens(text)
        if (fault === undefined) expect(read).toStrictEqual(JSON.parse(text))
        else expectFitToPrint(read)
        if (fault === 'duplicate')
          expect(read).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('twice') })
        else if (fault === 'spelling') expect(read).toMatchObject({ code: 'number_out_of_range' })
        else if (fault !== undefined && fault !== 'syntax') expect(read).toMatchObject({ code: fault })
      }),
      { numRuns: 3 * runs },
    )
  })

  it('U12 checkJson agrees on the value that JSON.parse makes', () => {
    fc.assert(
      fc.property(documentText(true), (text) => {
        const faults = faultsByTokens(text)
        // Of these the value shows nothing any more.
        const hidden = ['syntax', 'duplicate', 'spelling']
        fc.pre(!faults.some((fault) => hidden.includes(fault)) && text.isWellFormed())
        expect(checkJson(JSON.parse(text)) instanceof Refusal).toBe(faults.length > 0)
      }),
      { numRuns: runs },
    )
  })
})

describe('checkJson', () => {
  it('U12 hands back what may be kept', () => {
    const bare = Object.assign(Object.create(null), { a: [1, 'x', null, true, { b: 0.5 }] })
    for (const value of [null, true, 0, -1.5, 1e21, -Number.MAX_VALUE, 'é😀', [], {}, bare])
      expect(checkJson(value)).toBe(value)
  })

  it.each<[string, unknown, string]>([
    ['undefined', undefined, '$'],
    ['undefined in an object', { a: undefined }, '$.a'],
    ['a function', { a: [() => 1] }, '$.a[0]'],
    ['a symbol', Symbol('x'), '$'],
    ['a bigint', [1n], '$[0]'],
    ['a Date', { at: new Date(0) }, '$.at'],
    ['a Map', new Map(), '$'],
    ['a Set', [new Set()], '$[0]'],
    ['bytes', new Uint8Array(2), '$'],
    ['an Error', new Error('x'), '$'],
    ['a promise', { a: Promise.resolve(1) }, '$.a'],
    ['a boxed number', Object(1), '$'],
    ['a class instance', { a: new (class Point {})() }, '$.a'],
    ['a class of arrays', new (class Row extends Array {})(), '$'],
    ['an object on top of another', Object.create({ toJSON: () => 1 }), '$'],
    ['an object below a bare one', Object.create(Object.create(null)), '$'],
    ['a hole in an array', new Array(1), '$[0]'],
    ['a getter', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }), '$.a'],
    ['a setter', Object.defineProperty({}, 'a', { set: () => {}, enumerable: true }), '$.a'],
    ['a getter in an array', Object.defineProperty([1], 0, { get: () => 1, enumerable: true }), '$[0]'],
    ['a symbol as a key', { a: { [Symbol('x')]: 1 } }, '$.a'],
    ['__proto__ as a key', JSON.parse('{"a": {"__proto__": 1}}'), '$.a.__proto__'],
    ['half a surrogate pair', { a: 'x\ud800' }, '$.a'],
    ['half a surrogate pair in a key', { '\udc00': 1 }, '$["\\udc00"]'],
    ['a NUL', ['\0'], '$[0]'],
    ['a NUL in a key', { '\0': 1 }, '$["\\u0000"]'],
    ['a toJSON of its own', { toJSON: () => 1 }, '$.toJSON'],
  ])('U12 refuses %s with its path', (_, value, path) => {
    const refusal = checkJson(value)
    expect(refusal).toMatchObject({ code: 'invalid_input', details: { path } })
    expect((refusal as Refusal).hint).not.toBe('')
  })

  it.each([Number.NaN, Infinity, -Infinity, -0, 2 ** 53, -(2 ** 53), 1e20, -1e20])(
    'U12 refuses the number %s with its path',
    (number) => {
      expect(checkJson({ a: [number] })).toMatchObject({ code: 'number_out_of_range', details: { path: '$.a[0]' } })
      expect(checkJson(number)).toMatchObject({ code: 'number_out_of_range', details: { path: '$' } })
    },
  )

  it('U8 keeps 64 levels and refuses 65', () => {
    expect(checkJson(JSON.parse(nest(depthMax)))).not.toBeInstanceOf(Refusal)
    expect(checkJson(JSON.parse(nest(depthMax + 1)))).toEqual(readJson(nest(depthMax + 1)))
  })

  it('U12 refuses cycles, values that unfold without end and proxies that throw', () => {
    const cycle: unknown[] = []
    cycle.push({ again: [cycle, cycle] })
    expect(checkJson(cycle)).toMatchObject({ code: 'too_deep' })
    let shared: unknown = 1
    for (let level = 0; level < 60; level++) shared = [shared, shared]
    expect(checkJson(shared)).toMatchObject({ code: 'value_too_large' })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(checkJson({ a: proxy })).toMatchObject({ code: 'invalid_input' })
  })
})

describe('canonical and sameJson', () => {
  const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

  it('U12 sorts members by UTF-16 code units and prints numbers as JSON.stringify does', () => {
    // RFC 8785, section 3.2.3: U+1F600 stands before U+FB33 because its first unit does.
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
    expect(canonical(names)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}')
    expect(canonical({ b: [1e21, 0.000001, 1e-7], a: { d: null, c: '\u2028"' } })).toBe(
      '{"a":{"c":"\u2028\\"","d":null},"b":[1e+21,0.000001,1e-7]}',
    )
  })

  it('U12 canonical does not depend on the order of members and is stable', () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = canonical(json)
        expect(canonical(turned(json))).toBe(text)
        expect(canonical(JSON.parse(text))).toBe(text)
        expect(sameJson(json, turned(json))).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it('U12 sameJson tells apart what canonical tells apart', () => {
    const small = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b') }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(small, small, (a, b) => sameJson(a, b) === (canonical(a) === canonical(b))),
      { numRuns: runs },
    )
    const pairs: [Json, Json][] = [
      [[], {}],
      [null, {}],
      [[1], [1, 2]],
      [{ a: 1 }, { b: 1 }],
      [{ a: null }, {}],
      [1, '1'],
    ]
    for (const [a, b] of pairs) expect([sameJson(a, b), sameJson(b, a)]).toEqual([false, false])
  })
})

describe('checkKey', () => {
  it.each(['a', 'a/b.c-d e', 'a_', 'é', '日本', '😀', '$[0]'])('U7 takes %s', (key) => {
    expect(checkKey(key)).toBeUndefined()
  })

  it('U7 takes 256 bytes', () => {
    expect(checkKey('x'.repeat(256))).toBeUndefined()
    expect(checkKey('é'.repeat(128))).toBeUndefined()
  })

  it.each([
    ['an empty key', '', 'empty'],
    ['257 bytes', 'x'.repeat(257), 'keyBytes is 256'],
    ['129 letters of two bytes', 'é'.repeat(129), 'keyBytes is 256'],
    ['a megabyte', 'x'.repeat(1_000_000), 'keyBytes is 256'],
    ['a leading underscore', '_internal', 'reserved'],
    ['__proto__', '__proto__', 'reserved'],
    ['a line break', 'a\nb', 'control character'],
    ['a NUL', 'a\0', 'control character'],
    ['DEL', 'a\u007f', 'control character'],
    ['a C1 control', 'é\u0085', 'control character'],
    ['half a surrogate pair', 'a\ud800', 'surrogate'],
    ['a text that is not NFC', 'e\u0301', 'NFC'],
  ])('U7 refuses %s', (_, key, why) => {
    const refusal = checkKey(key)
    expect(refusal).toMatchObject({ code: 'invalid_input' })
    expect(refusal?.message).toContain(why)
    expectFitToPrint(refusal)
  })

  it('U7 counts bytes as UTF-8 does', () => {
    const unit = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udc00', '😀', '\u07ff', '\u0800'))
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const text = parts.join('')
        expect(byteLength(text)).toBe(new TextEncoder().encode(text).length)
      }),
      { numRuns: runs },
    )
  })
})

/** The same members, last first. */
function turned(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(turned)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  )
}

function expectFitToPrint(refusal: unknown): void {
  expect(refusal).toBeInstanceOf(Refusal)
  const { message, hint } = refusal as Refusal
  expect(message).not.toContain('expected the end of the text, found the end')
  expect(message.length).toBeLessThan(400)
  expect(hint).not.toBe('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that may not be printed.
  expect(message + hint).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\ufeff]|\p{Cs}/u)
}

/** The rules once more, from tokens cut by one expression: slow, plain and written apart from the reader. */
function faultsByTokens(text: string): string[] {
  try {
    JSON.parse(text)
  } catch {
    return ['syntax']
  }
  const faults: string[] = []
  const names: (Set<string> | undefined)[] = []
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)].map((match) => match[0])
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') {
      if (names.push(token === '{' ? new Set() : undefined) > depthMax) faults.push('too_deep')
    } else if (token === '}' || token === ']') names.pop()
    else if (token.startsWith('"')) {
      const string: string = JSON.parse(token)
      const siblings = tokens[index + 1] === ':' ? names.at(-1) : undefined
      if (/\p{Cs}/u.test(token) || /\p{Cs}/u.test(string) || string.includes('\0')) faults.push('invalid_input')
      if (siblings !== undefined && string === '__proto__') faults.push('invalid_input')
      if (siblings?.has(string)) faults.push('duplicate')
      siblings?.add(string)
    } else if (/^[-\d]/.test(token)) {
      const number = Number(token)
      const size = Math.abs(number)
      const isSmall = number === 0 && /^-?0*\.?0*[1-9]/.test(token)
      const isLong = size >= 1e21 && size < Infinity && /^-?\d+$/.test(token)
      if (isSmall || isLong) faults.push('spelling')
      else if (Object.is(number, -0) || (size >= 2 ** 53 && size < 1e21) || size === Infinity)
        faults.push('number_out_of_range')
    }
  }
  return faults
}
