import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/domain/log/event.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import type { Ref, Rows } from '../../src/domain/log/rows.ts'
import { documentOf } from '../../src/domain/state/document/document.ts'
import {
  documentPatchRefs,
  keyChanges,
  makeChange,
  type Strategy,
} from '../../src/domain/state/document/document-patch.ts'
import type { Json } from '../../src/json/value.ts'
import { deciding, MemoryRows } from '../setup/memory-rows.ts'

type Obj = { [key: string]: Json }

const stream = 'state'
const was = ([key, value]: [string, Json]): Draft => ({ type: 'set', stream, key, data: { value } })

/** The document after a patch, the facts it recorded, or the refusal. */
function patched(document: Obj, patch: Obj, strategy: Strategy = 'deep') {
  const on = deciding(Object.entries(document).map(was))
  const changes = keyChanges(on.rows, patch, strategy, defaultLimits)
  if (changes instanceof Refusal) return changes
  for (const change of changes) {
    const done = makeChange(change, on)
    if (done instanceof Refusal) return done
  }
  return { document: documentOf(on.rows), facts: on.recorded.map(({ stream: _, ...fact }) => fact) }
}

type Case = [what: string, document: Obj, patch: Obj, result: Obj, facts: object[]]

const DEEP: Case[] = [
  [
    'a value',
    { a: 1 },
    { a: 2, b: [1] },
    { a: 2, b: [1] },
    [
      { type: 'set', key: 'a', data: { value: 2 } },
      { type: 'set', key: 'b', data: { value: [1] } },
    ],
  ],
  ['null for a key', { a: 1, b: 2 }, { a: null }, { b: 2 }, [{ type: 'delete', key: 'a', data: {} }]],
  ['null for a key that is not there', { b: 2 }, { a: null }, { b: 2 }, []],
  ['nothing', { b: 2 }, {}, { b: 2 }, []],
  [
    'an object into an object',
    { a: { b: 1, c: 2 } },
    { a: { b: null, d: 3 } },
    { a: { c: 2, d: 3 } },
    [{ type: 'patch', key: 'a', data: { patch: { b: null, d: 3 } } }],
  ],
  [
    'an object where nothing is',
    {},
    { a: { b: null, c: { d: null } } },
    { a: { c: {} } },
    [{ type: 'patch', key: 'a', data: { patch: { b: null, c: { d: null } } } }],
  ],
  [
    'an object over an array',
    { a: [1] },
    { a: { b: { $increment: 2 }, c: null } },
    { a: { b: 2 } },
    [{ type: 'set', key: 'a', data: { value: { b: 2 } } }],
  ],
  [
    'S0-41 $append',
    { a: [1] },
    { a: { $append: [2] }, b: { $append: [3] } },
    { a: [1, 2], b: [3] },
    [
      { type: 'append', key: 'a', data: { items: [2] } },
      { type: 'append', key: 'b', data: { items: [3] } },
    ],
  ],
  [
    'S0-42 $increment',
    { a: 1 },
    { a: { $increment: 2 } },
    { a: 3 },
    [{ type: 'increment', key: 'a', data: { delta: 2 } }],
  ],
  [
    'S0-43 $set',
    { a: { b: 1 } },
    { a: { $set: { $c: null } } },
    { a: { $c: null } },
    [{ type: 'set', key: 'a', data: { value: { $c: null } } }],
  ],
  [
    'S0-44 $delete',
    { a: 1 },
    { a: { $delete: true }, b: { $delete: true } },
    {},
    [{ type: 'delete', key: 'a', data: {} }],
  ],
  [
    'S0-45 S0-42 a path',
    { counters: { processed: 1 } },
    { 'counters.processed': { $increment: 1 } },
    { counters: { processed: 2 } },
    [{ type: 'patch', key: 'counters', data: { patch: { processed: 2 } } }],
  ],
  [
    'S0-45 a path where nothing is',
    {},
    { 'a.b.c': [1] },
    { a: { b: { c: [1] } } },
    [{ type: 'patch', key: 'a', data: { patch: { b: { c: [1] } } } }],
  ],
  [
    'S0-45 U10 a key with a dot in its name',
    { 'a.b': 1 },
    { 'a.b': { $increment: 1 } },
    { 'a.b': 2 },
    [{ type: 'increment', key: 'a.b', data: { delta: 1 } }],
  ],
  [
    'S0-45 several paths below one key',
    { a: { x: 1 } },
    { 'a.x': 2, b: 1, 'a.y.z': null, 'a.w': 3 },
    { a: { x: 2, w: 3 }, b: 1 },
    [
      { type: 'patch', key: 'a', data: { patch: { x: 2, w: 3 } } },
      { type: 'set', key: 'b', data: { value: 1 } },
    ],
  ],
  ['S0-45 null at a path below nothing', {}, { 'a.b': null, 'a.c': { $delete: true } }, {}, []],
]

const SHALLOW: Case[] = [
  [
    'an object over an object',
    { a: { b: 1, c: 2 } },
    { a: { b: null } },
    { a: { b: null } },
    [{ type: 'set', key: 'a', data: { value: { b: null } } }],
  ],
  ['null for a key', { a: 1, b: 2 }, { a: null }, { b: 2 }, [{ type: 'delete', key: 'a', data: {} }]],
  [
    'an operator at a key',
    { a: 1, l: [] },
    { a: { $increment: 1 }, l: { $append: [1] } },
    { a: 2, l: [1] },
    [
      { type: 'increment', key: 'a', data: { delta: 1 } },
      { type: 'append', key: 'l', data: { items: [1] } },
    ],
  ],
  [
    'an object at a path',
    { a: { b: { x: 1 }, c: 2 } },
    { 'a.b': { y: null }, 'a.c': null, 'a.n': { $increment: 1 } },
    { a: { b: { y: null }, n: 1 } },
    [
      {
        type: 'json_patch',
        key: 'a',
        data: {
          operations: [
            { op: 'remove', path: '/c' },
            { op: 'remove', path: '/b/x' },
            { op: 'add', path: '/b/y', value: null },
            { op: 'add', path: '/n', value: 1 },
          ],
        },
      },
    ],
  ],
]

const REFUSED: [what: string, document: Obj, patch: Obj, strategy: Strategy, code: string, path: string][] = [
  ['an operator for the document', {}, { $set: { a: 1 } }, 'deep', 'invalid_input', '$'],
  ['an operator that does not exist', {}, { a: 1, b: { $pop: 1 } }, 'deep', 'invalid_input', '$.b'],
  ['an operator that does not exist below', {}, { b: { c: { $pop: 1 } } }, 'deep', 'invalid_input', '$.b.c'],
  ['operators that are mixed', {}, { b: { $append: [], $increment: 1 } }, 'shallow', 'invalid_input', '$.b'],
  ['a wrong operand', {}, { b: { $append: 'x' } }, 'deep', 'invalid_input', '$.b'],
  ['an increment of a text', { b: 'x' }, { a: 1, b: { $increment: 1 } }, 'deep', 'wrong_type', '$.b'],
  ['an increment of a text below', { b: { c: 'x' } }, { b: { c: { $increment: 1 } } }, 'deep', 'wrong_type', '$.b.c'],
  ['an append to a number', { b: 1 }, { b: { $append: [1] } }, 'deep', 'wrong_type', '$.b'],
  [
    'an increment that is not exact',
    { b: 1 },
    { b: { $increment: Number.MAX_SAFE_INTEGER } },
    'deep',
    'number_out_of_range',
    '$.b',
  ],
  ['a path into a number', { b: 1 }, { 'b.c': 1 }, 'deep', 'wrong_type', '$.b'],
  ['a path into a number below', { b: { c: 1 } }, { 'b.c.d': 1 }, 'deep', 'wrong_type', '$.b.c'],
  ['a path with an empty part', { b: {} }, { 'b..c': 1 }, 'deep', 'invalid_input', '$.b'],
  ['a path with an empty first part', {}, { '.c': 1 }, 'deep', 'invalid_input', '$[""]'],
  ['a path through __proto__', {}, { 'b.__proto__.c': 1 }, 'deep', 'invalid_input', '$.b'],
  ['a path below __proto__', {}, { '__proto__.c': 1 }, 'deep', 'invalid_input', '$.__proto__'],
  ['a reserved key', {}, { _own: 1 }, 'deep', 'invalid_input', '$._own'],
  ['a key and a path below it', {}, { a: 1, 'a.b': 2 }, 'deep', 'invalid_input', '$.a'],
  ['a path and the key above it', {}, { 'a.b': 2, a: null }, 'deep', 'invalid_input', '$.a'],
  [
    'an operator inside of a value that replaces',
    {},
    { a: { b: { $increment: 1 } } },
    'shallow',
    'invalid_input',
    '$.a.b',
  ],
  [
    'an operator inside of one at a path',
    {},
    { 'a.b': { c: { $increment: 1 } } },
    'shallow',
    'invalid_input',
    '$.a.b.c',
  ],
]

/** Rows of which nothing is known yet. */
const noRows: Rows = Object.assign(new MemoryRows(), { missing: (refs: readonly Ref[]) => [...refs] })

describe('a patch of the document', () => {
  it.each(DEEP)('S0-36 S0-40 deep: %s', (_, document, patch, result, facts) => {
    expect(patched(document, patch)).toEqual({ document: result, facts })
  })

  it.each(SHALLOW)('S0-40 shallow: %s', (_, document, patch, result, facts) => {
    expect(patched(document, patch, 'shallow')).toEqual({ document: result, facts })
  })

  it.each(REFUSED)('U10 U11 refuses %s', (_, document, patch, strategy, code, path) => {
    const refusal = patched(document, patch, strategy)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code, details: { path } })
    expect(({} as Record<string, unknown>).c).toBeUndefined()
  })

  it('asks only for the keys that it names', () => {
    const refs = documentPatchRefs(noRows, { a: 1, 'b.c.d': 2, '.e': 3, _own: 4 }, 'deep')
    expect(refs.map((ref) => ('key' in ref ? ref.key : ref))).toEqual([['a'], ['a'], ['b.c.d'], ['b'], ['.e']])
  })

  it('gathers very many dotted names of one key', () => {
    const count = 20_000
    const patch = Object.fromEntries(Array.from({ length: count }, (_, at) => [`a.k${at}`, at]))
    const [change, ...others] = keyChanges(noRows, patch, 'deep', defaultLimits) as {
      asked: { key: string; patch?: Obj }
    }[]
    expect(others).toEqual([])
    expect(Object.keys(change?.asked.patch ?? {})).toHaveLength(count)
  })
})
