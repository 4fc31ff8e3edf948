import type { Parameter } from '../../domain/log/questions.ts'
import type { AnyTable } from '../../domain/log/tables.ts'
import type { RowsWritten } from '../engine.ts'
import { writeRows } from '../statements.ts'
import { apart, type Split, splitOf } from './long-texts.ts'

/** As much of a statement as is needed here. */
export interface Statement {
  columns(): { name: string }[]
  setReturnArrays(returnArrays: boolean): void
  all(...parameters: Parameter[]): unknown[]
  get(...parameters: Parameter[]): unknown
}

/** A statement that selects. The driver's arrays made into objects here cost two thirds of the objects it makes itself. */
class Selecting {
  readonly #statement: Statement
  readonly #names: readonly string[]
  readonly #bytes: readonly string[]

  constructor(statement: Statement, bytes: readonly string[]) {
    this.#statement = statement
    this.#names = statement.columns().map(({ name }) => name)
    this.#bytes = bytes
    statement.setReturnArrays(true)
  }

  /** The first column of the first row. */
  value(): Parameter {
    const [value = null] = (this.#statement.get() ?? []) as Parameter[]
    return value
  }

  all(parameters: readonly Parameter[]): object[] {
    const found = this.#statement.all(...parameters) as Parameter[][]
    return found.map((values) => this.#rowOf(values))
  }

  #rowOf(values: readonly Parameter[]): object {
    const row: Record<string, Parameter> = {}
    const names = this.#names
    for (let at = 0; at < names.length; at++) {
      const value = values[at] as Parameter
      const name = names[at] as string
      row[name] = typeof value === 'object' && value !== null ? this.#held(name, value) : value
    }
    return row
  }

  #held(name: string, bytes: Uint8Array): Parameter {
    return this.#bytes.includes(name) ? bytes : hexOf(bytes)
  }
}

const none: readonly string[] = []

/** A statement that writes one row of a table. */
interface Writing {
  readonly statement: Statement
  readonly columns: readonly string[]
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

/** The statements of one connection, each compiled once. */
export class SqliteRows {
  readonly #db: { prepare(text: string): Statement }
  readonly #prepared = new Map<string, Statement>()
  readonly #selecting = new Map<string, Selecting>()
  readonly #writing = new Map<AnyTable, Writing>()

  constructor(db: { prepare(text: string): Statement }) {
    this.#db = db
  }

  /** `bytes` are the columns that are bytes in memory too. */
  all<Row extends object>(text: string, parameters: readonly Parameter[] = [], bytes: readonly string[] = none): Row[] {
    return this.#select(text, bytes).all(parameters) as Row[]
  }

  /** What a statement without parameters answers with one value. */
  value(text: string): Parameter {
    return this.#select(text, none).value()
  }

  #select(text: string, bytes: readonly string[]): Selecting {
    const known = this.#selecting.get(text)
    if (known !== undefined) return known
    const selecting = new Selecting(this.#compile(text), bytes)
    this.#selecting.set(text, selecting)
    return selecting
  }

  prepare(text: string): Statement {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#compile(text)
    this.#prepared.set(text, statement)
    return statement
  }

  /**
   * Runs a statement that has no rows. The driver's own `run` answers with an object that nobody reads, which costs as much as
   * binding half of a row.
   */
  run(text: string, parameters: readonly Parameter[] = []): void {
    this.prepare(text).get(...parameters)
  }

  write({ table, rows }: RowsWritten): void {
    const split = splitOf(table)
    if (split === undefined) this.#insert(table, rows)
    else this.#insertApart(split, rows as readonly Record<string, unknown>[])
  }

  #insertApart(split: Split, rows: readonly Record<string, unknown>[]): void {
    const texts: object[] = []
    const rest = rows.map((row) => apart(split, row, texts))
    this.#insert(split.rows, rest)
    if (texts.length > 0) this.#insert(split.texts, texts)
  }

  #insert(table: AnyTable, rows: readonly object[]): void {
    const { statement, columns } = this.#writing.get(table) ?? this.#compileWriting(table)
    const values: Parameter[] = new Array(columns.length)
    for (const row of rows as readonly Record<string, Parameter>[]) {
      for (let at = 0; at < columns.length; at++) values[at] = row[columns[at] as string] as Parameter
      statement.get(...values)
    }
  }

  forget(): void {
    this.#prepared.clear()
    this.#selecting.clear()
    this.#writing.clear()
  }

  #compileWriting(table: AnyTable): Writing {
    const columns = Object.keys(table.columns)
    // Digits are made into bytes by SQLite: the driver takes three times as long for bytes as for a text.
    const values = columns.map((name, at) => (table.columns[name] === 'hex' ? `unhex($${at + 1})` : `$${at + 1}`))
    const writing = { statement: this.#compile(writeRows(table, `VALUES (${values.join(', ')})`)), columns }
    this.#writing.set(table, writing)
    return writing
  }

  /** `$1` would be a name to SQLite, and names are bound through an object at twice the cost; `?1` is a number. */
  #compile(text: string): Statement {
    return this.#db.prepare(text.replace(/\$(\d+)/g, '?$1'))
  }
}
