import type { Rows } from '../../domain/log/rows.ts'
import { type RootRow, roots, stateVersions, type Table, type VersionRow } from '../../domain/log/tables.ts'

/**
 * The rows of one root as a replay of its log makes them: nothing is loaded, taken back or written. Versions that were made
 * since the last event wait until it is said whether they stay: a million of them would not fit.
 */
export class ReplayedRows implements Rows {
  readonly root: string
  readonly #tables = new Map<string, Map<string, object>>()
  #head: RootRow | undefined
  #made: VersionRow[] = []

  constructor(root: string) {
    this.root = root
  }

  head(): RootRow | undefined {
    return this.#head
  }

  setHead(head: RootRow): void {
    this.#head = head
  }

  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined {
    const place = key.length === 1 ? String(key[0]) : key.join('\0')
    const found = this.#rowsOf(table).get(place) ?? (isVersions(table) ? this.#justMade(place) : undefined)
    return found as Row | undefined
  }

  all<Row extends object>(table: Table<Row>): Row[] {
    if (table.name === roots.name) return (this.#head === undefined ? [] : [this.#head]) as object[] as Row[]
    return [...this.#rowsOf(table).values(), ...(isVersions(table) ? this.#made : [])] as Row[]
  }

  put<Row extends object>(table: Table<Row>, row: Row): void {
    if (isVersions(table)) this.#made.push(row as object as VersionRow)
    else this.#rowsOf(table).set(table.place(row), row)
  }

  /** Everything that there is to know is here. */
  missing(): [] {
    return []
  }

  /** Hands over the versions that were made since it was last asked. */
  takeMade(): VersionRow[] {
    if (this.#made.length === 0) return this.#made
    const made = this.#made
    this.#made = []
    return made
  }

  keep(version: VersionRow): void {
    this.#rowsOf(stateVersions).set(stateVersions.place(version), version)
  }

  drop(version: VersionRow): void {
    this.#rowsOf(stateVersions).delete(stateVersions.place(version))
  }

  /** Drops all rows of a table. */
  forget<Row extends object>(table: Table<Row>): void {
    this.#tables.delete(table.name)
  }

  #justMade(place: string): VersionRow | undefined {
    return this.#made.find((row) => stateVersions.place(row) === place)
  }

  #rowsOf<Row extends object>(table: Table<Row>): Map<string, object> {
    let rows = this.#tables.get(table.name)
    if (rows === undefined) {
      rows = new Map()
      this.#tables.set(table.name, rows)
    }
    return rows
  }
}

function isVersions<Row extends object>(table: Table<Row>): boolean {
  return table.name === stateVersions.name
}
