// The domain without a store: the rows of a replay, and decisions that record into them.
import type { Deciding } from '../../src/domain/log/deciding.ts'
import type { Draft, Event } from '../../src/domain/log/event.ts'
import { evolve } from '../../src/domain/log/evolve.ts'
import { defaultLimits, type Limits } from '../../src/domain/log/limits.ts'
import { ReplayedRows } from '../../src/domain/log/replayed-rows.ts'
import type { FirstRef, RowsWithPast } from '../../src/domain/log/rows.ts'
import { streams, type Table } from '../../src/domain/log/tables.ts'
import { parts } from '../../src/domain/parts.ts'
import { sessions } from '../../src/domain/sessions/tables.ts'

/** The rows that a replay makes, all of which stay; and nothing that was before can be asked. */
export class MemoryRows extends ReplayedRows implements RowsWithPast {
  constructor(id = 'sess_0') {
    super(1, id)
  }

  override put<Row extends object>(table: Table<Row>, row: Row): void {
    super.put(table, row)
    for (const made of this.takeMade()) this.keep(made.table, made.row)
  }

  past(): [] {
    return []
  }

  first<Row extends object>({ table, first: { column, from, to } }: FirstRef<Row>): Row | undefined {
    const numberIn = (row: Row) => row[column as keyof Row] as number | null
    const isIn = (value: number | null) => value !== null && value >= from && (to === undefined || value < to)
    const found = (this.all(table as Table<Row>) as Row[]).filter((row) => isIn(numberIn(row)))
    return found.sort((a, b) => (numberIn(a) as number) - (numberIn(b) as number))[0]
  }

  mustKnow(): void {}
}

export interface Decided extends Deciding {
  readonly rows: MemoryRows
  /** What was recorded so far. */
  readonly recorded: readonly Draft[]
}

/** What a decision stands on, after these facts. The clock ticks a millisecond with each. */
export function deciding(facts: readonly Draft[], limits: Partial<Limits> = {}): Decided {
  const rows = new MemoryRows()
  const recorded: Draft[] = []
  const record = (draft: Draft): Event => {
    const seq = (rows.head()?.seq ?? 0) + 1
    const text = JSON.stringify(draft.data)
    const header = {
      root: rows.root,
      seq,
      id: `event ${seq}`,
      session_no: 0,
      stream: draft.stream,
      version: (rows.get(streams, draft.stream)?.version ?? 0) + 1,
      actor: 'test',
      at: Date.UTC(2026, 0, 1) + seq,
      request: null,
      cause: null,
      hash: `hash ${seq}`,
      digest: null,
    }
    // What a store gives back is read from text, so that is what views must be made from.
    const event = { ...draft, ...header, data: JSON.parse(text), text } as unknown as Event
    evolve(parts.evolve, rows, event)
    recorded.push(draft)
    return event
  }
  const root: Draft = {
    type: 'session_created',
    stream: 'session/0',
    data: { no: 0, parent: null, status: 'running', topic: 'a root', type: 'full' },
  }
  for (const fact of [root, ...facts]) record(fact)
  recorded.length = 0
  return {
    rows,
    recorded,
    no: 0,
    session: rows.get(sessions, 0),
    makesRoot: false,
    agent: undefined,
    fences: [],
    written: () => 0,
    newId: () => 'id',
    newSecret: () => '0'.repeat(32),
    limits: { ...defaultLimits, ...limits },
    allowsSecret: false,
    at: Date.UTC(2026, 0, 1),
    lapsed: 0,
    leaseTime: { ms: 0, boot: '' },
    record,
    keep: () => undefined,
  }
}
