import type { FirstRef } from '../../domain/log/rows.ts'
import { nameOfFirst } from './ref-names.ts'

/** Room for calls of one group that each take the first row for themselves. */
const pageSpare = 4

/** The first rows by a column as the store has them: their places in order, and how far they reach. */
interface Page {
  readonly places: readonly string[]
  /** The store has no row in the range that comes before this number and is not here. */
  readonly upto: number
}

/**
 * The rows that come first by some column, in a group of calls that change such rows all the time. The store knows their order as it was
 * before the group; rows that were changed since are looked at besides.
 */
export class Firsts {
  readonly #pages = new Map<string, Page>()

  /** How many rows to load: one more than were changed, so that one of them is as it was. */
  static size(changed: number): number {
    return 2 * changed + pageSpare
  }

  take(ref: FirstRef, asked: number, found: readonly object[]): void {
    const { table, first } = ref as FirstRef<object>
    const last =
      found.length < asked ? Number.POSITIVE_INFINITY : (numberIn(found.at(-1) as object, first.column) as number)
    this.#pages.set(nameOfFirst(ref), { places: found.map((row) => table.place(row)), upto: last })
  }

  /** The first of them now; `null` where there is none, and undefined where that is not known. */
  find<Row extends object>(
    ref: FirstRef,
    changed: readonly (Row | null | undefined)[],
    at: (place: string) => Row | undefined,
  ): Row | null | undefined {
    const page = this.#pages.get(nameOfFirst(ref))
    if (page === undefined) return undefined
    const rows = [...page.places.map(at), ...changed]
    let first: { row: Row; value: number } | undefined
    for (const row of rows) {
      const value = row ? numberIn(row, ref.first.column) : null
      if (row && value !== null && isIn(ref, value) && (first === undefined || value < first.value))
        first = { row, value }
    }
    if (first !== undefined && first.value <= page.upto) return first.row
    return page.upto === Number.POSITIVE_INFINITY ? null : undefined
  }

  clear(): void {
    if (this.#pages.size > 0) this.#pages.clear()
  }
}

function numberIn(row: object, column: string): number | null {
  return (row as Record<string, number | null>)[column] ?? null
}

function isIn({ first: { from, to } }: FirstRef, value: number): boolean {
  return value >= from && (to === undefined || value < to)
}
