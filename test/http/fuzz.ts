// Requests from the OpenAPI document: mostly as it asks for them, sometimes bent.
import type { Json } from '../../src/domain/json.ts'
import { entries, type Part } from './documented.ts'

export interface Fuzzed {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly type: string
}

/** What would leave nothing to be done for all other requests, or touch this machine, and pages that never end. */
const leftOut = [
  /^\/events$/,
  /^\/metrics$/,
  /^\/operations\/store\./,
  /\/end$/,
  /^\/operations\/session\.end$/,
  /\/rotate$/,
  /^\/operations\/token\.rotate$/,
]

const usable = entries.filter(({ path }) => !leftOut.some((each) => each.test(path)))

/** An operation has one entry by its name and few or one by path; more can go wrong by path. */
const byName = usable.filter(({ path }) => path.startsWith('/operations/'))
const byPath = usable.filter(({ path }) => !path.startsWith('/operations/'))

const oddTexts = [
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
const oddValues: readonly Json[] = [
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
const keys = ['a', 'n', 'o']
const broken = [
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
const types = ['application/json', 'application/merge-patch+json', 'application/json-patch+json', 'text/plain']
const etags = ['*', '"1"', '"2"', '1', '"global_version_3"', '"1", "2", "3"', 'W/"1"', 'x', '']

/** The same requests for the same seed, wherever it runs. */
export class Fuzz {
  /** The root that requests are about. */
  session = ''
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): Fuzzed {
    const { method, path, operation } = this.#one(this.#chance(0.2) ? byName : byPath)
    const parameters = (operation.parameters ?? []) as unknown as Part[]
    const content = (operation.requestBody?.content ?? {}) as { [type: string]: { schema: Part } }
    const documented = Object.keys(content)
    const type = this.#often(documented.length > 0) ? this.#one(documented) : this.#one(types)
    return {
      method: this.#often(true) ? method : this.#one(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: this.#path(path, parameters),
      headers: this.#headers(parameters),
      body: this.#body(content[type]?.schema),
      type,
    }
  }

  #path(path: string, parameters: readonly Part[]): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(this.#text(name) || 'x'))
    const asked = parameters
      .filter(
        ({ name, in: where, required }) => String(where) === 'query' && this.#isWanted(String(name), Boolean(required)),
      )
      .map(({ name, schema }) => `${name}=${encodeURIComponent(this.#query(String(name), schema as Part))}`)
    if (this.#chance(0.02)) asked.push(`${encodeURIComponent(this.#one(oddTexts))}=1`)
    return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`
  }

  #query(name: string, schema: Part): string {
    const value = this.#value(schema, name, 0)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }

  #headers(parameters: readonly Part[]): Record<string, string> {
    const given = parameters.filter(({ in: where }) => String(where) === 'header' && this.#chance(0.15))
    return Object.fromEntries(
      given.map(({ name, schema }) => [String(name), this.#header(String(name), schema as Part)]),
    )
  }

  #header(name: string, { const: fixed }: Part): string {
    if (name === 'Idempotency-Key') return `once-${this.#below(20)}`
    if (name === 'Prefer') return 'status=412'
    if (fixed !== undefined && this.#often(true)) return String(fixed)
    return this.#one(name.endsWith('Match') ? etags : ['deep', 'shallow', 'other'])
  }

  #body(schema: Part | undefined): string | undefined {
    if (schema === undefined) return this.#chance(0.1) ? JSON.stringify(this.#one(oddValues)) : undefined
    if (this.#chance(0.04)) return this.#one(broken)
    return JSON.stringify(this.#value(schema, '', 0))
  }

  #value(schema: Part, name: string, depth: number): Json {
    if (name !== 'timeout' && !this.#often(true)) return this.#one(oddValues)
    if (schema.const !== undefined) return schema.const as Json
    if (schema.enum !== undefined) return this.#one(schema.enum as unknown as Json[])
    const several = (schema.oneOf ?? schema.anyOf) as unknown as Part[] | undefined
    if (several !== undefined) return this.#value(this.#one(several), name, depth)
    switch (String(schema.type)) {
      case 'object':
        return schema.properties === undefined ? this.#document() : this.#object(schema, depth)
      case 'array':
        return Array.from({ length: this.#below(4) }, () => this.#value((schema.items ?? {}) as Part, name, depth + 1))
      case 'integer':
        return this.#below(this.#chance(0.5) ? 5 : 1000)
      case 'number':
        return this.#below(100) / 4
      case 'boolean':
        return this.#chance(0.5)
      case 'string':
        return this.#text(name)
      default:
        return this.#one(oddValues)
    }
  }

  #object(schema: Part, depth: number): Json {
    const made: { [name: string]: Json } = {}
    const required = (schema.required ?? []) as unknown as string[]
    for (const [name, member] of Object.entries(schema.properties as Part)) {
      const wanted = this.#isWanted(name, required.includes(name))
      if (wanted) made[name] = this.#value(member as Part, name, depth + 1)
    }
    return made
  }

  #isWanted(name: string, isRequired: boolean): boolean {
    if (name === 'timeout') return true
    return isRequired ? this.#often(true) : this.#chance(0.15)
  }

  #document(): Json {
    const operators = [{ $append: [1] }, { $increment: 1 }, { $set: 1 }, { $delete: true }, { $odd: 1 }]
    const entriesOf = Array.from({ length: this.#below(3) }, (): [string, Json] => [
      this.#one([...keys, 'o.p', 'a.b.c', '']),
      this.#chance(0.3) ? this.#one(operators) : this.#one(oddValues),
    ])
    return Object.fromEntries(entriesOf)
  }

  /** A text that fits a member of this name, mostly. */
  #text(name: string): string {
    // Waits must come to an end soon.
    if (name === 'timeout') return '5ms'
    if (!this.#often(true)) return this.#one(oddTexts)
    if (name === 'session' || name === 'parent' || name === 'parent_session_id') return this.session
    if (name === 'key') return this.#one(keys)
    if (name === 'ttl') return this.#one(['60ms', '1s'])
    return this.#one(['x', 'name', 'state', '1', '2026-11-15T09:30:00Z', 'value > 1'])
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #chance(of: number): boolean {
    return this.#random() < of
  }

  /** Nearly always, where it can be. */
  #often(can: boolean): boolean {
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
