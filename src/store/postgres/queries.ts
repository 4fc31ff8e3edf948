import type { RootRow } from '../../domain/log/tables.ts'
import { byTable, type Changes, type RowsWritten, statementsFor } from '../engine.ts'
import { arraysOf, flushText, guardedText, inOrder, valuesOf } from './flush.ts'

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

  /** In the order given; rows that follow each other go in one statement. */
  writing(changes: readonly Changes[]): Query[] {
    const queries: Query[] = []
    const rows: RowsWritten[] = []
    const flush = () => (rows.length === 0 ? 0 : queries.push(this.flushing(byTable(rows.splice(0)))))
    for (const change of changes) {
      if ('table' in change) rows.push(change)
      else {
        flush()
        queries.push(...statementsFor(change).map(({ text, parameters }) => this.named(text, parameters)))
      }
    }
    flush()
    return queries
  }

  /** All rows of all tables in one statement. */
  flushing(written: readonly RowsWritten[]): Query {
    const changes = inOrder(written)
    const shape = changes.map(({ table, rows }) => (rows.length === 1 ? table.name : `${table.name}s`)).join()
    return this.named(
      this.#flushText(shape, () => flushText(changes)),
      changes.flatMap(valuesOf),
    )
  }

  /** The same, of those roots only whose heads are still these. */
  guarded(heads: readonly RootRow[], written: readonly RowsWritten[]): Query {
    const changes = inOrder(written)
    const tables = changes.map(({ table }) => table)
    const shape = `guarded ${tables.map(({ name }) => name).join()}`
    const left = [
      heads.map(({ root }) => root),
      heads.map(({ hash }) => Buffer.from(hash, 'hex')),
      heads.map((head) => head.generation),
    ]
    return this.named(
      this.#flushText(shape, () => guardedText(tables)),
      [...left, ...changes.flatMap(arraysOf)],
    )
  }

  #flushText(shape: string, make: () => string): string {
    const text = this.#flushTexts.get(shape) ?? make()
    this.#flushTexts.set(shape, text)
    return text
  }
}
