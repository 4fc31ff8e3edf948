import { askRow } from '../../domain/log/questions.ts'
import { type AnyTable, type IndexingRow, indexing } from '../../domain/log/tables.ts'
import { failpoint } from '../../failpoint.ts'
import type { Engine, Work } from '../../store/engine.ts'

/** Events after which the rows that they made are put in order; a reader looks through what is not. */
const everyEvents = 1024

/**
 * Fills the tables by which rows in log order are found, behind the writes: a batch that is sorted touches few pages where each row
 * by itself would touch one. Nobody waits for it, and whoever commits next does what a crash has left undone.
 */
export class IndexBehind {
  readonly #engine: Engine
  readonly #tables: readonly AnyTable[]
  readonly #filled = new Map<number, number>()
  readonly #filling = new Map<number, Promise<void>>()

  constructor(engine: Engine, tables: readonly AnyTable[]) {
    this.#engine = engine
    this.#tables = tables.filter(({ indexedBy }) => indexedBy !== undefined)
  }

  /** The log of a root has come to here. */
  moved(root: number, seq: number): void {
    if (seq - (this.#filled.get(root) ?? 0) < everyEvents || this.#filling.has(root)) return
    const filling = this.#fill(root, seq)
      // What could not be done now is done after a later commit.
      .catch(() => undefined)
      .finally(() => this.#filling.delete(root))
    this.#filling.set(root, filling)
  }

  async settled(): Promise<void> {
    await Promise.all(this.#filling.values())
  }

  async #fill(root: number, seq: number): Promise<void> {
    for (const table of this.#tables) {
      const filled = await this.#engine.read(askRow(indexing, root, table.name), false)
      if (seq - (filled?.upto ?? 0) >= everyEvents) await this.#engine.write([root], () => fillUpTo(root, table, seq))
    }
    this.#filled.set(root, seq)
  }
}

/** Puts the rows of a table in order up to an event. */
export function* fillUpTo(root: number, table: AnyTable, upto: number): Work<void> {
  const [found] = yield [{ table: indexing, key: [root, table.name] }]
  const [filled] = (found ?? []) as IndexingRow[]
  const after = filled?.upto ?? 0
  if (after >= upto) return { changes: [], out: undefined }
  failpoint('index')
  const row: IndexingRow = { root, name: table.name, upto }
  return {
    changes: [
      { index: table, root, after, upto },
      { table: indexing, rows: [row] },
    ],
    out: undefined,
  }
}
