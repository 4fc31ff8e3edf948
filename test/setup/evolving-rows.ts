// A follower that keeps rows of its own: it takes those of a part once and brings them up to date with the feed. It runs in Node and,
// bundled, in a page.
import { type Event, type FeedEvent, firstHash } from '../../src/domain/log/event.ts'
import { evolve, moveHeads } from '../../src/domain/log/evolve.ts'
import { headAt, newHead } from '../../src/domain/log/head.ts'
import { type Part, Parts } from '../../src/domain/log/part.ts'
import { follows } from '../../src/domain/log/past/history.ts'
import { type AnyTable, type EventRow, streams } from '../../src/domain/log/tables.ts'
import { MemoryRows } from './memory-rows.ts'

type Cells = { [column: string]: string | number | null }

export interface RowsRead {
  readonly root_session_id: string
  readonly seq: number
  readonly hash: string
  readonly tables: { readonly [name: string]: readonly Cells[] }
}

export class EvolvingRows {
  readonly #rows: MemoryRows
  readonly #part: Part
  readonly #evolve: Parts['evolve']

  constructor(part: Part, read: RowsRead) {
    this.#part = part
    this.#evolve = new Parts([part]).evolve
    this.#rows = new MemoryRows(read.root_session_id)
    this.#rows.setHead(headAt(newHead(this.#rows.root, read.root_session_id), read.seq, read.hash))
    for (const table of this.#tables()) {
      for (const row of read.tables[table.name] ?? []) this.#rows.put(table, { root: this.#rows.root, ...row })
    }
  }

  get seq(): number {
    return this.#rows.head()?.seq ?? 0
  }

  /** Throws where the event is not the next one by its number and its hash. */
  apply(shown: FeedEvent): void {
    const event = { ...shown, root: this.#rows.root, at: Date.parse(shown.at) }
    const { seq, hash } = this.#rows.head() ?? { seq: 0, hash: firstHash }
    const cause = shown.cause === null ? null : JSON.stringify(shown.cause)
    const row: EventRow = { ...event, cause, data: JSON.stringify(shown.data), digest: null }
    if (!follows(row, { seq, hash })) throw new Error(`event ${shown.seq} does not follow ${seq}`)
    if (this.#evolve.has(event.type)) evolve(this.#evolve, this.#rows, event as unknown as Event)
    else moveHeads(this.#rows, event)
  }

  /** What differs from what was read of the same point: `table place` of each. Of large tables only what was read is looked at. */
  differences(read: RowsRead): string[] {
    return this.#tables().flatMap((table) => {
      const wanted = read.tables[table.name] ?? []
      const own = new Map(this.#live(table).map((row) => [table.place(row), row as Cells]))
      const wrong = wanted.filter((row) =>
        Object.keys(row).some((column) => own.get(table.place(row))?.[column] !== row[column]),
      )
      const more = table.many === undefined && own.size > wanted.length ? [`${table.name} has ${own.size}`] : []
      return [...wrong.map((row) => `${table.name} ${table.place(row)}`), ...more]
    })
  }

  #live(table: AnyTable): object[] {
    const all = this.#rows.all<object>(table).filter((row) => table.blank?.(row) !== true)
    return table === streams ? all.filter((row) => this.#part.owns((row as { stream: string }).stream)) : all
  }

  #tables(): readonly AnyTable[] {
    return [...this.#part.tables.filter(({ view }) => view), streams]
  }
}
