import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/domain/log/event.ts'
import type { Limits } from '../../src/domain/log/limits.ts'
import { Refusal, type RefusalCode } from '../../src/domain/log/refusal.ts'
import { streams } from '../../src/domain/log/tables.ts'
import { presentValue } from '../../src/domain/state/key.ts'
import type { Mutation as Way } from '../../src/domain/state/mutation.ts'
import { append } from '../../src/domain/state/mutations/append.ts'
import { min as lower, max as raise } from '../../src/domain/state/mutations/bound.ts'
import { increment } from '../../src/domain/state/mutations/increment.ts'
import { jsonPatch } from '../../src/domain/state/mutations/json-patch.ts'
import { merge } from '../../src/domain/state/mutations/merge.ts'
import { remove } from '../../src/domain/state/mutations/remove.ts'
import { set } from '../../src/domain/state/mutations/set.ts'
import { setIfAbsent } from '../../src/domain/state/mutations/set-if-absent.ts'
import { type KeyRow, stateKeys } from '../../src/domain/state/tables.ts'
import type { Json } from '../../src/json/value.ts'
import { deciding } from '../setup/memory-rows.ts'

const ways = {
  set,
  delete: remove,
  merge,
  increment,
  append,
  min: lower,
  max: raise,
  json_patch: jsonPatch,
  set_if_absent: setIfAbsent,
}
type Mutation = { [Op in keyof typeof ways]: { op: Op } & Asked<(typeof ways)[Op]> }[keyof typeof ways]
type Asked<W> = W extends Way<infer A, infer _Out> ? A : never

const stream = 'state'
const was = (key: string, value: Json): Draft => ({ type: 'set', stream, key, data: { value } })
const deleted = (key: string): Draft => ({ type: 'delete', stream, key, data: {} })
const appended = (key: string, ...items: Json[]): Draft => ({ type: 'append', stream, key, data: { items } })
const incremented = (key: string, delta: number): Draft => ({ type: 'increment', stream, key, data: { delta } })
const merged = (key: string, patch: { [key: string]: Json }): Draft => ({ type: 'patch', stream, key, data: { patch } })

type Then = { events: Draft[]; answer: object } | { refused: RefusalCode; details?: object }

const done = (event: Draft, answer: object): Then => ({ events: [event], answer })
const refused = (code: RefusalCode, details: object = {}): Then => ({ refused: code, details })

type Case = [title: string, given: Draft[], when: Mutation, then: Then, limits?: Partial<Limits>]

const gone = [was('k', 1), deleted('k')]
const max = Number.MAX_SAFE_INTEGER

const SET: Case[] = [
  [
    'what is not there',
    [],
    { op: 'set', key: 'k', value: 1 },
    done(was('k', 1), { key: 'k', value: 1, version: 1, seq: 2 }),
  ],
  [
    'what is there',
    [was('k', 1)],
    { op: 'set', key: 'k', value: null },
    done(was('k', null), { value: null, version: 2 }),
  ],
  ['what was deleted', gone, { op: 'set', key: 'k', value: 2 }, done(was('k', 2), { version: 3 })],
  [
    'at the version seen',
    [was('k', 1)],
    { op: 'set', key: 'k', value: 2, version: 1 },
    done(was('k', 2), { version: 2 }),
  ],
  ['at 0, not there', [], { op: 'set', key: 'k', value: 2, version: 0 }, done(was('k', 2), { version: 1 })],
  ['at 0, deleted', gone, { op: 'set', key: 'k', value: 2, version: 0 }, done(was('k', 2), { version: 3 })],
  [
    'at the version of a tombstone',
    gone,
    { op: 'set', key: 'k', value: 2, version: 2 },
    done(was('k', 2), { version: 3 }),
  ],
  [
    'at 0, there',
    [was('k', 1)],
    { op: 'set', key: 'k', value: 2, version: 0 },
    refused('version_conflict', { key: 'k', current_version: 1, your_version: 0, current_value: 1 }),
  ],
  [
    'at an old version',
    [was('k', 1), was('k', 5)],
    { op: 'set', key: 'k', value: 2, version: 1 },
    refused('version_conflict', { current_version: 2, current_value: 5 }),
  ],
  [
    'at a version to come',
    [was('k', 1)],
    { op: 'set', key: 'k', value: 2, version: 2 },
    refused('version_conflict', { current_version: 1 }),
  ],
  [
    'at a version, not there',
    [],
    { op: 'set', key: 'k', value: 2, version: 1 },
    refused('version_conflict', { current_version: 0, current_value: null }),
  ],
  [
    'at the version before deletion',
    gone,
    { op: 'set', key: 'k', value: 2, version: 1 },
    refused('version_conflict', { current_version: 2, current_value: null }),
  ],
  [
    'create only, not there',
    [],
    { op: 'set', key: 'k', value: 2, create_only: true },
    done(was('k', 2), { version: 1 }),
  ],
  [
    'create only, deleted',
    gone,
    { op: 'set', key: 'k', value: 2, create_only: true },
    done(was('k', 2), { version: 3 }),
  ],
  [
    'create only, there',
    [was('k', null)],
    { op: 'set', key: 'k', value: 2, create_only: true },
    refused('already_exists', { key: 'k', current_version: 1, current_value: null }),
  ],
  [
    'a value as large as allowed',
    [],
    { op: 'set', key: 'k', value: 'xx' },
    done(was('k', 'xx'), {}),
    { valueBytes: 4 },
  ],
  [
    'a value too large',
    [],
    { op: 'set', key: 'k', value: 'xxx' },
    refused('value_too_large', { limit: 'valueBytes', limit_value: 4 }),
    { valueBytes: 4 },
  ],
  [
    'one key too many',
    [was('a', 1)],
    { op: 'set', key: 'k', value: 1 },
    refused('too_many_keys', { limit: 'keys', limit_value: 1 }),
    { keys: 1 },
  ],
  ['a key that counts already', [was('k', 1)], { op: 'set', key: 'k', value: 2 }, done(was('k', 2), {}), { keys: 1 }],
  [
    'after another was deleted',
    [was('a', 1), deleted('a')],
    { op: 'set', key: 'k', value: 1 },
    done(was('k', 1), {}),
    { keys: 1 },
  ],
  [
    'one byte too many in all',
    [was('a', 12)],
    { op: 'set', key: 'k', value: 12 },
    refused('value_too_large', { limit: 'stateBytes', limit_value: 3 }),
    { stateBytes: 3 },
  ],
  [
    'in place of as many bytes',
    [was('a', 12), was('k', 5)],
    { op: 'set', key: 'k', value: 6 },
    done(was('k', 6), {}),
    { stateBytes: 3 },
  ],
]

const DELETE: Case[] = [
  [
    'what is there',
    [was('k', 1)],
    { op: 'delete', key: 'k' },
    done(deleted('k'), { key: 'k', version: 2, deleted: true, seq: 3 }),
  ],
  ['what holds null', [was('k', null)], { op: 'delete', key: 'k', version: 1 }, done(deleted('k'), { version: 2 })],
  ['what is not there', [], { op: 'delete', key: 'k' }, refused('key_not_found', { key: 'k' })],
  ['what is not there, at 0', [], { op: 'delete', key: 'k', version: 0 }, refused('key_not_found')],
  ['what was deleted', gone, { op: 'delete', key: 'k' }, refused('key_not_found')],
  [
    'at an old version',
    [was('k', 1), was('k', 2)],
    { op: 'delete', key: 'k', version: 1 },
    refused('version_conflict', { current_version: 2, current_value: 2 }),
  ],
]

const INCREMENT: Case[] = [
  [
    'what is not there',
    [],
    { op: 'increment', key: 'k', delta: 3 },
    done(incremented('k', 3), { key: 'k', value: 3, version: 1 }),
  ],
  [
    'what was deleted',
    [was('k', 9), deleted('k')],
    { op: 'increment', key: 'k', delta: 3 },
    done(incremented('k', 3), { value: 3, version: 3 }),
  ],
  [
    'a number',
    [was('k', 1.5)],
    { op: 'increment', key: 'k', delta: -2 },
    done(incremented('k', -2), { value: -0.5, version: 2 }),
  ],
  [
    'to the last exact number',
    [was('k', 1)],
    { op: 'increment', key: 'k', delta: max - 1 },
    done(incremented('k', max - 1), { value: max }),
  ],
  [
    'beyond the last exact number',
    [was('k', 1)],
    { op: 'increment', key: 'k', delta: max },
    refused('number_out_of_range', { key: 'k', current_value: 1, delta: max }),
  ],
  [
    'below the first exact number',
    [was('k', -max)],
    { op: 'increment', key: 'k', delta: -1 },
    refused('number_out_of_range'),
  ],
  ...(['1', true, null, [1], {}] as Json[]).map(
    (value): Case => [
      `${JSON.stringify(value)}`,
      [was('k', value)],
      { op: 'increment', key: 'k', delta: 1 },
      refused('wrong_type', { key: 'k', current_version: 1 }),
    ],
  ),
  ['with no room', [was('a', 1)], { op: 'increment', key: 'k', delta: 1 }, refused('too_many_keys'), { keys: 1 }],
  [
    'to more digits than there is room for',
    [was('k', 9)],
    { op: 'increment', key: 'k', delta: 1 },
    refused('value_too_large', { limit: 'stateBytes' }),
    { stateBytes: 1 },
  ],
]

const APPEND: Case[] = [
  [
    'to what is not there',
    [],
    { op: 'append', key: 'k', items: ['a'] },
    done(appended('k', 'a'), { key: 'k', length: 1, version: 1 }),
  ],
  [
    'nothing to what is not there',
    [],
    { op: 'append', key: 'k', items: [] },
    done(appended('k'), { length: 0, version: 1 }),
  ],
  [
    'to what was deleted',
    [was('k', ['x']), deleted('k')],
    { op: 'append', key: 'k', items: [1] },
    done(appended('k', 1), { length: 1, version: 3 }),
  ],
  [
    'to an array',
    [was('k', ['x'])],
    { op: 'append', key: 'k', items: [[1], null] },
    done(appended('k', [1], null), { length: 3, version: 2 }),
  ],
  [
    'after other appends',
    [appended('k', 1), appended('k', 2, 3)],
    { op: 'append', key: 'k', items: [4] },
    done(appended('k', 4), { length: 4, version: 3 }),
  ],
  ...([1, 'x', false, null, { 0: 'a', length: 1 }] as Json[]).map(
    (value): Case => [
      `to ${JSON.stringify(value)}`,
      [was('k', value)],
      { op: 'append', key: 'k', items: [1] },
      refused('wrong_type', { key: 'k' }),
    ],
  ),
  [
    'to the last byte',
    [was('k', [1])],
    { op: 'append', key: 'k', items: [2, 3] },
    done(appended('k', 2, 3), { length: 3 }),
    { valueBytes: 7 },
  ],
  [
    'to the last byte of an empty array',
    [was('k', [])],
    { op: 'append', key: 'k', items: [2] },
    done(appended('k', 2), {}),
    { valueBytes: 3 },
  ],
  [
    'one byte too many',
    [was('k', [1])],
    { op: 'append', key: 'k', items: [2, 3] },
    refused('value_too_large', { limit: 'valueBytes' }),
    { valueBytes: 6 },
  ],
]

const MERGE: Case[] = [
  [
    'into what is not there',
    [],
    { op: 'merge', key: 'k', patch: { a: 1, b: null } },
    done(merged('k', { a: 1, b: null }), { value: { a: 1 }, version: 1 }),
  ],
  [
    'into an object',
    [was('k', { a: 1, b: { c: 2 } })],
    { op: 'merge', key: 'k', patch: { 'b.d': 3, a: null } },
    done(merged('k', { a: null, b: { d: 3 } }), { value: { b: { c: 2, d: 3 } }, version: 2 }),
  ],
  [
    'into what was deleted',
    [was('k', { a: 1 }), deleted('k')],
    { op: 'merge', key: 'k', patch: { b: 1 } },
    done(merged('k', { b: 1 }), { value: { b: 1 }, version: 3 }),
  ],
  [
    'at the version seen',
    [was('k', {})],
    { op: 'merge', key: 'k', patch: { b: 1 }, version: 1 },
    done(merged('k', { b: 1 }), { version: 2 }),
  ],
  [
    'at an old version',
    [was('k', {}), was('k', { x: 1 })],
    { op: 'merge', key: 'k', patch: { b: 1 }, version: 1 },
    refused('version_conflict', { current_value: { x: 1 } }),
  ],
  ...([1, 'x', false, null, []] as Json[]).map(
    (value): Case => [
      `into ${JSON.stringify(value)}`,
      [was('k', value)],
      { op: 'merge', key: 'k', patch: {} },
      refused('wrong_type', { key: 'k' }),
    ],
  ),
  [
    'through what is no object',
    [was('k', { a: 1 })],
    { op: 'merge', key: 'k', patch: { 'a.b': 1 } },
    refused('wrong_type'),
  ],
  [
    'to the last byte',
    [was('k', {})],
    { op: 'merge', key: 'k', patch: { a: 1 } },
    done(merged('k', { a: 1 }), {}),
    { valueBytes: 7 },
  ],
  [
    'one byte too many',
    [was('k', {})],
    { op: 'merge', key: 'k', patch: { a: 12 } },
    refused('value_too_large', { limit: 'valueBytes' }),
    { valueBytes: 7 },
  ],
]

const lowered = (key: string, value: number): Draft => ({ type: 'min', stream, key, data: { value } })
const raised = (key: string, value: number): Draft => ({ type: 'max', stream, key, data: { value } })
const stays = (answer: object): Then => ({ events: [], answer })

const BOUND: Case[] = [
  [
    'what is not there',
    [],
    { op: 'min', key: 'k', value: 3 },
    done(lowered('k', 3), { key: 'k', value: 3, version: 1, changed: true }),
  ],
  ['what was deleted', gone, { op: 'max', key: 'k', value: 3 }, done(raised('k', 3), { value: 3, version: 3 })],
  [
    'a greater number',
    [was('k', 4)],
    { op: 'min', key: 'k', value: -0.5 },
    done(lowered('k', -0.5), { value: -0.5, version: 2 }),
  ],
  [
    'a smaller number',
    [was('k', 4)],
    { op: 'min', key: 'k', value: 5 },
    stays({ key: 'k', value: 4, version: 1, changed: false }),
  ],
  [
    'the same number',
    [was('k', 4)],
    { op: 'max', key: 'k', value: 4 },
    stays({ value: 4, version: 1, changed: false }),
  ],
  [
    'a number that is lower',
    [was('k', 4)],
    { op: 'max', key: 'k', value: 5 },
    done(raised('k', 5), { value: 5, changed: true }),
  ],
  ...(['1', true, null, [1], {}] as Json[]).map(
    (value): Case => [
      `${JSON.stringify(value)}`,
      [was('k', value)],
      { op: 'max', key: 'k', value: 1 },
      refused('wrong_type', { key: 'k' }),
    ],
  ),
  ['with no room', [was('a', 1)], { op: 'max', key: 'k', value: 1 }, refused('too_many_keys'), { keys: 1 }],
]

const SET_IF_ABSENT: Case[] = [
  [
    'what is not there',
    [],
    { op: 'set_if_absent', key: 'k', value: 1 },
    done(was('k', 1), { value: 1, version: 1, created: true }),
  ],
  [
    'what was deleted',
    gone,
    { op: 'set_if_absent', key: 'k', value: 2 },
    done(was('k', 2), { version: 3, created: true }),
  ],
  [
    'what is there',
    [was('k', null)],
    { op: 'set_if_absent', key: 'k', value: 2 },
    stays({ value: null, version: 1, created: false }),
  ],
  ['with no room', [was('a', 1)], { op: 'set_if_absent', key: 'k', value: 1 }, refused('too_many_keys'), { keys: 1 }],
]

const adding: Json[] = [{ op: 'add', path: '/a', value: 12 }]
const jsonPatched = (key: string, operations: Json[]): Draft =>
  ({ type: 'json_patch', stream, key, data: { operations } }) as unknown as Draft

const JSON_PATCH: Case[] = [
  [
    'what is there',
    [was('k', {})],
    { op: 'json_patch', key: 'k', operations: adding },
    done(jsonPatched('k', adding), { value: { a: 12 }, version: 2 }),
  ],
  ['what is not there', [], { op: 'json_patch', key: 'k', operations: adding }, refused('key_not_found', { key: 'k' })],
  ['what was deleted', gone, { op: 'json_patch', key: 'k', operations: adding }, refused('key_not_found')],
  [
    'at an old version',
    [was('k', {}), was('k', [])],
    { op: 'json_patch', key: 'k', operations: adding, version: 1 },
    refused('version_conflict', { current_value: [] }),
  ],
  [
    'into a text',
    [was('k', 'x')],
    { op: 'json_patch', key: 'k', operations: adding },
    refused('invalid_input', { key: 'k', index: 0, path: '/a' }),
  ],
  [
    'to the last byte',
    [was('k', {})],
    { op: 'json_patch', key: 'k', operations: adding },
    done(jsonPatched('k', adding), {}),
    { valueBytes: 8 },
  ],
  [
    'one byte too many',
    [was('k', {})],
    { op: 'json_patch', key: 'k', operations: adding },
    refused('value_too_large'),
    { valueBytes: 7 },
  ],
  [
    'too much at once',
    [was('k', {})],
    { op: 'json_patch', key: 'k', operations: [...adding, ...adding] },
    refused('invalid_input', { limit: 'batch' }),
    { batch: 1 },
  ],
]

describe.each([
  ['lower or raise', BOUND],
  ['set if absent', SET_IF_ABSENT],
  ['patch by JSON Patch', JSON_PATCH],
  ['set', SET],
  ['delete', DELETE],
  ['increment', INCREMENT],
  ['append', APPEND],
  ['merge', MERGE],
])('a decision to %s', (_, cases) => {
  it.each(cases)('%s', (_title, given, when, then, limits) => {
    const on = deciding(given, limits)
    const { op, ...asked } = when
    const answer = (ways[op] as Way<object, object>).decide(asked, on)
    if ('refused' in then) {
      expect(answer).toBeInstanceOf(Refusal)
      expect(answer).toMatchObject({ code: then.refused, details: then.details })
      expect(on.recorded).toEqual([])
      return
    }
    expect(answer).toMatchObject(then.answer)
    expect(on.recorded).toEqual(then.events)
  })
})

describe('a patch that is asked for again', () => {
  it('S0-42 is applied to what is there by then', () => {
    const on = deciding([was('k', { n: 1, l: [] })])
    const merging = { key: 'k', patch: { n: { $increment: 1 } } }
    const patching = { key: 'k', operations: [{ op: 'add', path: '/l/-', value: 0 }] as Json[] }
    for (const times of [1, 2, 3]) {
      expect(merge.decide(merging, on)).toMatchObject({ value: { n: 1 + times } })
      expect(jsonPatch.decide(patching, on)).toMatchObject({ value: { l: Array(times).fill(0) } })
    }
    expect(presentValue(on.rows, on.rows.get(stateKeys, 'k') as KeyRow)).toEqual({ n: 4, l: [0, 0, 0] })
  })
})

describe('the stream of the state', () => {
  it('counts live keys and their bytes, whatever happened to them', () => {
    const facts = [
      was('text', 'é'),
      was('list', [1]),
      appended('list', 'a', {}),
      appended('list'),
      appended('new', 1),
      incremented('n', 10),
      incremented('n', -9),
      merged('o', { a: { b: 1 } }),
      merged('o', { a: null }),
      was('gone', 'a long text'),
      deleted('gone'),
      was('back', 1),
      deleted('back'),
      was('back', [true]),
    ]
    const { rows } = deciding(facts)
    const live = rows.all(stateKeys).filter(({ type }) => type !== 'gone')
    const values: Record<string, Json> = { text: 'é', list: [1, 'a', {}], new: [1], n: 1, o: {}, back: [true] }
    expect(Object.fromEntries(live.map(({ key, value }) => [key, JSON.parse(value ?? '')]))).toEqual(values)
    const bytes = Object.values(values).map((value) => Buffer.byteLength(JSON.stringify(value)))
    expect(rows.get(streams, 'state')).toMatchObject({ items: 6, bytes: bytes.reduce((sum, each) => sum + each, 0) })
    for (const row of live) expect(row.bytes, row.key).toBe(Buffer.byteLength(JSON.stringify(values[row.key])))
  })
})
