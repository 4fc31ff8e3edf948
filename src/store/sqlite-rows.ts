import type { Parameter } from '../domain/questions.ts'
import type { Table } from '../domain/tables.ts'
import type { RowsWritten } from './engine.ts'
import { writeRows } from './statements.ts'

/** As much of a statement as is needed here. */
export interface Statement {
  columns(): { name: string }[]
  setReturnArrays(returnArrays: boolean): void
  all(...parameters: Parameter[]): unknown[]
  get(...parameters: Parameter[]): unknown
  run(...parameters: Parameter[]): unknown
}

/** A statement that selects. The driver's arrays made into objects here cost two thirds of the objects it makes itself. */
class Selecting {
  readonly #statement: Statement
  readonly #names: readonly string[]

  constructor(statement: Statement) {
    this.#statement = statement
    this.#names = statement.columns().map(({ name }) => name)
    statement.setReturnArrays(true)
  }

  all(parameters: readonly Parameter[]): object[] {
    const found = this.#statement.all(...parameters) as Parameter[][]
    return found.map((values) => this.#rowOf(values))
  }

  #rowOf(values: readonly Parameter[]): object {
    const row: Record<string, Parameter> = {}
    const names = this.#names
    for (let at = 0; at < names.length; at++) row[names[at] as string] = values[at] as Parameter
    return row
  }
}

/** The statements of one connection, each compiled once. */
export class SqliteRows {
  readonly #db: { prepare(text: string): Statement }
  readonly #prepared = new Map<string, Statement>()
  readonly #selecting = new Map<string, Selecting>()

  constructor(db: { prepare(text: string): Statement }) {
    this.#db = db
  }

  all<Row extends object>(text: string, parameters: readonly Parameter[] = []): Row[] {
    const selecting = this.#selecting.get(text) ?? new Selecting(this.#compile(text))
    this.#selecting.set(text, selecting)
    return selecting.all(parameters) as Row[]
  }

  prepare(text: string): Statement {
    const statement = this.#prepared.get(text) ?? this.#compile(text)
    this.#prepared.set(text, statement)
    return statement
  }

  write({ table, rows }: RowsWritten): void {
    const columns = Object.keys(table.columns)
    const statement = this.#writing(table, columns.length)
    const values: Parameter[] = new Array(columns.length)
    for (const row of rows as readonly Record<string, Parameter>[]) {
      for (let at = 0; at < columns.length; at++) values[at] = row[columns[at] as string] as Parameter
      statement.run(...values)
    }
  }

  forget(): void {
    this.#prepared.clear()
    this.#selecting.clear()
  }

  /** The text is made once: making it anew for each group would cost more than the prepared statement saves. */
  #writing(table: Table<never>, columns: number): Statement {
    const known = this.#prepared.get(table.name)
    if (known !== undefined) return known
    const values = Array.from({ length: columns }, (_, at) => `$${at + 1}`).join(', ')
    const statement = this.prepare(writeRows(table, `VALUES (${values})`))
    this.#prepared.set(table.name, statement)
    return statement
  }

  /** `$1` would be a name to SQLite, and names are bound through an object at twice the cost; `?1` is a number. */
  #compile(text: string): Statement {
    return this.#db.prepare(text.replace(/\$(\d+)/g, '?$1'))
  }
}
