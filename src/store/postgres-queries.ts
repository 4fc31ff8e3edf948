import type { Parameter } from '../domain/questions.ts'
import type { RootRow } from '../domain/tables.ts'
import type { Changes, Load, RowsWritten } from './engine.ts'
import { flushText, inOrder, valuesOf } from './postgres-flush.ts'
import { type Deed, deeds, selectRow, statements } from './statements.ts'

/** A statement that the server prepares once on each connection, and its parameters. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Our statements as the driver takes them; each text is made and named once. */
export class Queries {
  readonly #names = new Map<string, string>()
  readonly #flushTexts = new Map<string, string>()

  named(text: string, values: readonly unknown[]): Query {
    let name = this.#names.get(text)
    if (name === undefined) {
      name = `cairn_${this.#names.size}`
      this.#names.set(text, name)
    }
    return { name, text, values: values as unknown[] }
  }

  loading(load: Load): Query {
    return 'ask' in load ? this.named(statements[load.ask], load.with) : this.named(selectRow(load.table), load.key)
  }

  /** In the order given; rows that follow each other go in one statement. */
  writing(changes: readonly Changes[]): Query[] {
    const queries: Query[] = []
    const rows: RowsWritten[] = []
    const flush = () => (rows.length === 0 ? 0 : queries.push(this.flushing(rows.splice(0))))
    for (const change of changes) {
      if ('table' in change) rows.push(change)
      else {
        flush()
        queries.push(...this.#doing(change.deed, change.each))
      }
    }
    flush()
    return queries
  }

  /** All rows of all tables in one statement. With `from`, it writes nothing unless the head of the root is still that one. */
  flushing(written: readonly RowsWritten[], from?: RootRow): Query {
    const changes = inOrder(written)
    const values: unknown[] = from ? [from.hash, from.generation] : []
    for (const change of changes) values.push(...valuesOf(change))
    const shape = changes.map(({ table, rows }) => (rows.length === 1 ? table.name : `${table.name}s`)).join()
    const key = `${from ? 'guarded' : 'locked'}:${shape}`
    const text = this.#flushTexts.get(key) ?? flushText(changes, from !== undefined)
    this.#flushTexts.set(key, text)
    return this.named(text, values)
  }

  #doing(deed: Deed, each: readonly (readonly Parameter[])[]): Query[] {
    return each.map((parameters) => this.named(deeds[deed], parameters))
  }
}
