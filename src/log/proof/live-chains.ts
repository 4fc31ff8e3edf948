import type { Made, ReplayedRows } from '../../domain/log/replayed-rows.ts'
import type { AnyTable } from '../../domain/log/tables.ts'

/**
 * Of the rows of large tables, those that later events may still build on stay in memory; the others are handed over as they are
 * settled.
 */
export class LiveChains {
  readonly #chains = new Map<string, object[]>()
  readonly #settled: (table: AnyTable, row: object) => void

  constructor(settled: (table: AnyTable, row: object) => void = () => undefined) {
    this.#settled = settled
  }

  /** Takes in what an event has made. */
  add(rows: ReplayedRows, made: readonly Made[]): void {
    for (const { table, row } of made) {
      const { many } = table
      if (many === undefined) continue
      const name = `${table.name} ${many.chain(row)}`
      if (many.startsChain(row)) this.#settle(rows, table, name)
      rows.keep(table, row)
      const chain = this.#chains.get(name)
      if (chain === undefined) this.#chains.set(name, [row])
      else chain.push(row)
    }
  }

  #settle(rows: ReplayedRows, table: AnyTable, name: string): void {
    for (const over of this.#chains.get(name) ?? []) {
      this.#settled(table, over)
      rows.drop(table, over)
    }
    this.#chains.delete(name)
  }
}
