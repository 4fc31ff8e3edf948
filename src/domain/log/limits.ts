import { depthCeiling, depthMax } from '../../json/limits.ts'

/** A longer name does not fit into the indexes of every store: no store can be set to take one. */
export const keyBytesCeiling = 512
/** Names of sessions stand in tables, folders and prompts. */
export const nameBytesMax = 128
/** A page of a list is read by people and models; programs follow the cursor. */
export const pageMax = 1000

/** What an input is held to before anything is decided. */
export interface InputLimits {
  /** A key is a name people read in tables and type in shells; longer ones are data in disguise. */
  readonly keyBytes: number
  /** Levels of a value: nested deeper it is a mistake or an attack. */
  readonly depth: number
}

/** What no store can be set to go beyond: what was once taken in is held to this when it is read again. */
export const inputCeilings: InputLimits = { keyBytes: keyBytesCeiling, depth: depthCeiling }

/** What a store takes. Each is a setting of that name. */
export interface Limits extends InputLimits {
  /** A state value is shown whole and put into a model's context; beyond this it is an artifact, not state. */
  readonly valueBytes: number
  /** Keys of one root, so that a loop in an agent cannot fill the store with names. */
  readonly keys: number
  /** All live values of one root together: the whole state can still be read in one answer. */
  readonly stateBytes: number
  /** Operations in one batch; a batch holds the root's lock while it runs. */
  readonly batch: number
  /** What the operations of one batch write, the value of a key anew for each that changes it: the root is held meanwhile. */
  readonly batchBytes: number
  /** Agents that start agents that start agents. */
  readonly treeDepth: number
  /** Sessions of one root: its tree can still be shown whole. */
  readonly sessions: number
  /** Waits for keys of one root that are open at a time in one process; each keeps what it waits for in memory. */
  readonly waits: number
  /** Requests of one token that a server works on at a time; an agent that has more under way does not read its answers. */
  readonly tokenRequests: number
  /** Waits of one token: each lasts long and keeps what it waits for in memory. An orchestrator waits for all of its agents. */
  readonly tokenWaits: number
  /** Feeds of one token: each has a connection and a queue of its own. */
  readonly tokenFeeds: number
  /** Resources that one MCP client follows: each is looked at with every event. */
  readonly subscriptions: number
  /** What a root takes up on disk: a loop in an agent cannot fill the disk for all others. */
  readonly rootDiskBytes: number
  /** One blob: a large result or an image of a conversation. */
  readonly blobBytes: number
  /** The body of one request to a server, and one file that a command reads. */
  readonly requestBytes: number
  /** Values in the body of one request, nested ones counted: reading many small ones takes far longer than as many bytes of text. */
  readonly requestValues: number
  /** How long an answer may lie unread: whoever asks and takes nothing keeps memory that all share. */
  readonly unreadMs: number
  /** Memory of a server; beyond it only the owner is served, before the system ends the process. */
  readonly memoryBytes: number
  /** How late the event loop of a server may be again and again before only the owner is served. */
  readonly lagMs: number
  /** What stays free on the disk of a data folder: a store that cannot write at all cannot be mended either. */
  readonly diskFreeBytes: number
  /** Descriptors that a server keeps for the files of its store. */
  readonly descriptorsFree: number
}

/** What is usual, and between what it can be set; `about` says it in a few words. */
interface Limit {
  readonly usual: number
  readonly min: number
  readonly max: number
  readonly about: string
}

const kib = 1024
const mib = 1024 * kib
const unbounded = Number.MAX_SAFE_INTEGER

/** Every limit that can be set: the only list. */
export const limitTable: { readonly [Name in keyof Limits]: Limit } = {
  keyBytes: { usual: 256, min: 1, max: keyBytesCeiling, about: 'Bytes in the name of a key.' },
  depth: { usual: depthMax, min: 1, max: depthCeiling, about: 'Levels of nesting in a value.' },
  valueBytes: { usual: mib, min: 1, max: unbounded, about: 'Bytes of one value.' },
  keys: { usual: 10_000, min: 1, max: unbounded, about: 'Keys of one root.' },
  stateBytes: { usual: 64 * mib, min: 1, max: unbounded, about: 'Bytes of all values of one root.' },
  batch: { usual: 500, min: 1, max: unbounded, about: 'Operations of one batch or JSON Patch, keys of one patch.' },
  batchBytes: {
    usual: 8 * mib,
    min: 1,
    max: unbounded,
    about: 'Bytes that the operations of one batch read and write in all.',
  },
  treeDepth: { usual: 16, min: 1, max: unbounded, about: 'Levels of a tree of sessions.' },
  sessions: { usual: 10_000, min: 1, max: unbounded, about: 'Sessions of one root.' },
  waits: { usual: 2000, min: 1, max: unbounded, about: 'Open waits of one process for keys of one root.' },
  tokenRequests: {
    usual: 64,
    min: 1,
    max: unbounded,
    about: 'Requests of one token that a server works on at a time.',
  },
  tokenWaits: { usual: 200, min: 1, max: unbounded, about: 'Open waits of one token.' },
  tokenFeeds: { usual: 100, min: 1, max: unbounded, about: 'Open feeds of one token.' },
  subscriptions: { usual: 1000, min: 1, max: unbounded, about: 'Resources that one MCP client follows.' },
  rootDiskBytes: {
    usual: 4 * 1024 * mib,
    min: 64 * kib,
    max: unbounded,
    about: 'Bytes on disk of one root: its events, versions, remembered requests and blobs.',
  },
  blobBytes: { usual: 64 * mib, min: 1, max: unbounded, about: 'Bytes of one blob.' },
  requestBytes: { usual: 4 * mib, min: kib, max: 256 * mib, about: 'Bytes in the body of one request.' },
  requestValues: {
    usual: 250_000,
    min: 1000,
    max: unbounded,
    about: 'Values in the body of one request, nested ones counted.',
  },
  unreadMs: {
    usual: 30_000,
    min: 1,
    max: 3_600_000,
    about: 'Milliseconds after which a connection is closed that reads nothing of its answer.',
  },
  memoryBytes: {
    usual: 1024 * mib,
    min: 1,
    max: unbounded,
    about: 'Memory of a server in bytes; above it only the owner is served.',
  },
  lagMs: {
    usual: 500,
    min: 1,
    max: unbounded,
    about: 'Milliseconds that a server may be behind; above it only the owner is served.',
  },
  diskFreeBytes: {
    usual: 64 * mib,
    min: 0,
    max: unbounded,
    about: 'Bytes that must be free on the disk of the data folder; below it a server refuses all writes.',
  },
  descriptorsFree: {
    usual: 24,
    min: 0,
    max: unbounded,
    about: 'File descriptors that must be free; below it a server serves only the owner.',
  },
}

export const limitNames = Object.keys(limitTable) as (keyof Limits)[]

export const defaultLimits = Object.fromEntries(
  limitNames.map((name) => [name, limitTable[name].usual]),
) as unknown as Limits
