import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import { type Asked, brokenKeys, isLinearizable, never, type Recorded, type Seen } from './checker.ts'

type Deed = Asked extends infer A ? (A extends Asked ? Omit<A, 'key'> : never) : never

function op(call: number, ret: number, deed: Deed, seen?: Seen, key = 'k'): Recorded {
  return { asked: { key, ...deed } as Asked, call, ret, seen }
}

const get = { do: 'get' } as const
const gone = { do: 'delete' } as const
const set = (value: Json, version?: number): Deed => ({
  do: 'set',
  value,
  ...(version === undefined ? {} : { version }),
})
const add = (delta: number): Deed => ({ do: 'increment', delta })
const append = (...items: Json[]): Deed => ({ do: 'append', items })
const at = (value: Json, version: number): Seen => ({ value, version })

/** What happened, and whether one register could have done it. */
const CASES: [string, boolean, Recorded[]][] = [
  ['an unknown write that never happened', true, [op(0, never, set(1)), op(5, 6, get, 'absent')]],
  [
    'an unknown write that happened late',
    true,
    [op(0, never, set(1)), op(5, 6, get, 'absent'), op(7, 8, get, at(1, 1))],
  ],
  [
    'an unknown write that was seen and then was not',
    false,
    [op(0, never, set(1)), op(5, 6, get, at(1, 1)), op(7, 8, get, 'absent')],
  ],
  ['an answered write that is lost', false, [op(0, 1, set(1), at(1, 1)), op(5, 6, get, 'absent')]],
  ['two who both won', false, [op(0, 3, set(1, 0), at(1, 1)), op(0, 3, set(2, 0), at(2, 1))]],
  ['one who won and one who lost', true, [op(0, 3, set(1, 0), at(1, 1)), op(0, 3, set(2, 0), { conflict: 1 })]],
  ['an increment that counted twice', false, [op(0, 1, add(1), at(1, 1)), op(2, 3, get, at(2, 2))]],

  ['a stale read', false, [op(0, 1, set(1), at(1, 1)), op(2, 3, set(2), at(2, 2)), op(4, 5, get, at(1, 1))]],
  [
    'an old value read while it is replaced',
    true,
    [op(0, 1, set(1), at(1, 1)), op(2, 6, set(2), at(2, 2)), op(3, 4, get, at(1, 1))],
  ],
  [
    'two reads that see two writes in different orders',
    false,
    [op(0, 9, set(1), at(1, 1)), op(0, 9, set(2), at(2, 2)), op(1, 2, get, at(2, 2)), op(3, 4, get, at(1, 1))],
  ],
  [
    'a conflict with a version that was not there',
    false,
    [op(0, 1, set(1), at(1, 1)), op(2, 3, set(2, 5), { conflict: 4 })],
  ],
  [
    'an unknown compare-and-swap that lost',
    true,
    [op(0, 1, set(1), at(1, 1)), op(2, never, set(2, 7)), op(3, 4, get, at(1, 1))],
  ],

  [
    'a deleted key whose version goes on',
    true,
    [
      op(0, 1, set(1), at(1, 1)),
      op(2, 3, gone, { version: 2 }),
      op(4, 5, get, 'absent'),
      op(6, 7, set(2, 0), at(2, 3)),
    ],
  ],
  [
    'a deleted key whose version starts again',
    false,
    [op(0, 1, set(1), at(1, 1)), op(2, 3, gone, { version: 2 }), op(4, 5, set(2), at(2, 1))],
  ],
  [
    'a deleted key that is still read',
    false,
    [op(0, 1, set(1), at(1, 1)), op(2, 3, gone, { version: 2 }), op(4, 5, get, at(1, 1))],
  ],
  [
    'a key that is deleted twice',
    false,
    [op(0, 1, set(1), at(1, 1)), op(2, 5, gone, { version: 2 }), op(2, 5, gone, { version: 3 })],
  ],
  [
    'a key that one deletes and another finds absent',
    true,
    [op(0, 1, set(1), at(1, 1)), op(2, 5, gone, { version: 2 }), op(2, 5, gone, 'absent')],
  ],

  [
    'appends whose lengths follow each other',
    true,
    [
      op(0, 5, append('a'), { length: 1, version: 1 }),
      op(0, 5, append('b', 'c'), { length: 3, version: 2 }),
      op(6, 7, get, at(['a', 'b', 'c'], 2)),
    ],
  ],
  [
    'two appends of the same length',
    false,
    [op(0, 5, append('a'), { length: 1, version: 1 }), op(0, 5, append('b'), { length: 1, version: 2 })],
  ],
  [
    'items in an order that the lengths rule out',
    false,
    [
      op(0, 5, append('a'), { length: 1, version: 1 }),
      op(0, 5, append('b'), { length: 2, version: 2 }),
      op(6, 7, get, at(['b', 'a'], 2)),
    ],
  ],

  [
    'increments by n that add up',
    true,
    [op(0, 5, add(3), at(8, 2)), op(0, 5, add(5), at(5, 1)), op(6, 7, add(-2), at(6, 3))],
  ],
  ['an increment by n that lost another one', false, [op(0, 5, add(3), at(3, 1)), op(0, 5, add(5), at(5, 2))]],
  [
    'an unknown increment by n without which nothing adds up',
    true,
    [op(0, never, add(7)), op(1, 2, add(1), at(1, 1)), op(3, 4, add(1), at(9, 3))],
  ],
]

describe('the checker of histories', () => {
  it.each(CASES)('knows %s: %s', (_, expected, history) => {
    expect(isLinearizable(history)).toBe(expected)
  })

  it('checks each key alone and names those that are broken', () => {
    const stale = [op(0, 1, set(1), at(1, 1), 'stale'), op(2, 3, get, 'absent', 'stale')]
    const fine = [op(0, 1, set(1), at(1, 1), 'fine'), op(2, 3, get, at(1, 1), 'fine')]
    expect(brokenKeys([...stale, ...fine])).toEqual(['stale'])
  })

  it('gets through a long history with many unknown outcomes', () => {
    const history: Recorded[] = []
    let version = 0
    for (let round = 0; round < 300; round++) {
      // Eight at once, of which one never hears of its own write.
      for (let of = 0; of < 8; of++) {
        version++
        const known = of !== round % 8
        const value = round * 8 + of
        const [call, ret] = [round * 10, known ? round * 10 + 9 : never]
        history.push(op(call, ret, set(value), known ? at(value, version) : undefined))
      }
    }
    expect(isLinearizable(history)).toBe(true)
    history.push(op(4000, 4001, get, at(0, 1)))
    expect(isLinearizable(history)).toBe(false)
  })
})
