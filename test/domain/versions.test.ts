import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presentValue } from '../../src/domain/state/key.ts'
import { deltasMax, spanRadix, spanWidth, textOf } from '../../src/domain/state/past/versions.ts'
import { type KeyRow, stateKeys, stateVersions, type VersionRow } from '../../src/domain/state/tables.ts'
import type { Json } from '../../src/json/value.ts'
import { type Decided, deciding } from '../setup/memory-rows.ts'

const stream = 'state'
const key = 'k'

/** The rows that have to be read for a version, newest first. */
function chainOf({ rows }: Decided, seq: number): VersionRow[] {
  const chain: VersionRow[] = []
  for (let at = seq; at > 0; ) {
    const row = rows.get(stateVersions, at, key)
    if (row === undefined) throw new Error(`no version at ${at}`)
    chain.push(row)
    at = row.prior
  }
  return chain
}

/** How many levels a skip list of so many appends has. */
function levels(appends: number): number {
  let count = 1
  for (let width = spanRadix; width <= appends; width *= spanRadix) count++
  return count
}

function rowOf(on: Decided): KeyRow {
  return on.rows.get(stateKeys, key) as KeyRow
}

describe('the past of an array', () => {
  it.each([
    [1, 1],
    [15, 1],
    [16, 16],
    [17, 1],
    [32, 16],
    [255, 1],
    [256, 256],
    [272, 16],
    [512, 256],
    [4096, 4096],
    [4112, 16],
  ])('the append number %i covers %i versions', (nth, width) => {
    expect(spanWidth(nth)).toBe(width)
  })

  it('S0-109 any version of any sequence of appends is read right, through few rows', () => {
    const item = fc.oneof(fc.integer(), fc.string({ maxLength: 8 }), fc.constant(null), fc.constant([{ a: 1 }]))
    const step = fc.oneof(
      { weight: 40, arbitrary: fc.record({ append: fc.array(item as fc.Arbitrary<Json>, { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ set: fc.array(item as fc.Arbitrary<Json>, { maxLength: 3 }) }) },
    )
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 700, size: 'max' }), (steps) => {
      const on = deciding([])
      const seen: { seq: number; value: Json[]; appends: number }[] = []
      let value: Json[] = []
      let appends = -1
      for (const step of steps) {
        const items = ('append' in step ? step.append : step.set) as Json[]
        if ('append' in step && appends >= 0) {
          value = [...value, ...items]
          appends++
        } else {
          value = items
          appends = 0
        }
        const { seq } =
          'append' in step
            ? on.record({ type: 'append', stream, key, data: { items } })
            : on.record({ type: 'set', stream, key, data: { value: items } })
        seen.push({ seq, value, appends })
        expect(rowOf(on)).toMatchObject({ items: value.length, bytes: Buffer.byteLength(JSON.stringify(value)) })
      }
      expect(presentValue(on.rows, rowOf(on))).toEqual(value)
      for (const { seq, value, appends } of seen) {
        const chain = chainOf(on, seq)
        expect(textOf(chain)).toBe(JSON.stringify(value))
        expect(chain.length).toBeLessThanOrEqual((spanRadix - 1) * levels(appends) + 1)
      }
    })
    fc.assert(property, { numRuns: 25, seed: 1 })
  })

  it('S0-109 reads any of five thousand appends through at most 61 rows, and writes few items for each', () => {
    const on = deciding([{ type: 'set', stream, key, data: { value: [] } }])
    const appends = 5000
    let longest = 0
    let written = 0
    for (let at = 1; at <= appends; at++) {
      const { seq } = on.record({ type: 'append', stream, key, data: { items: [at] } })
      const chain = chainOf(on, seq)
      longest = Math.max(longest, chain.length)
      written += JSON.parse(chain[0]?.body ?? '').length
      if (at % 97 === 0) expect(JSON.parse(textOf(chain))).toEqual(Array.from({ length: at }, (_, no) => no + 1))
    }
    expect(longest).toBeLessThanOrEqual((spanRadix - 1) * levels(appends) + 1)
    expect(written / appends).toBeLessThanOrEqual(levels(appends))
  })

  it('stands whole in its row while it is small, and beside it when it is long', () => {
    const on = deciding([{ type: 'set', stream, key, data: { value: ['x'.repeat(4000)] } }])
    on.record({ type: 'append', stream, key, data: { items: ['y'] } })
    expect(rowOf(on)).toMatchObject({ partial: 0, value: JSON.stringify(['x'.repeat(4000), 'y']) })
    on.record({ type: 'append', stream, key, data: { items: ['z'.repeat(100)] } })
    expect(rowOf(on)).toMatchObject({ partial: 1, value: '[]', items: 3 })
    expect(presentValue(on.rows, rowOf(on))).toEqual(['x'.repeat(4000), 'y', 'z'.repeat(100)])
  })
})

describe('the past of an object', () => {
  it('S0-109 any version of any sequence of merges is read right, through few rows', () => {
    const name = fc.constantFrom(...Array.from({ length: 40 }, (_, at) => `member ${at}`), 'a.b')
    const value = fc.oneof(fc.string({ minLength: 30, maxLength: 60 }), fc.constant(null), fc.constant({ b: [1] }))
    const patch = fc.dictionary(name, value, { maxKeys: 3 }) as fc.Arbitrary<{ [key: string]: Json }>
    const property = fc.property(fc.array(patch, { minLength: 1, maxLength: 200, size: 'max' }), (patches) => {
      const whole = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member ${at}`, '-'.repeat(40)]))
      const on = deciding([{ type: 'set', stream, key, data: { value: { ...whole, a: {} } } }])
      const seen: { seq: number; text: string }[] = []
      for (const patch of patches) {
        const { seq } = on.record({ type: 'patch', stream, key, data: { patch } })
        seen.push({ seq, text: rowOf(on).value as string })
      }
      for (const { seq, text } of seen) {
        const chain = chainOf(on, seq)
        expect(JSON.parse(textOf(chain))).toEqual(JSON.parse(text))
        expect(chain.length).toBeLessThanOrEqual(deltasMax(0))
      }
    })
    fc.assert(property, { numRuns: 25, seed: 1 })
  })
})
