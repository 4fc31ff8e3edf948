// Requests from the OpenAPI document: mostly as it asks for them, sometimes bent.
import { join } from 'node:path'
import type { Json } from '../../src/json/value.ts'
import { broken, oddTexts, oddValues, Values } from '../setup/values.ts'
import { entries, type Part } from './documented.ts'

export interface Fuzzed {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly type: string
}

/** A page that never ends, and one that the server of these tests does not have. */
const leftOut = /^\/(?:events|metrics)$/
/** What would leave nothing to be done for other requests, or write files: only for a fuzz that is told where. */
const drastic = /^\/operations\/(?:store\.|session\.end$|token\.rotate$)|\/(?:end|rotate)$/

const usable = entries.filter(({ path }) => !leftOut.test(path))
const ending = usable.filter(({ path }) => drastic.test(path))
const others = usable.filter(({ path }) => !drastic.test(path))

/** An operation has one entry by its name and few or one by path; more can go wrong by path. */
const byName = others.filter(({ path }) => path.startsWith('/operations/'))
const byPath = others.filter(({ path }) => !path.startsWith('/operations/'))
/** What most can go wrong with: versions, preconditions, several content types. */
const ofState = byPath.filter(({ path }) => /^\/sessions\/\{\w+\}\/state/.test(path))

/** For requests that end things: what they may end, and the folder for the files they write. */
interface Doomed {
  readonly token: string
  readonly slug: string
  readonly folder: string
}

const types = ['application/json', 'application/merge-patch+json', 'application/json-patch+json', 'text/plain']
const etags = ['*', '"1"', '"2"', '1', '"global_version_3"', '"1", "2", "3"', 'W/"1"', 'x', '']

/** The same requests for the same seed, wherever it runs. */
export class Fuzz extends Values {
  doomed: Doomed | undefined

  next(): Fuzzed {
    const isEnding = this.doomed !== undefined && this.chance(0.3)
    const { method, path, operation } = this.one(isEnding ? ending : this.#others())
    const parameters = (operation.parameters ?? []) as unknown as Part[]
    const content = (operation.requestBody?.content ?? {}) as { [type: string]: { schema: Part } }
    const documented = Object.keys(content)
    const type = this.often(documented.length > 0) ? this.one(documented) : this.one(types)
    return {
      method: this.often(true) ? method : this.one(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: this.#path(path, parameters),
      headers: this.#headers(parameters),
      body: this.#body(content[type]?.schema),
      type,
    }
  }

  #others() {
    if (this.chance(0.2)) return byName
    return this.chance(0.4) ? ofState : byPath
  }

  /** A file that may be written is always in the folder that is there for it, however odd its name; others are only named. */
  protected override value(schema: Part, name: string, depth: number): Json {
    return name === 'file' && this.doomed !== undefined ? this.#file(this.doomed) : super.value(schema, name, depth)
  }

  protected override text(name: string): string {
    if (this.doomed === undefined) return super.text(name)
    if (name === 'file') return this.#file(this.doomed)
    if (!this.often(true)) return super.text(name)
    if (name === 'confirm') return this.doomed.slug
    return name === 'id' ? this.doomed.token : super.text(name)
  }

  #file({ folder }: Doomed): string {
    return join(folder, encodeURIComponent(`${this.one(oddTexts)}${this.below(9)}`))
  }

  #path(path: string, parameters: readonly Part[]): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(this.text(name) || 'x'))
    const asked = parameters
      .filter(
        ({ name, in: where, required }) => String(where) === 'query' && this.isWanted(String(name), Boolean(required)),
      )
      .map(({ name, schema }) => `${name}=${encodeURIComponent(this.#query(String(name), schema as Part))}`)
    if (this.chance(0.02)) asked.push(`${encodeURIComponent(this.one(oddTexts))}=1`)
    return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`
  }

  #query(name: string, schema: Part): string {
    const value = this.value(schema, name, 0)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }

  #headers(parameters: readonly Part[]): Record<string, string> {
    const given = parameters.filter(({ in: where }) => String(where) === 'header' && this.chance(0.15))
    return Object.fromEntries(
      given.map(({ name, schema }) => [String(name), this.#header(String(name), schema as Part)]),
    )
  }

  #header(name: string, { const: fixed }: Part): string {
    if (name === 'Idempotency-Key') return `once-${this.below(20)}`
    if (name === 'Prefer') return 'status=412'
    if (fixed !== undefined && this.often(true)) return String(fixed)
    return this.one(name.endsWith('Match') ? etags : ['deep', 'shallow', 'other'])
  }

  #body(schema: Part | undefined): string | undefined {
    if (schema === undefined) return this.chance(0.1) ? JSON.stringify(this.one(oddValues)) : undefined
    if (this.chance(0.04)) return this.one(broken)
    return JSON.stringify(this.value(schema, '', 0))
  }
}
