import type { Event, FeedEvent } from '../../../src/domain/log/event.ts'
import { evolve, moveHeads } from '../../../src/domain/log/evolve.ts'
import { headAt, newHead } from '../../../src/domain/log/head.ts'
import { Parts } from '../../../src/domain/log/part.ts'
import { ReplayedRows } from '../../../src/domain/log/replayed-rows.ts'
import { type AnyTable, streams } from '../../../src/domain/log/tables.ts'
import { partList } from '../../../src/domain/parts.ts'

type Cells = { readonly [column: string]: string | number | null }

export interface RowsRead {
  readonly seq: number
  readonly hash: string
  readonly tables: { readonly [name: string]: readonly Cells[] }
}

/** Parts that are read in another way: values come from the feed, messages when they are looked at. */
const readElsewhere: readonly string[] = ['state', 'leases', 'access', 'blobs', 'conversations']

export const shownParts = partList.filter(({ name }) => !readElsewhere.includes(name))

const parts = new Parts(shownParts)

/** Number of a root in its own page: which one it has in the store is no matter. */
const anyRoot = 1

/** The rows of a root as the server had them at a moment, and taken further with each event by what the server itself does. */
export class RootRows extends ReplayedRows {
  constructor(id: string, read: readonly RowsRead[]) {
    super(anyRoot, id)
    const [first] = read
    if (first !== undefined) this.setHead(headAt(newHead(anyRoot, id), first.seq, first.hash))
    const tables = new Map<string, AnyTable>([...parts.tables, streams].map((table) => [table.name, table]))
    for (const { tables: found } of read) {
      for (const [name, rows] of Object.entries(found)) {
        const table = tables.get(name)
        for (const row of rows) if (table !== undefined) this.put(table, { root: anyRoot, ...row })
      }
    }
    this.#keepMade()
  }

  get seq(): number {
    return this.head()?.seq ?? 0
  }

  apply(shown: FeedEvent): void {
    const event = { ...shown, root: anyRoot, at: Date.parse(shown.at) } as unknown as Event
    if (parts.evolve.has(event.type) && shown.data !== null) evolve(parts.evolve, this, event)
    else moveHeads(this, event)
    this.#keepMade()
  }

  /** Rows of earlier moments are read when somebody looks at those. */
  #keepMade(): void {
    for (const { table, row } of this.takeMade()) if (table.name !== 'row_versions') this.keep(table, row)
  }
}
