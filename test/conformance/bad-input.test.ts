import { describe, expect, it } from 'vitest'
import type { Cairn, Json } from '../../src/index.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let at = 0; at < levels; at++) value = at % 2 ? [value] : { a: value }
  return value
}

function cyclic(): unknown {
  const value: { self?: unknown } = {}
  value.self = [value]
  return value
}

class Point {
  x = 1
}

/** Values that JSON cannot carry or that its readers disagree on; the path is that within the value. */
const VALUES: [what: string, value: unknown, code: string, path: string][] = [
  // biome-ignore lint/correctness/noPrecisionLoss: that it is not exact is the point.
  ['an integer that is not exact', { n: [0, 9007199254740993] }, 'number_out_of_range', '.n[1]'],
  ['the first integer beyond', 2 ** 53, 'number_out_of_range', ''],
  ['a negative one', [-(2 ** 53)], 'number_out_of_range', '[0]'],
  ['a number that overflows', Number('1e400'), 'number_out_of_range', ''],
  ['minus infinity', { a: { b: -Infinity } }, 'number_out_of_range', '.a.b'],
  ['NaN', [1, Number.NaN], 'number_out_of_range', '[1]'],
  ['-0', { zero: -0 }, 'number_out_of_range', '.zero'],
  ['__proto__ as a member', JSON.parse('{"a":{"__proto__":{"polluted":true}}}'), 'invalid_input', '.a.__proto__'],
  ['half of a surrogate pair', ['\ud83d'], 'invalid_input', '[0]'],
  ['half of a pair in a name', { '\udc00': 1 }, 'invalid_input', '["\\udc00"]'],
  ['NUL', { text: 'a\0b' }, 'invalid_input', '.text'],
  ['NUL in a name', { 'a\0': 1 }, 'invalid_input', '["a\\u0000"]'],
  ['a date', { at: new Date(0) }, 'invalid_input', '.at'],
  ['a function', [() => 1], 'invalid_input', '[0]'],
  ['undefined inside', { a: undefined }, 'invalid_input', '.a'],
  ['a hole', new Array(2), 'invalid_input', '[0]'],
  ['a symbol', { a: Symbol('s') }, 'invalid_input', '.a'],
  ['a bigint', 1n, 'invalid_input', ''],
  ['a map', new Map([['a', 1]]), 'invalid_input', ''],
  ['an instance of a class', new Point(), 'invalid_input', ''],
  [
    'a getter',
    {
      get a() {
        return 1
      },
    },
    'invalid_input',
    '.a',
  ],
  ['a buffer', { b: Buffer.from('x') }, 'invalid_input', '.b'],
]

const KEYS: [what: string, key: string][] = [
  ['empty', ''],
  ['of 300 bytes', 'k'.repeat(300)],
  ['of 258 bytes in 129 characters', 'é'.repeat(129)],
  ['of a megabyte', 'k'.repeat(1024 * 1024)],
  ['that begins with _', '_own'],
  ['__proto__', '__proto__'],
  ['with a control character', 'a\u0007b'],
  ['with a line break', 'a\nb'],
  ['with DEL', 'a\u007f'],
  ['with a C1 control', 'a\u0085'],
  ['with NUL', 'a\0b'],
  ['that is not NFC', 'cafe\u0301'],
  ['with half of a surrogate pair', 'a\ud800'],
]

/** What a terminal would obey, were it shown a name that holds it. */
const CONTROLS = ['a\u001b[2J', 'a\nb', 'a\tb', 'a\u202eb', 'a\u2028b', 'a\u0085']

/** Every name but that of a key that tables, logs and terminals show. */
const NAMES: [what: string, ask: (cairn: Cairn, name: string, session: string) => Promise<unknown>][] = [
  ['a session', (cairn, name, parent) => cairn.session.create({ topic: 't', parent, name })],
  ['a lease', (cairn, name) => cairn.lease.claim({ name, ttl: '10s' })],
  ['the holder of a lease', (cairn, holder) => cairn.lease.claim({ name: 'l', holder, ttl: '10s' })],
  ['a token', (cairn, name) => cairn.token.create({ kind: 'reader', name })],
]

/** Every way that a value comes in; each says where in the input the value stands. */
const WAYS: [name: string, at: string, ask: (cairn: Cairn, value: never, session: string) => Promise<unknown>][] = [
  ['state.set', '$', (cairn, value) => cairn.state.set({ key: 'k', value })],
  ['state.append', '$[1]', (cairn, value) => cairn.state.append({ key: 'l', items: [0, value] })],
  ['state.merge', '$.a', (cairn, value) => cairn.state.merge({ key: 'o', patch: { a: value } })],
  ['state.patch', '$.a', (cairn, value) => cairn.state.patch({ patch: { a: value } })],
  [
    'state.jsonPatch',
    '$[0].value',
    (cairn, value) => cairn.state.jsonPatch({ key: 'o', operations: [{ op: 'add', path: '', value }] }),
  ],
  ['state.setIfAbsent', '$', (cairn, value) => cairn.state.setIfAbsent({ key: 'k', value })],
  ['state.mutate', '$', (cairn, value) => cairn.state.mutate({ mutation: { type: 'set', key: 'k', value } })],
  ['state.replace', '$.k', (cairn, value) => cairn.state.replace({ state: { k: value } })],
  ['state.init', '$.k', (cairn, value) => cairn.state.init({ initial_state: { k: value } })],
  [
    'session.create',
    '$.m',
    (cairn, value, parent) => cairn.session.create({ topic: 't', parent, metadata: { m: value } }),
  ],
  [
    'state.batch set',
    'operations[1].value',
    (cairn, value) =>
      cairn.state.batch({
        operations: [
          { op: 'increment', key: 'n' },
          { op: 'set', key: 'k', value },
        ],
      }),
  ],
  [
    'state.batch append',
    'operations[0].items[0]',
    (cairn, value) => cairn.state.batch({ operations: [{ op: 'append', key: 'l', items: [value] }] }),
  ],
]

function keyWays(cairn: Cairn, key: string): [name: string, ask: () => Promise<unknown>][] {
  const document = JSON.parse(`{${JSON.stringify(key)}:1}`) as { [key: string]: Json }
  return [
    ['state.set', () => cairn.state.set({ key, value: 1 })],
    ['state.get', () => cairn.state.get({ key })],
    ['state.delete', () => cairn.state.delete({ key })],
    ['state.increment', () => cairn.state.increment({ key })],
    ['state.append', () => cairn.state.append({ key, items: [] })],
    ['state.merge', () => cairn.state.merge({ key, patch: {} })],
    ['state.patch', () => cairn.state.patch({ patch: document })],
    ['state.jsonPatch', () => cairn.state.jsonPatch({ key, operations: [] })],
    ['state.min', () => cairn.state.min({ key, value: 1 })],
    ['state.max', () => cairn.state.max({ key, value: 1 })],
    ['state.setIfAbsent', () => cairn.state.setIfAbsent({ key, value: 1 })],
    ['state.mutate', () => cairn.state.mutate({ mutation: { type: 'set', key, value: 1 } })],
    ['state.replace', () => cairn.state.replace({ state: document })],
    ['state.init', () => cairn.state.init({ initial_state: document })],
    ['session.create', () => cairn.session.create({ topic: 't', initial_state: document })],
    [
      'state.batch',
      () =>
        cairn.state.batch({
          operations: [
            { op: 'increment', key: 'n' },
            { op: 'set', key, value: 1 },
          ],
        }),
    ],
  ]
}

const SHAPES: [what: string, path: string, ask: (cairn: Cairn) => Promise<unknown>][] = [
  ['no input at all', 'key', (cairn) => cairn.state.set(undefined as never)],
  ['an input that is an array', '', (cairn) => cairn.state.set([] as never)],
  ['an input that is text', '', (cairn) => cairn.state.set('k' as never)],
  ['a missing key', 'key', (cairn) => cairn.state.set({ value: 1 } as never)],
  ['a missing value', 'value', (cairn) => cairn.state.set({ key: 'k' } as never)],
  ['a value that is undefined', 'value', (cairn) => cairn.state.set({ key: 'k', value: undefined as never })],
  ['a misspelt member', 'valeu', (cairn) => cairn.state.set({ key: 'k', value: 1, valeu: 2 } as never)],
  ['a member of Object.prototype', 'toString', (cairn) => cairn.state.get({ key: 'k', toString: 1 } as never)],
  ['__proto__ as a member', '__proto__', (cairn) => cairn.state.get(JSON.parse('{"key":"k","__proto__":{}}'))],
  ['a key that is a number', 'key', (cairn) => cairn.state.get({ key: 5 } as never)],
  ['a key that is null', 'key', (cairn) => cairn.state.delete({ key: null } as never)],
  ['a version that is text', 'version', (cairn) => cairn.state.set({ key: 'k', value: 1, version: '1' } as never)],
  ['a version that is a fraction', 'version', (cairn) => cairn.state.set({ key: 'k', value: 1, version: 1.5 })],
  ['a version below 0', 'version', (cairn) => cairn.state.delete({ key: 'k', version: -1 })],
  ['a version that is not exact', 'version', (cairn) => cairn.state.delete({ key: 'k', version: 2 ** 53 })],
  [
    'create_only that is text',
    'create_only',
    (cairn) => cairn.state.set({ key: 'k', value: 1, create_only: 'yes' } as never),
  ],
  ['a delta that is text', 'delta', (cairn) => cairn.state.increment({ key: 'n', delta: '1' } as never)],
  ['a delta that is null', 'delta', (cairn) => cairn.state.increment({ key: 'n', delta: null } as never)],
  ['items that are text', 'items', (cairn) => cairn.state.append({ key: 'l', items: 'x' } as never)],
  ['items that are an object', 'items', (cairn) => cairn.state.append({ key: 'l', items: { 0: 1 } } as never)],
  ['a patch that is an array', 'patch', (cairn) => cairn.state.merge({ key: 'o', patch: [] } as never)],
  ['a patch that is null', 'patch', (cairn) => cairn.state.merge({ key: 'o', patch: null } as never)],
  ['a patch of the document that is text', 'patch', (cairn) => cairn.state.patch({ patch: 'x' } as never)],
  ['a strategy that is unknown', 'strategy', (cairn) => cairn.state.patch({ patch: {}, strategy: 'wide' as never })],
  [
    'operations that are no array',
    'operations',
    (cairn) => cairn.state.jsonPatch({ key: 'o', operations: {} } as never),
  ],
  ['a bound that is text', 'value', (cairn) => cairn.state.min({ key: 'n', value: '1' } as never)],
  ['a raw mutation that is text', 'mutation', (cairn) => cairn.state.mutate({ mutation: 'set' } as never)],
  ['a state that is an array', 'state', (cairn) => cairn.state.replace({ state: [] } as never)],
  ['operations that are an object', 'operations', (cairn) => cairn.state.batch({ operations: {} } as never)],
  ['an operation that is null', 'operations[0]', (cairn) => cairn.state.batch({ operations: [null] } as never)],
  ['a session that is a number', 'session', (cairn) => cairn.state.get({ session: 5, key: 'k' } as never)],
  ['a request id that is empty', 'request_id', (cairn) => cairn.state.increment({ key: 'n', request_id: '' })],
  [
    'a request id that is too long',
    'request_id',
    (cairn) => cairn.state.increment({ key: 'n', request_id: 'r'.repeat(257) }),
  ],
  [
    'half of a pair in a request id',
    'request_id',
    (cairn) => cairn.state.increment({ key: 'n', request_id: 'a\ud800' }),
  ],
  ['a topic that is missing', 'topic', (cairn) => cairn.session.create({} as never)],
  ['a topic that is empty', 'topic', (cairn) => cairn.session.create({ topic: '' })],
  ['a topic with NUL', 'topic', (cairn) => cairn.session.create({ topic: 'a\0' })],
  ['a name with a line break', 'name', (cairn) => cairn.session.create({ topic: 't', name: 'a\nb' })],
  ['a name with a space at its end', 'name', (cairn) => cairn.session.create({ topic: 't', name: 'a ' })],
  ['a type that is unknown', 'type', (cairn) => cairn.session.create({ topic: 't', type: 'huge' as never })],
  ['a status that is no end', 'status', (cairn) => cairn.session.end({ status: 'paused' as never })],
  ['metadata that is text', 'metadata', (cairn) => cairn.session.create({ topic: 't', metadata: 'm' as never })],
  ['a place in the log that is text', 'at', (cairn) => cairn.state.all({ at: '1' as never })],
]

for (const kind of STORES) {
  describe(`bad input on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each(WAYS)('U12 refuses on %s what JSON cannot carry, with its path, and writes nothing', async (_, at, ask) => {
      const { cairn, session } = await newRoot(store())
      for (const [what, value, code, path] of VALUES) {
        const refusal = await refused(ask(cairn, value as never, session))
        expect(refusal, what).toMatchObject({ code, details: { path: at + path } })
        expect(refusal.message, what).toContain(at + path)
      }
      expect(await lastSeq(cairn)).toBe(1)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

    it('U8 U12 refuses what is nested too deep, cycles too', async () => {
      const { cairn } = await newRoot(store())
      expect(await cairn.state.set({ key: 'k', value: nested(64) as Json })).toMatchObject({ version: 1 })
      expect((await cairn.state.get({ key: 'k' })).value).toEqual(nested(64))
      for (const value of [nested(65), nested(10_000), cyclic()]) {
        const refusal = await refused(cairn.state.set({ key: 'k', value: value as Json }))
        expect(refusal).toMatchObject({ code: 'too_deep', details: { path: expect.stringMatching(/^\$[.[]/) } })
      }
      expect(await refused(cairn.state.append({ key: 'l', items: [nested(64) as Json] }))).toMatchObject({
        code: 'too_deep',
      })
      await cairn.state.set({ key: 'o', value: { a: nested(63) as Json } })
      expect(await refused(cairn.state.merge({ key: 'o', patch: { 'b.c': nested(63) as Json } }))).toMatchObject({
        code: 'too_deep',
      })
      expect(await lastSeq(cairn)).toBe(3)
    })

    it('U7 refuses what cannot be a key, on every way in', async () => {
      const { cairn } = await newRoot(store())
      for (const [what, key] of KEYS) {
        for (const [name, ask] of keyWays(cairn, key)) {
          const refusal = await refused(ask())
          const where = `${name} with a key ${what}`
          expect(refusal.code, where).toBe('invalid_input')
          expect(refusal.details.path, where).toBeTypeOf('string')
          expect(refusal.message.length, where).toBeLessThan(300)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey must not be printed.
          expect(refusal.message, where).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        }
      }
      expect(await lastSeq(cairn)).toBe(1)
    })

    it.each(NAMES)('U7 refuses control characters in the name of %s, and prints none of them', async (_, ask) => {
      const { cairn, session } = await newRoot(store())
      for (const name of CONTROLS) {
        const refusal = await refused(ask(cairn, name, session))
        expect([name, refusal.code]).toEqual([name, 'invalid_input'])
        expect(refusal.message + refusal.hint).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
      }
      expect(await refused(store().open({ actor: 'a\u001b[2J' }))).toMatchObject({ code: 'invalid_input' })
      expect(await lastSeq(cairn)).toBe(1)
    })

    it('U53 refuses what has not the shape of an input, and names the member', async () => {
      const { cairn } = await newRoot(store())
      for (const [what, path, ask] of SHAPES) {
        const refusal = await refused(ask(cairn))
        expect(refusal.code, what).toBe('invalid_input')
        if (path === '') continue
        expect(refusal, what).toMatchObject({ details: { path }, message: expect.stringContaining(path) })
      }
      expect(await lastSeq(cairn)).toBe(1)
    })

    it('U11 refuses a delta that is no exact number', async () => {
      const { cairn } = await newRoot(store())
      for (const delta of [Number.NaN, Infinity, -0, 2 ** 53]) {
        const one = await refused(cairn.state.increment({ key: 'n', delta }))
        expect(one).toMatchObject({ code: 'number_out_of_range', details: { path: 'delta' } })
        const many = await refused(cairn.state.batch({ operations: [{ op: 'increment', key: 'n', delta }] }))
        expect(many).toMatchObject({ code: 'number_out_of_range', details: { path: 'operations[0].delta' } })
      }
      expect(await lastSeq(cairn)).toBe(1)
    })

    it('refuses a session that does not exist, on every operation', async () => {
      const { cairn } = await newRoot(store())
      const session = 'sess_ffffffffffff7fff8fffffffffffffff'
      const ways: (() => Promise<unknown>)[] = [
        () => cairn.state.all({ session }),
        () => cairn.state.get({ session, key: 'k' }),
        () => cairn.state.set({ session, key: 'k', value: 1 }),
        () => cairn.state.batch({ session, operations: [{ op: 'increment', key: 'n' }] }),
        () => cairn.log.list({ session }),
        () => cairn.session.show({ session }),
        () => cairn.session.end({ session }),
        () => cairn.session.create({ topic: 't', parent: session }),
      ]
      for (const ask of ways) expect(await refused(ask()), String(ask)).toMatchObject({ code: 'session_not_found' })
    })

    it('U7 takes names of Object.prototype, emoji, spaces and slashes as keys and names like any other', async () => {
      const { cairn, session } = await newRoot(store())
      const names = [
        'constructor',
        'toString',
        'hasOwnProperty',
        'valueOf',
        'isPrototypeOf',
        'a/b c',
        '\u{1f9f1}',
        "'; DROP TABLE events; --",
        '$1',
        '%',
        '"',
        '\\',
        'ÀÉ',
        '日本',
        'key',
        'null',
        '0',
        '-1',
      ]
      for (const key of names)
        expect(await refused(cairn.state.get({ key })), key).toMatchObject({ code: 'key_not_found' })
      for (const key of names) await cairn.state.set({ key, value: { [key]: key }, version: 0 })
      for (const key of names) {
        expect(await cairn.state.get({ key }), key).toMatchObject({ value: { [key]: key }, version: 1 })
        // In a patch, a name that begins with $ is that of an operator.
        const member = key.startsWith('$') ? {} : { [key]: null }
        const value = key.startsWith('$') ? { [key]: key, other: 1 } : { other: 1 }
        expect((await cairn.state.merge({ key, patch: { ...member, other: 1 } })).value, key).toEqual(value)
      }
      const { state } = await cairn.state.all({})
      expect(Object.keys(state).sort()).toEqual([...names].sort())
      for (const name of names) await newChild(cairn, session, name)
      for (const name of names)
        expect(await cairn.session.show({ session: name }), name).toMatchObject({ session_name: name })
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(Object.getOwnPropertyNames(Object.prototype)).toContain('toString')
    })

    it('keeps what was handed over at the call, whatever becomes of it later', async () => {
      const { cairn } = await newRoot(store())
      const value: { [key: string]: Json } = { n: 1 }
      const items: Json[] = [{ at: 0 }]
      const operations = [{ op: 'set' as const, key: 'b', value: 1 }]
      const sent = [
        cairn.state.set({ key: 'k', value }),
        cairn.state.append({ key: 'l', items }),
        cairn.state.batch({ operations }),
      ]
      value.n = Number.NaN
      Object.setPrototypeOf(value, Date.prototype)
      items.push(undefined as never)
      items[0] = 'changed'
      operations[0] = { op: 'set', key: '_reserved', value: 2 }
      await Promise.all(sent)
      expect((await cairn.state.all({})).state).toEqual({ k: { n: 1 }, l: [{ at: 0 }], b: 1 })
    })
  })
}
