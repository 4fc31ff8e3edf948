import { ReplayedRows } from '../../domain/log/replayed-rows.ts'
import type { AnyTable, RootRow, Table } from '../../domain/log/tables.ts'
import { roots } from '../../domain/log/tables.ts'
import type { RowsWritten } from '../../store/engine.ts'

/** Rows as a replay makes them, which know what has changed since it was last written. */
export class AdoptingRows extends ReplayedRows {
  #changed = new Map<AnyTable, Map<string, object>>()

  override setHead(head: RootRow): void {
    super.setHead(head)
    this.#note(roots, head)
  }

  override put<Row extends object>(table: Table<Row>, row: Row): void {
    super.put(table, row)
    if (!table.many) this.#note(table, row)
  }

  /** The same rows for a trial: nothing that is done to them is seen here. */
  trial(): AdoptingRows {
    const rows = new AdoptingRows(this.root, this.id)
    rows.beginAt(this)
    return rows
  }

  /** Hands over what has changed since it was last asked. */
  takeChanged(): RowsWritten[] {
    const changed = [...this.#changed].map(([table, rows]) => ({ table, rows: [...rows.values()] }))
    this.#changed = new Map()
    return changed
  }

  #note<Row extends object>(table: Table<Row>, row: Row): void {
    const rows = this.#changed.get(table)
    if (rows === undefined) this.#changed.set(table, new Map([[table.place(row), row]]))
    else rows.set(table.place(row), row)
  }
}
