import type { Load, Parameter } from '../../domain/log/questions.ts'
import { statementOf } from '../statements.ts'
import { dataVersion } from './data-version.ts'
import type { SqliteRows } from './rows.ts'

/** Answers that are remembered, and how many rows and how much text each may have: a few megabytes together at most. */
const rememberedMax = 512
const rowsMax = 16
const textMax = 4096

/**
 * Answers to questions that were asked before, for as long as nobody has committed: looking whether somebody has costs half of
 * reading a row, and many ask for the same few rows. Whoever is answered must leave the rows as they are.
 */
export class SqliteAnswers {
  readonly #rows: SqliteRows
  readonly #known = new Map<string, object[]>()
  #version: Parameter = null

  constructor(rows: SqliteRows) {
    this.#rows = rows
  }

  /** Asked outside of transactions that write. */
  to(load: Load): object[] {
    // Looked at before reading: a commit in between makes what is remembered look older than it is, never newer.
    const version = dataVersion(this.#rows)
    if (version !== this.#version) this.forget()
    this.#version = version
    const { text, parameters, bytes } = statementOf(load)
    const name = text + JSON.stringify(parameters)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const rows = this.#rows.all(text, parameters, bytes)
    if (this.#known.size >= rememberedMax) this.forget()
    if (isSmall(rows)) this.#known.set(name, rows)
    return rows
  }

  /** This connection is about to write, which does not move the version that it sees. */
  forget(): void {
    if (this.#known.size > 0) this.#known.clear()
  }
}

function isSmall(rows: readonly object[]): boolean {
  if (rows.length > rowsMax) return false
  let length = 0
  for (const row of rows)
    for (const value of Object.values(row) as Parameter[])
      if (typeof value === 'string' || value instanceof Uint8Array) length += value.length
  return length <= textMax
}
