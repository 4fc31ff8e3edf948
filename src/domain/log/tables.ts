/**
 * The rows everything is kept in. Rows of a root have `root` first in their key, so that a root is the unit of
 * partition. This file says what is kept; `migrations/` makes the same tables and a test compares the two.
 */

type ColumnKind = 'text' | 'integer'

export interface Table<Row extends object> {
  readonly name: string
  /** The primary key after `root`, or the whole one of a table that belongs to no root. */
  readonly key: readonly (keyof Row & string)[]
  readonly ofRoot: boolean
  readonly columns: Readonly<Record<keyof Row & string, ColumnKind>>
  /** A view of the log; other rows are plain: nothing but the store knows them, so they are never remembered. */
  readonly view: boolean
  /** Rows that are written once and never changed: a second write of one is a bug and must fail. */
  readonly appendOnly: boolean
  /** Is part of backups; who may use a store is not. */
  readonly copied: boolean
  /** The place of a row among the rows of its root. */
  readonly place: (row: Row) => string
}

function table<Row extends object>(
  name: string,
  key: readonly (keyof Row & string)[],
  columns: Readonly<Record<keyof Row & string, ColumnKind>>,
  options: { ofRoot?: boolean; view?: boolean; appendOnly?: boolean; copied?: boolean } = {},
): Table<Row> {
  const [first] = key as [keyof Row & string]
  const place =
    key.length === 1 ? (row: Row) => String(row[first]) : (row: Row) => key.map((name) => row[name]).join('\0')
  const { ofRoot = true, view = ofRoot, appendOnly = false, copied = true } = options
  return { name, key, columns, place, ofRoot, view, appendOnly, copied }
}

/** One event of a root's log: the truth. `data` is null once its body was removed; `digest` then keeps its hash. */
export interface EventRow {
  root: string
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
    root: 'text',
    seq: 'integer',
    id: 'text',
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
    hash: 'text',
    digest: 'text',
  },
  { appendOnly: true },
)

/** The head of a root's log. Whoever writes below a root holds this row. */
export interface RootRow {
  root: string
  seq: number
  hash: string
  /** How many sessions there are; the next one gets this number. */
  sessions: number
  /** Live keys and the bytes of their values, for the limits. */
  keys: number
  bytes: number
  /** Moves when rows were changed without an event (repair, compaction): what others remember of them is void. */
  generation: number
  /** A fork shares its ancestor's log up to and including `origin_seq`; reads go on there. */
  origin: string | null
  origin_seq: number | null
}

export const roots = table<RootRow>('roots', [], {
  root: 'text',
  seq: 'integer',
  hash: 'text',
  sessions: 'integer',
  keys: 'integer',
  bytes: 'integer',
  generation: 'integer',
  origin: 'text',
  origin_seq: 'integer',
})

export interface StreamRow {
  root: string
  stream: string
  version: number
  created_at: number
  updated_at: number
  /** The past before this sequence was compacted: reads of it are refused. */
  floor: number
  /** Bodies up to and including this sequence may have been removed: a replay starts from the rows as they were there. */
  base: number
}

export const streams = table<StreamRow>('streams', ['stream'], {
  root: 'text',
  stream: 'text',
  version: 'integer',
  created_at: 'integer',
  updated_at: 'integer',
  floor: 'integer',
  base: 'integer',
})

export interface SessionRow {
  root: string
  no: number
  id: string
  name: string
  slug: string
  parent_no: number | null
  depth: number
  status: string
  reason: string | null
  type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: string | null
  project: string | null
  created_at: number
  updated_at: number
  ended_at: number | null
}

export const sessions = table<SessionRow>('sessions', ['no'], {
  root: 'text',
  no: 'integer',
  id: 'text',
  name: 'text',
  slug: 'text',
  parent_no: 'integer',
  depth: 'integer',
  status: 'text',
  reason: 'text',
  type: 'text',
  topic: 'text',
  objective: 'text',
  description: 'text',
  strategy: 'text',
  metadata: 'text',
  project: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  ended_at: 'integer',
})

/** Which session of a root bears a name; names that only differ in case are the same name. */
export interface SessionNameRow {
  root: string
  folded: string
  no: number
}

export const sessionNames = table<SessionNameRow>('session_names', ['folded'], {
  root: 'text',
  folded: 'text',
  no: 'integer',
})

/** The present of one key. A deleted key stays as a tombstone (`type` 'gone'), so that its version goes on. */
export interface KeyRow {
  root: string
  key: string
  version: number
  /** The event that made this version; `state_versions` has a row of the same number. */
  seq: number
  type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'gone'
  /** 1 when `value` is only an empty base and the array's items are in `state_versions`. */
  partial: number
  /** How many versions were written as differences since the last one that was written whole. */
  deltas: number
  /** Length of an array. */
  items: number | null
  /** Size of the whole value as JSON text. */
  bytes: number
  created_at: number
  updated_at: number
  updated_by: number
  /** JSON text. */
  value: string | null
  /** What it has besides its value, as JSON; null for most keys. */
  traits: string | null
}

export const stateKeys = table<KeyRow>('state_keys', ['key'], {
  root: 'text',
  key: 'text',
  version: 'integer',
  seq: 'integer',
  type: 'text',
  partial: 'integer',
  deltas: 'integer',
  items: 'integer',
  bytes: 'integer',
  created_at: 'integer',
  updated_at: 'integer',
  updated_by: 'integer',
  value: 'text',
  traits: 'text',
})

/** One version of one key: whole, or a difference to the version that `prior` points at. */
export interface VersionRow {
  root: string
  key: string
  seq: number
  version: number
  /** `merge` is a patch of an object: an object that is merged, or a list that is a JSON Patch. */
  kind: 'whole' | 'append' | 'merge' | 'gone'
  /** The `seq` of the row this one builds on; 0 for one that stands alone. */
  prior: number
  at: number
  session_no: number
  body: string | null
  traits: string | null
}

export const stateVersions = table<VersionRow>(
  'state_versions',
  ['key', 'seq'],
  {
    root: 'text',
    key: 'text',
    seq: 'integer',
    version: 'integer',
    kind: 'text',
    prior: 'integer',
    at: 'integer',
    session_no: 'integer',
    body: 'text',
    traits: 'text',
  },
  { appendOnly: true },
)

/** A key that goes by itself. A key that was one and stays now has a row without either. */
export interface LapseRow {
  root: string
  key: string
  /** The session it goes with. */
  owner: number | null
  expires_at: number | null
}

export const stateLapses = table<LapseRow>('state_lapses', ['key'], {
  root: 'text',
  key: 'text',
  owner: 'integer',
  expires_at: 'integer',
})

/** What the values of one key, or of all keys with a prefix, must look like. */
export interface SchemaRow {
  root: string
  target: string
  /** 1 when `target` is the beginning of keys and not a key. */
  prefix: number
  /** JSON text; null once it was deleted. */
  schema: string | null
  seq: number
  updated_at: number
  updated_by: number
}

export const stateSchemas = table<SchemaRow>('state_schemas', ['target', 'prefix'], {
  root: 'text',
  target: 'text',
  prefix: 'integer',
  schema: 'text',
  seq: 'integer',
  updated_at: 'integer',
  updated_by: 'integer',
})

/** A remembered request with the answer it got: a repeat gets the same answer and has no second effect. */
export interface RequestRow {
  caller: string
  id: string
  root: string
  fingerprint: string
  answer: string
  at: number
}

export const requests = table<RequestRow>(
  'requests',
  ['caller', 'id'],
  { caller: 'text', id: 'text', root: 'text', fingerprint: 'text', answer: 'text', at: 'integer' },
  { ofRoot: false, appendOnly: true },
)

/** Somebody's exclusive right, for a time. Whoever claims it gets a higher token than all before. */
export interface LeaseRow {
  root: string
  name: string
  /** The fencing token. */
  token: number
  session_no: number
  /** Who holds it, in words; null when it was given back. */
  holder: string | null
  ttl: number
  /** Milliseconds of the store's own clock, in the life of the machine that `boot` names. */
  expires_at: number
  boot: string
}

export const leases = table<LeaseRow>(
  'leases',
  ['name'],
  {
    root: 'text',
    name: 'text',
    token: 'integer',
    session_no: 'integer',
    holder: 'text',
    ttl: 'integer',
    expires_at: 'integer',
    boot: 'text',
  },
  { view: false },
)

/** A working directory and the session that is meant there when none is named. */
export interface ProjectRow {
  dir: string
  session: string | null
  updated_at: number
}

export const projects = table<ProjectRow>(
  'projects',
  ['dir'],
  { dir: 'text', session: 'text', updated_at: 'integer' },
  { ofRoot: false },
)

/** Who may use the store besides its owner. */
export interface TokenRow {
  id: string
  kind: 'agent' | 'reader'
  /** The session an agent's token is bound to. */
  root: string | null
  session_no: number | null
  name: string | null
  /** Of the secret, which is kept nowhere. */
  hash: string
  created_at: number
  /** When it got its present secret. */
  changed_at: number
}

export const tokens = table<TokenRow>(
  'tokens',
  ['id'],
  {
    id: 'text',
    kind: 'text',
    root: 'text',
    session_no: 'integer',
    name: 'text',
    hash: 'text',
    created_at: 'integer',
    changed_at: 'integer',
  },
  { ofRoot: false, copied: false },
)
