/**
 * The rows everything is kept in. Rows of a root have `root` first in their key, so that a root is the unit of
 * partition. Each part has tables of its own; these are the ones of the log itself. `migrations/` makes the same tables, and a test
 * compares the two.
 */

/** How a column is kept. `hex` is bytes in the store and their hex digits in memory; `bytes` is bytes in both, and may be many. */
export type ColumnKind = 'text' | 'integer' | 'hex' | 'bytes'

export interface Table<Row extends object> {
  readonly name: string
  /** The primary key after `root`, or the whole one of a table that belongs to no root. */
  readonly key: readonly (keyof Row & string)[]
  readonly ofRoot: boolean
  readonly columns: Readonly<Record<keyof Row & string, ColumnKind>>
  /** A view of the log; other rows are plain: nothing but the store knows them, so they are never remembered. */
  readonly view: boolean
  /** Each row that an event left is kept as it was (`row_versions`), so that it can be read as of any event. */
  readonly past: boolean
  /** Columns that a row gets once and that a fork has others of: its past takes them from its present. */
  readonly given: readonly (keyof Row & string)[]
  /** Rows that are written once and never changed: a second write of one is a bug and must fail. */
  readonly appendOnly: boolean
  /** Rows in the order of the log, found by their `seq`, which a fork reads in the rows of those it came from. */
  readonly shared: boolean
  /** Goes with a fork, as it was then. What is of the moment does not: who holds what, who may use it. */
  readonly carried: boolean
  /** Columns that may be long, where others have some hundred characters at most: an engine may keep them beside the row. */
  readonly long: readonly (keyof Row & string)[]
  /** The table that finds rows of this one by a column that it has first in its key, before `seq`; it is filled behind the writes, in sorted batches. */
  readonly indexedBy: AnyTable | undefined
  /** Is part of backups; who may use a store is not. */
  readonly copied: boolean
  /** Columns that say how a row is kept and not what the log says: a replay does not know them. */
  readonly unlogged: readonly (keyof Row & string)[]
  /** Whether a row stands for none: one that was there before. */
  readonly blank: ((row: Row) => boolean) | undefined
  /** For views whose rows are too many to be held in memory while they are proved. */
  readonly many: Many<Row> | undefined
  /** Characters that a row takes up in memory, where that can be a lot. */
  readonly weight: ((row: Row) => number) | undefined
  /**
   * Its rows count against the disk space of their root: these columns, a number as so many bytes, and each row as such. Only for rows
   * that are never written again: what a row took up before is not looked up.
   */
  readonly counted: readonly (keyof Row & string)[] | undefined
  /** The place of a row among the rows of its root. */
  readonly place: (row: Row) => string
}

/** Which of many rows later events may still look at. */
export interface Many<Row> {
  /** Rows of one chain build on each other. */
  readonly chain: (row: Row) => string
  /** It stands alone: nobody looks at those before it in its chain any more. */
  readonly startsChain: (row: Row) => boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tables holds ones of every row.
export type AnyTable = Table<any>

interface TableOptions<Row extends object> {
  ofRoot?: boolean
  view?: boolean
  past?: boolean
  given?: readonly (keyof Row & string)[]
  appendOnly?: boolean
  shared?: boolean
  carried?: boolean
  long?: readonly (keyof Row & string)[]
  indexedBy?: AnyTable
  copied?: boolean
  unlogged?: readonly (keyof Row & string)[]
  blank?: (row: Row) => boolean
  many?: Many<Row>
  weight?: (row: Row) => number
  counted?: readonly (keyof Row & string)[]
}

/**
 * What a counted row takes up besides its texts: numbers, ids and hashes, what finds it, and pages that are never full.
 */
export const rowOverhead = 256

/** Between the columns of a place. A control character stands in no key, and a NUL could not be stored. */
export const placeSeparator = '\u001f'

/** The place of the row with this key. */
export function placeOf(key: readonly (string | number)[]): string {
  return key.length === 1 ? String(key[0]) : key.join(placeSeparator)
}

export function table<Row extends object>(
  name: string,
  key: readonly (keyof Row & string)[],
  columns: Readonly<Record<keyof Row & string, ColumnKind>>,
  options: TableOptions<Row> = {},
): Table<Row> {
  const [first] = key as [keyof Row & string]
  const place =
    key.length === 1
      ? (row: Row) => String(row[first])
      : (row: Row) => placeOf(key.map((name) => row[name] as string | number))
  const { ofRoot = true, view = ofRoot, past = false, appendOnly = false, shared = false, copied = true } = options
  const { given = [], carried = view, long = [], indexedBy, unlogged = [], blank, many, weight, counted } = options
  return {
    name,
    key,
    columns,
    place,
    ofRoot,
    view,
    past,
    given,
    appendOnly,
    shared,
    carried,
    long,
    indexedBy,
    copied,
    unlogged,
    blank,
    many,
    weight,
    counted,
  }
}

/** One event of a root's log: the truth. `data` is null once its body was removed; `digest` then keeps its hash. */
export interface EventRow {
  root: number
  seq: number
  id: string
  session_no: number
  stream: string
  version: number
  key: string | null
  type: string
  data: string | null
  actor: string
  at: number
  request: string | null
  cause: string | null
  hash: string
  digest: string | null
}

export const events = table<EventRow>(
  'events',
  ['seq'],
  {
    root: 'integer',
    seq: 'integer',
    id: 'hex',
    session_no: 'integer',
    stream: 'text',
    version: 'integer',
    key: 'text',
    type: 'text',
    data: 'text',
    actor: 'text',
    at: 'integer',
    request: 'text',
    cause: 'text',
    hash: 'hex',
    digest: 'hex',
  },
  { appendOnly: true, shared: true, carried: false, long: ['data'], counted: ['key', 'data', 'request', 'cause'] },
)

/** The head of a root's log. Whoever writes below a root holds this row. */
export interface RootRow {
  /** A number of this store alone, which no event holds; that of a fork is negative. */
  root: number
  /** The id of the root session. */
  id: string
  seq: number
  hash: string
  /** Moves when rows were changed without an event (repair, compaction): what others remember of them is void. */
  generation: number
  /** 1 for what is kept of a removed root, under a number of its own, while there are forks of it. */
  hidden: number
  /** What its own rows take up: events, versions, remembered requests and blobs. It moves with the hash or the generation. */
  bytes: number
}

export const roots = table<RootRow>(
  'roots',
  [],
  {
    root: 'integer',
    id: 'text',
    seq: 'integer',
    hash: 'hex',
    generation: 'integer',
    hidden: 'integer',
    bytes: 'integer',
  },
  { unlogged: ['generation', 'bytes'], carried: false },
)

export interface StreamRow {
  root: number
  stream: string
  version: number
  created_at: number
  updated_at: number
  /** The past before this sequence was compacted: reads of it are refused. */
  floor: number
  /** Bodies up to and including this sequence may have been removed: a replay starts from the rows as they were there. */
  base: number
  /** How many things the stream has made that are there now, and their bytes: what limits are held against. */
  items: number
  bytes: number
}

export const streams = table<StreamRow>(
  'streams',
  ['stream'],
  {
    root: 'integer',
    stream: 'text',
    version: 'integer',
    created_at: 'integer',
    updated_at: 'integer',
    floor: 'integer',
    base: 'integer',
    items: 'integer',
    bytes: 'integer',
  },
  { unlogged: ['floor', 'base'], carried: false },
)

/** A remembered request with the answer it got: a repeat gets the same answer and has no second effect. */
export interface RequestRow {
  caller: string
  id: string
  root: number
  fingerprint: string
  answer: string
  at: number
}

export const requests = table<RequestRow>(
  'requests',
  ['caller', 'id'],
  { caller: 'text', id: 'text', root: 'integer', fingerprint: 'hex', answer: 'text', at: 'integer' },
  { ofRoot: false, appendOnly: true, counted: ['caller', 'id', 'answer'] },
)

/** Whose rows a fork shares: those of `source` after `after` and up to `upto`. Its own rows are its last segment. */
export interface SegmentRow {
  root: number
  source: number
  after: number
  upto: number
  /** Of its own last segment: the root that it was forked from. */
  origin: number | null
}

export const segments = table<SegmentRow>(
  'segments',
  ['after'],
  { root: 'integer', source: 'integer', after: 'integer', upto: 'integer', origin: 'integer' },
  { view: false },
)

/** A row of a view as an event left it; `row` is JSON. */
export interface RowVersionRow {
  root: number
  tbl: string
  place: string
  seq: number
  row: string
}

export const rowVersions = table<RowVersionRow>(
  'row_versions',
  ['tbl', 'place', 'seq'],
  { root: 'integer', tbl: 'text', place: 'text', seq: 'integer', row: 'text' },
  {
    appendOnly: true,
    shared: true,
    carried: false,
    many: { chain: ({ tbl, place }) => `${tbl} ${place}`, startsChain: () => true },
    counted: ['place', 'row'],
  },
)

/** Up to which event the rows of a table have been put into the table that it is indexed by. */
export interface IndexingRow {
  root: number
  name: string
  upto: number
}

export const indexing = table<IndexingRow>(
  'indexing',
  ['name'],
  { root: 'integer', name: 'text', upto: 'integer' },
  { view: false },
)

/** Numbers that are drawn in this store, each once. */
export interface CounterRow {
  name: string
  value: number
}

export const counters = table<CounterRow>('counters', ['name'], { name: 'text', value: 'integer' }, { ofRoot: false })

/** The tables of the log itself. */
export const logTables: readonly AnyTable[] = [
  events,
  roots,
  streams,
  requests,
  segments,
  rowVersions,
  indexing,
  counters,
]
