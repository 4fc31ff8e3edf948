import { table } from '../log/tables.ts'

/** The present of one key. A deleted key stays as a tombstone (`type` 'gone'), so that its version goes on. */
export interface KeyRow {
  root: number
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

export const stateKeys = table<KeyRow>(
  'state_keys',
  ['key'],
  {
    root: 'integer',
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
  },
  { long: ['value', 'traits'], weight: ({ value, traits }) => (value?.length ?? 0) + (traits?.length ?? 0) },
)

/** One version of one key: whole, or a difference to the version that `prior` points at. */
export interface VersionRow {
  root: number
  seq: number
  key: string
  version: number
  /** `merge` is a patch of an object: an object that is merged, or a list that is a JSON Patch. */
  kind: 'whole' | 'append' | 'merge' | 'gone'
  /** The `seq` of the row this one builds on; 0 for one that stands alone. */
  prior: number
  at: number
  /** Milliseconds since the key came to be, after it was last gone. */
  age: number
  session_no: number
  body: string | null
  traits: string | null
}

/** Where the versions of a key are. */
export interface PlaceRow {
  root: number
  key: string
  seq: number
}

export const statePlaces = table<PlaceRow>(
  'state_places',
  ['key', 'seq'],
  { root: 'integer', key: 'text', seq: 'integer' },
  { view: false },
)

export const stateVersions = table<VersionRow>(
  'state_versions',
  ['seq', 'key'],
  {
    root: 'integer',
    seq: 'integer',
    key: 'text',
    version: 'integer',
    kind: 'text',
    prior: 'integer',
    at: 'integer',
    age: 'integer',
    session_no: 'integer',
    body: 'text',
    traits: 'text',
  },
  {
    appendOnly: true,
    shared: true,
    carried: false,
    long: ['body', 'traits'],
    indexedBy: statePlaces,
    many: { chain: (row) => row.key, startsChain: (row) => row.prior === 0 },
    counted: ['key', 'body', 'traits'],
  },
)

/** A key that goes by itself. A key that was one and stays now has a row without either. */
export interface LapseRow {
  root: number
  key: string
  /** The session it goes with. */
  owner: number | null
  expires_at: number | null
}

export const stateLapses = table<LapseRow>(
  'state_lapses',
  ['key'],
  { root: 'integer', key: 'text', owner: 'integer', expires_at: 'integer' },
  { blank: ({ owner, expires_at }) => owner === null && expires_at === null },
)

/** What the values of one key, or of all keys with a prefix, must look like. */
export interface SchemaRow {
  root: number
  target: string
  /** 1 when `target` is the beginning of keys and not a key. */
  prefix: number
  /** JSON text; null once it was deleted. */
  schema: string | null
  seq: number
  updated_at: number
  updated_by: number
}

export const stateSchemas = table<SchemaRow>(
  'state_schemas',
  ['target', 'prefix'],
  {
    root: 'integer',
    target: 'text',
    prefix: 'integer',
    schema: 'text',
    seq: 'integer',
    updated_at: 'integer',
    updated_by: 'integer',
  },
  { past: true },
)
