import type { Parameter } from '../../domain/log/questions.ts'
import { type RootRow, roots } from '../../domain/log/tables.ts'
import type { Changes } from '../engine.ts'
import { statementOf } from '../statements.ts'
import { dataVersion } from './data-version.ts'
import type { SqliteRows } from './rows.ts'

/** Heads that are remembered. */
const rememberedMax = 10_000

/** The heads of roots as this connection has read or left them: they hold as long as no other connection has committed. */
export class SqliteHeads {
  readonly #rows: SqliteRows
  readonly #known = new Map<number, RootRow>()
  #version: Parameter = null

  constructor(rows: SqliteRows) {
    this.#rows = rows
  }

  /** Asked within a transaction that nobody else can write beside. */
  of(held: readonly number[]): RootRow[] {
    const version = dataVersion(this.#rows)
    if (version !== this.#version || this.#known.size > rememberedMax) this.#known.clear()
    this.#version = version
    const heads: RootRow[] = []
    for (const root of held) {
      const head = this.#known.get(root) ?? this.#read(root)
      if (head !== undefined) heads.push(head)
    }
    return heads
  }

  /** What is about to be committed. A deed can remove heads, and says nothing of which. */
  leave(changes: readonly Changes[]): void {
    for (const change of changes) {
      if (!('table' in change)) this.forget()
      else if (change.table.name === roots.name)
        for (const head of change.rows as RootRow[]) this.#known.set(head.root, head)
    }
  }

  forget(): void {
    this.#known.clear()
  }

  #read(root: number): RootRow | undefined {
    const { text, parameters } = statementOf({ table: roots, key: [root] })
    const [head] = this.#rows.all<RootRow>(text, parameters)
    if (head !== undefined) this.#known.set(root, head)
    return head
  }
}
