import type { Json } from '../../../../json/value.ts'
import { TextFault } from '../text/text-fault.ts'
import type { Header, Statement } from './document.ts'

/**
 * What was defined so far: `open` tables may get a header of their own, `headed` ones have it, `dotted` ones came from dotted
 * keys; an array of tables is its last table.
 */
interface Table {
  kind: 'open' | 'headed' | 'dotted' | 'array'
  readonly members: Map<string, Table | { readonly json: Json }>
}

const isTable = (found: Table | { readonly json: Json }): found is Table => 'members' in found

const made = (kind: Table['kind']): Table => ({ kind, members: new Map() })

/** Knows what a file has defined, and refuses what would be defined twice. */
export class TableTree {
  readonly #text: string
  readonly #root = made('headed')
  #current = this.#root

  constructor(text: string) {
    this.#text = text
  }

  define(statement: Statement): void {
    if (statement.kind !== 'value') {
      this.#current = this.#headed(statement)
      return
    }
    const { keys, value, start } = statement
    let table = this.#current
    for (const key of keys.slice(0, -1)) {
      const next = table.members.get(key) ?? made('dotted')
      if (!isTable(next) || next.kind !== 'dotted') throw this.#twice(keys, start)
      table.members.set(key, next)
      table = next
    }
    const last = keys.at(-1) as string
    if (table.members.has(last)) throw this.#twice(keys, start)
    table.members.set(last, { json: value.json })
  }

  /** All of it as one document. */
  json(): Json {
    const shown = (table: Table): Json =>
      Object.fromEntries([...table.members].map(([key, found]) => [key, isTable(found) ? shown(found) : found.json]))
    return shown(this.#root)
  }

  #headed({ keys, kind, start }: Header): Table {
    let table = this.#root
    for (const key of keys.slice(0, -1)) {
      const next = table.members.get(key) ?? made('open')
      if (!isTable(next)) throw this.#twice(keys, start)
      table.members.set(key, next)
      table = next
    }
    const last = keys.at(-1) as string
    const found = table.members.get(last)
    const mayBe = kind === 'array' ? 'array' : 'open'
    if (found !== undefined && (!isTable(found) || found.kind !== mayBe)) throw this.#twice(keys, start)
    const headed = kind === 'table' && found !== undefined && isTable(found) ? found : made('headed')
    headed.kind = kind === 'array' ? 'array' : 'headed'
    table.members.set(last, headed)
    return headed
  }

  #twice(keys: readonly string[], start: number): TextFault {
    return new TextFault(`Duplicate key ${keys.join('.')}`, this.#text, start)
  }
}
