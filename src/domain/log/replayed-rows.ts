import type { BaseRows } from './part.ts'
import { rowVersion } from './row-past.ts'
import type { Rows } from './rows.ts'
import { type AnyTable, placeOf, type RootRow, roots, rowVersions, type Table } from './tables.ts'

/** Rows of a table that one event made, of which there may be too many to be held. */
export interface Made {
  readonly table: AnyTable
  readonly row: object
}

/**
 * The rows of one root as a replay of its log makes them: nothing is loaded, taken back or written. Rows of large tables that were
 * made since the last event wait until it is said whether they stay: a million of them would not fit.
 */
export class ReplayedRows implements BaseRows {
  readonly root: number
  readonly id: string
  readonly #tables = new Map<string, Map<string, object>>()
  lastMade: Rows['lastMade']
  #head: RootRow | undefined
  #made: Made[] = []

  constructor(root: number, id: string) {
    this.root = root
    this.id = id
  }

  /** Begins where others are. Rows are never changed in place, so that they can be shared. */
  beginAt(others: ReplayedRows): void {
    for (const [name, rows] of others.#tables) this.#tables.set(name, new Map(rows))
    this.#head = others.#head
  }

  head(): RootRow | undefined {
    return this.#head
  }

  setHead(head: RootRow): void {
    this.#head = head
  }

  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined {
    const place = placeOf(key)
    const found = this.#rowsOf(table).get(place) ?? (table.many ? this.#justMade(table, place) : undefined)
    return found as Row | undefined
  }

  all<Row extends object>(table: Table<Row>): Row[] {
    if (table.name === roots.name) return (this.#head === undefined ? [] : [this.#head]) as object[] as Row[]
    const made = table.many ? this.#made.filter((each) => each.table.name === table.name).map(({ row }) => row) : []
    return [...this.#rowsOf(table).values(), ...made] as Row[]
  }

  put<Row extends object>(table: Table<Row>, row: Row): void {
    if (table.many) this.#made.push({ table, row })
    else this.#rowsOf(table).set(table.place(row), row)
    if (table.past) this.#putVersion(table, row)
  }

  /** A row that is put twice by one event has one version. */
  #putVersion<Row extends object>(table: Table<Row>, row: Row): void {
    const version = rowVersion(table, this.root, this.#head?.seq ?? 0, row)
    const place = rowVersions.place(version)
    const before = this.#made.findIndex(
      (made) => made.table === rowVersions && rowVersions.place(made.row as never) === place,
    )
    const made = { table: rowVersions, row: version }
    if (before < 0) this.#made.push(made)
    else this.#made[before] = made
  }

  /** Everything that there is to know is here. */
  missing(): [] {
    return []
  }

  /** Hands over the rows of large tables that were made since it was last asked. */
  takeMade(): readonly Made[] {
    if (this.#made.length === 0) return this.#made
    const made = this.#made
    this.#made = []
    return made
  }

  keep<Row extends object>(table: { readonly name: string; place(row: Row): string }, row: Row): void {
    this.#rowsOf(table).set(table.place(row), row)
  }

  drop(table: AnyTable, row: object): void {
    this.#rowsOf(table).delete(table.place(row))
  }

  /** Drops all rows of a table. */
  forget(table: AnyTable): void {
    this.#tables.delete(table.name)
  }

  #justMade(table: AnyTable, place: string): object | undefined {
    return this.#made.find((made) => made.table.name === table.name && table.place(made.row) === place)?.row
  }

  #rowsOf(table: { readonly name: string }): Map<string, object> {
    let rows = this.#tables.get(table.name)
    if (rows === undefined) {
      rows = new Map()
      this.#tables.set(table.name, rows)
    }
    return rows
  }
}
