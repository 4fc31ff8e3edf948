import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { putBack, takeLarge } from '../../src/domain/conversations/forms/large-content.ts'
import type { BlobPlace } from '../../src/domain/conversations/stored.ts'
import type { JsonObject } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

const runs = { numRuns: 500, seed: seedOf(14) }

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Taken out and kept by hash, as a store does it. */
function kept(given: JsonObject, overBytes: number) {
  const { message, taken } = takeLarge(given, overBytes)
  const contents = new Map(taken.map(({ content }) => [hashOf(content), content]))
  const places: BlobPlace[] = taken.map(({ content, ...place }) => ({
    ...place,
    hash: hashOf(content),
    bytes: content.length,
  }))
  return { message, taken, places, contents }
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const base64 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const data = fc.oneof(
  base64,
  text,
  base64.map((each) => `${each}\n`),
  base64.map((each) => each.replace(/=+$/, '')),
)
const block = fc.oneof(
  text.map((each) => ({ type: 'text', text: each })),
  data.map((each) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: each } })),
  data.map((each) => ({ type: 'input_audio', input_audio: { data: each, format: 'wav' } })),
  base64.map((each) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${each}` } })),
  fc.jsonValue({ stringUnit: 'grapheme' }).map((each) => ({ type: 'tool_use', input: each })),
)
const message = fc.record({ role: fc.constant('user'), content: fc.oneof(text, fc.array(block, { maxLength: 5 })) })

describe('large content', () => {
  it('comes back as it was, and nothing large is left without it', () => {
    fc.assert(
      fc.property(message, fc.integer({ min: 0, max: 40 }), (given, overBytes) => {
        const before = JSON.stringify(given)
        const { message: rest, places, contents } = kept(given as JsonObject, overBytes)
        JSON.stringify(rest, (_, value) => {
          if (typeof value === 'string') expect(Buffer.byteLength(value)).toBeLessThanOrEqual(overBytes)
          return value
        })
        const left = JSON.stringify(rest)
        const whole = putBack(rest, places, (hash) => contents.get(hash))
        expect(JSON.stringify(whole)).toBe(`{"message":${before},"missing":[]}`)
        expect([JSON.stringify(given), JSON.stringify(rest)]).toEqual([before, left])
      }),
      runs,
    )
  })

  it('that is binary is taken as bytes whatever its size, if it is base64 of them alone', () => {
    const image = (each: string) => ({ content: [{ type: 'image', source: { type: 'base64', data: each } }] })
    expect(kept(image('AAEC'), 1000).taken).toEqual([
      { path: ['content', 0, 'source', 'data'], content: new Uint8Array([0, 1, 2]), encoding: 'base64' },
    ])
    for (const odd of ['AAEC\n', 'AAE', 'AB==', 'AA-_', 'not base64', ''])
      expect(kept(image(odd), 1000).taken).toEqual([])
    const large = 'AAEC'.repeat(50_000)
    const { message: rest, places, contents } = kept(image(large), 1000)
    expect(places).toMatchObject([{ encoding: 'base64', bytes: 150_000 }])
    expect(putBack(rest, places, (hash) => contents.get(hash)).message).toEqual(image(large))
  })

  it('that begins with a byte order mark keeps it', () => {
    const given = { content: '\ufeffabc' }
    const { message: rest, places, contents } = kept(given, 2)
    expect(putBack(rest, places, (hash) => contents.get(hash)).message).toEqual(given)
  })

  it('that is not there is named, as is a place that is none', () => {
    const { message: rest, places } = kept({ content: 'long enough' }, 5)
    expect(putBack(rest, places, () => undefined)).toEqual({ message: rest, missing: places })
    const odd: BlobPlace[] = [['role'], ['none'], [], ['__proto__', 'x'], ['content', 'length'], ['a', 'b']].map(
      (path) => ({
        path,
        hash: 'h',
        bytes: 1,
        encoding: 'utf8',
      }),
    )
    const given = { role: 'user', content: '' }
    expect(putBack(given, odd, () => new Uint8Array([65]))).toEqual({ message: given, missing: odd })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})
