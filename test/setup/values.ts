// Values for a JSON Schema: mostly as it asks for them, sometimes bent. The same ones for the same seed, wherever it runs.
import type { Json } from '../../src/json/value.ts'
import type { Part } from '../http/documented.ts'

export const oddTexts = [
  '',
  ' ',
  '..',
  '%',
  '__proto__',
  'constructor',
  'a/b',
  'ü☃',
  '\u0000',
  '0',
  '-1',
  '1e9',
  'null',
  'x'.repeat(300),
  '$.a',
  '"5"',
  '*',
]
export const oddValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  9007199254740991,
  1e300,
  '',
  'x',
  [],
  {},
  [[]],
  { a: { b: [1] } },
]
export const keys = ['a', 'n', 'o']
/** No JSON, or none that is taken. */
export const broken = [
  '{',
  '[1,',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '"\\ud800"',
  '1e999',
  '9007199254740993',
  '\u0000',
  '{}x',
]

export class Values {
  /** The root that they are about. */
  session = ''
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  protected value(schema: Part, name: string, depth: number): Json {
    if (name !== 'timeout' && !this.often(true)) return this.one(oddValues)
    if (schema.const !== undefined) return schema.const as Json
    if (schema.enum !== undefined) return this.one(schema.enum as unknown as Json[])
    const several = (schema.oneOf ?? schema.anyOf) as unknown as Part[] | undefined
    if (several !== undefined) return this.value(this.one(several), name, depth)
    switch (String(schema.type)) {
      case 'object':
        return schema.properties === undefined ? this.document() : this.#object(schema, depth)
      case 'array':
        return Array.from({ length: this.below(4) }, () => this.value((schema.items ?? {}) as Part, name, depth + 1))
      case 'integer':
        return this.below(this.chance(0.5) ? 5 : 1000)
      case 'number':
        return this.below(100) / 4
      case 'boolean':
        return this.chance(0.5)
      case 'string':
        return this.text(name)
      default:
        return this.one(oddValues)
    }
  }

  #object(schema: Part, depth: number): Json {
    const made: { [name: string]: Json } = {}
    const required = (schema.required ?? []) as unknown as string[]
    for (const [name, member] of Object.entries(schema.properties as Part)) {
      const wanted = this.isWanted(name, required.includes(name))
      if (wanted) made[name] = this.value(member as Part, name, depth + 1)
    }
    return made
  }

  protected isWanted(name: string, isRequired: boolean): boolean {
    if (name === 'timeout') return true
    return isRequired ? this.often(true) : this.chance(0.15)
  }

  protected document(): Json {
    const operators = [{ $append: [1] }, { $increment: 1 }, { $set: 1 }, { $delete: true }, { $odd: 1 }]
    const entriesOf = Array.from({ length: this.below(3) }, (): [string, Json] => [
      this.one([...keys, 'o.p', 'a.b.c', '']),
      this.chance(0.3) ? this.one(operators) : this.one(oddValues),
    ])
    return Object.fromEntries(entriesOf)
  }

  /** A text that fits a member of this name, mostly. */
  protected text(name: string): string {
    // Waits must come to an end soon.
    if (name === 'timeout') return '5ms'
    if (!this.often(true)) return this.one(oddTexts)
    if (name === 'session' || name === 'session_id' || name === 'parent' || name === 'parent_session_id')
      return this.session
    if (name === 'key') return this.one(keys)
    if (name === 'ttl') return this.one(['60ms', '1s'])
    return this.one(['x', 'name', 'state', '1', '2026-11-15T09:30:00Z', 'value > 1'])
  }

  protected one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  protected below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  protected chance(of: number): boolean {
    return this.#random() < of
  }

  /** Nearly always, where it can be. */
  protected often(can: boolean): boolean {
    return can && this.#random() < 0.93
  }

  /** mulberry32 */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
