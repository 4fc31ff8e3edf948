import type { Deciding } from './deciding.ts'
import type { Event } from './event.ts'
import type { Evolve } from './evolve.ts'
import type { Limits } from './limits.ts'
import type { Asking } from './questions.ts'
import type { Refusal } from './refusal.ts'
import type { Ref, Rows, RowsWithPast } from './rows.ts'
import { type AnyTable, type EventRow, logTables, type StreamRow } from './tables.ts'

/** What the log must know of a part of the product. Everything generic is derived from it. */
export interface Part {
  readonly name: string
  /** Whether a stream is this part's. */
  owns(stream: string): boolean
  /** Its views and plain rows. */
  readonly tables: readonly AnyTable[]
  /** What each of these facts does to its tables. Other parts may evolve the same facts. */
  readonly evolve: { readonly [type: string]: (rows: Rows, event: never) => void }
  /** What may become of the bodies of its events: they stay, may be removed later, or may never have been here. */
  readonly bodies: 'kept' | 'removable' | 'may be absent'
  /** What is done with an event that holds what looks like a secret. */
  readonly secrets: 'refuse' | 'redact'
  /** Before a decision on these rows: records what has happened to them by itself. Whether it recorded anything. */
  before?(on: Deciding, refs: readonly Ref[]): boolean
  /** What happens by itself at a time. */
  readonly due?: Due
  /** How its past is cut and carried on, where it keeps that itself. Unless given, the log does so with the past that its views keep. */
  readonly ownPast?: OwnPast
  /** What holds a value of a key: the bodies of these events, and these rows of its past. */
  erasure?(root: number, key: string): Asking<Erasure>
  /** What was hidden before a time and may go, or some of it: the bodies of these events, and the rows that they made. Others share the rest. */
  hidden?(root: number, since: number, isOwn: (seq: number) => boolean): Asking<Erasure>
  /** For a fork: its rows as they were after an event. Unless given, they are taken from the past that its views keep. */
  fork?(of: ForkPoint): Asking<ForkedRows>
  /** What it looks at in events that another store made. A part without it takes them as they are. */
  readonly foreign?: ForeignFacts
  /** What doctor also looks at: whether rows that the log says nothing of can be as they are. */
  checks?(): Asking<Problem[]>
}

/** Whether a part could have recorded an event that came from elsewhere. */
export interface ForeignFacts {
  /** Before it is applied: its body, and whether it could be recorded on these rows. */
  check(rows: Rows, event: Event, limits: Limits): Refusal | undefined
  /** After it was applied: whether what it has made may stand. */
  checkMade?(rows: Rows, event: Event, limits: Limits): Refusal | undefined
}

/**
 * What happens by itself at a time. A server puts it into the log when it is due, and so does whoever must know what stands there.
 * Times are milliseconds since 1970.
 */
export interface Due {
  /** When the next thing is due below a root, or below any. */
  next(root?: number): Asking<number | undefined>
  /** The roots below which something is due by then. */
  roots(by: number): Asking<readonly { readonly id: string }[]>
  /** What must be loaded to record what is due by then, or the first of it. */
  needs(rows: RowsWithPast, by: number): Ref[]
  /** Records that; says how much it was, and so 0 once nothing is left. */
  record(on: Deciding, by: number): number
  /** Whether what is due, and was not recorded so far, may take up the room that was refused. */
  makesRoom?(refusal: Refusal): boolean
}

/**
 * What a part says that keeps each earlier form of its rows itself, as rows of a table in the order of the log (`shared`), rather than
 * leave it to the log (`past` of a table): those rows build on one another, so only the part knows which of them may go, and how its
 * views follow from them where there are no bodies of events any more.
 */
export interface OwnPast {
  /** The streams whose bodies may go, as this past stands for them; those of its other streams stay. */
  readonly streams: readonly string[]
  /** Puts its rows as they were at the base of a stream. `named` has the last event up to it that names each key. */
  lay(rows: BaseRows, stream: StreamRow, named: ReadonlyMap<string, number>): Asking<BrokenEvent | undefined>
  /** The rows of it that nobody needs once the past begins at a floor, in pieces that are removed one after the other. */
  prune(root: number, floor: number): Asking<readonly (() => Asking<RowsOfPast[]>)[]>
  /** The rows of it that the next events may look at, given its other rows as they were. */
  lookedAt(root: number, rows: ForkedRows['rows']): Asking<ForkedRows['rows']>
}

/** Where a root is forked, and what the fork is called. */
export interface ForkPoint {
  readonly root: number
  readonly at: number
  /** Nothing has happened since. */
  readonly isLast: boolean
  readonly to: { readonly root: number; readonly id: string }
}

export interface ForkedRows {
  readonly rows: readonly { readonly table: AnyTable; readonly rows: readonly object[] }[]
  /** What streams have made that was there then. */
  readonly sizes?: ReadonlyMap<string, Pick<StreamRow, 'items' | 'bytes'>>
}

/**
 * Rows of one table that are in the order of the log, each with its place there; where its counted columns are left out, with what it
 * counts against the disk space of its root.
 */
export interface RowsOfPast {
  readonly table: AnyTable
  readonly rows: readonly { readonly seq: number; readonly bytes?: number }[]
}

export interface Erasure {
  readonly events: readonly Pick<EventRow, 'seq' | 'stream' | 'data'>[]
  readonly rows: readonly RowsOfPast[]
}

/** Rows that a replay makes, some of which are put aside for what was kept of them. */
export interface BaseRows extends Rows {
  keep<Row extends object>(table: { readonly name: string; place(row: Row): string }, row: Row): void
  forget(table: AnyTable): void
}

/** What is wrong with an event, and where it is. */
export interface BrokenEvent {
  readonly seq: number
  readonly what: string
}

/** Something that is not as the log says, or cannot be: where it is and what is wrong. */
export interface Problem {
  readonly root: string
  readonly where: string
  readonly what: string
}

/** The parts of a store, and what is derived from them. */
export class Parts {
  readonly list: readonly Part[]
  /** All tables: those of the log first. */
  readonly tables: readonly AnyTable[]
  readonly evolve: Evolve
  readonly #owners = new Map<string, Part>()

  constructor(list: readonly Part[]) {
    this.list = list
    this.tables = [...logTables, ...list.flatMap(({ tables }) => tables)]
    this.evolve = evolveOf(list)
  }

  /** The part that a stream belongs to. */
  owner(stream: string): Part | undefined {
    const known = this.#owners.get(stream)
    if (known !== undefined) return known
    const owner = this.list.find((part) => part.owns(stream))
    if (owner !== undefined && !stream.includes('/')) this.#owners.set(stream, owner)
    return owner
  }
}

function evolveOf(list: readonly Part[]): Evolve {
  const byType = new Map<string, ((rows: Rows, event: Event) => void)[]>()
  for (const { evolve } of list) {
    for (const [type, apply] of Object.entries(evolve)) {
      byType.set(type, [...(byType.get(type) ?? []), apply as (rows: Rows, event: Event) => void])
    }
  }
  return byType
}
