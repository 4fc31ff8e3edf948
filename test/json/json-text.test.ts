// Large values of an answer, held as the text they are kept as: whoever writes or reads the answer sees no difference.
import { expect, it } from 'vitest'
import { held, inFull, writtenPieces } from '../../src/json/json-text.ts'
import type { Json } from '../../src/json/value.ts'

const large = [...Array.from({ length: 20_000 }, (_, at) => ({ at })), 'é€😀"\\\n', { ['__proto__']: 1 }]
const largeText = JSON.stringify(large)

/** The same answer as it would be without texts, and with them. */
function bothWays(): [Json, Json] {
  const of = (value: Json) => ({
    n: 1,
    none: null,
    left: undefined as unknown as Json,
    'a "name"': 'text',
    empty: {},
    state: { small: { a: [1] }, large: value, other: value },
    keys: { small: { value: { a: [1] }, version: 1 }, large: { value, version: 2 } },
    changes: [{ key: 'k', after: value }, { key: 'l', before: 1, after: 2 }, []],
  })
  return [of(large), of(held(largeText))]
}

it('is written in pieces that are the same text as the whole', () => {
  const [plain, texts] = bothWays()
  const pieces = writtenPieces(texts)
  expect(pieces.join('')).toBe(JSON.stringify(plain))
  // The text itself is handed on, and not copied into another.
  expect(pieces.filter((piece) => piece === largeText)).toHaveLength(4)
  expect(writtenPieces(plain).join('')).toBe(JSON.stringify(plain))
})

it('is the value itself for those who look at it, and for any who write it', () => {
  const [plain, texts] = bothWays()
  expect(inFull(texts)).toEqual(plain)
  expect(JSON.stringify(texts)).toBe(JSON.stringify(plain))
  expect(held('{"a":1}')).toEqual({ a: 1 })
})
