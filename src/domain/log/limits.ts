import { depthCeiling, depthMax } from '../../json/limits.ts'

/** A longer name does not fit into the indexes of every store: no store can be set to take one. */
export const keyBytesCeiling = 512
/** An entry of plan and journal is read by people and put into prompts: what is longer is a document. */
export const entryCharsCeiling = 100_000
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
  /** Characters of one text of the plan or the journal. */
  readonly entryChars: number
}

/** What no store can be set to go beyond: what was once taken in is held to this when it is read again. */
export const inputCeilings: InputLimits = {
  keyBytes: keyBytesCeiling,
  depth: depthCeiling,
  entryChars: entryCharsCeiling,
}

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
  /** Agents that one workflow brings, or one extension of it: the root is held while they are recorded. */
  readonly agents: number
  /** Phases that are added to one root; all of them stand in every overview. */
  readonly phases: number
  /** Plans of one phase. */
  readonly plans: number
  /** Tasks of one root, so that a loop in an agent cannot fill its plan. */
  readonly tasks: number
  /** Tasks that one task waits for, and those that wait for one: all of them are brought up to date when it is done. */
  readonly taskEdges: number
  /** How long a claimed task may go without a word of progress before anybody may take it back. */
  readonly taskStaleMs: number
  /** Entries of each kind in the journal of one root: a loop in an agent cannot fill it. */
  readonly journalEntries: number
  /** Build checkpoints of one root. */
  readonly buildCheckpoints: number
  /** Commits of one root. */
  readonly commits: number
  /** Files that one root names as what it made. */
  readonly artifacts: number
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
  /** What is kept of the output of one run: beyond it the middle is taken out. */
  readonly runOutputBytes: number
  /** How long a runner that has gone silent keeps others from the roots that it runs. */
  readonly runnerLeaseMs: number
  /** How long an agent may take to end after it was asked to, before it is killed. */
  readonly stopGraceMs: number
  /** How soon a server that died is started again by its keeper, the first time; then twice as long each time, up to thirty times. */
  readonly restartMs: number
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

/** What a place in the order of work has room for (`plan/order.ts`). */
export const phasesCeiling = 900
export const plansCeiling = 999
export const tasksCeiling = 99_999

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
  entryChars: {
    usual: 4000,
    min: 1,
    max: entryCharsCeiling,
    about: 'Characters of one text of the plan or the journal.',
  },
  phases: { usual: 100, min: 1, max: phasesCeiling, about: 'Phases added to one root.' },
  plans: { usual: 100, min: 1, max: plansCeiling, about: 'Plans of one phase.' },
  tasks: { usual: 20_000, min: 1, max: tasksCeiling, about: 'Tasks of one root.' },
  taskEdges: { usual: 1000, min: 1, max: 10_000, about: 'Tasks that one task waits for, or that wait for one.' },
  taskStaleMs: {
    usual: 1_800_000,
    min: 1,
    max: 7 * 24 * 3_600_000,
    about: 'Milliseconds without progress after which anybody may reset a claimed task.',
  },
  journalEntries: {
    usual: 10_000,
    min: 1,
    max: 1_000_000,
    about: 'Entries of each kind in the journal of one root: decisions, blockers, notes, files.',
  },
  buildCheckpoints: { usual: 1000, min: 1, max: 100_000, about: 'Build checkpoints of one root.' },
  commits: { usual: 10_000, min: 1, max: unbounded, about: 'Commits recorded in one root.' },
  artifacts: { usual: 1000, min: 1, max: 100_000, about: 'Artifacts of one root.' },
  sessions: { usual: 100_000, min: 1, max: unbounded, about: 'Sessions of one root.' },
  agents: { usual: 10_000, min: 1, max: unbounded, about: 'Agents of one workflow, or of one extension of it.' },
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
  runOutputBytes: {
    usual: 16 * mib,
    min: mib,
    max: unbounded,
    about: 'Bytes kept of the output of one run of an agent; the middle of more is cut.',
  },
  runnerLeaseMs: {
    usual: 30_000,
    min: 1000,
    max: 3_600_000,
    about: 'Milliseconds that a silent runner keeps others from its roots.',
  },
  stopGraceMs: {
    usual: 10_000,
    min: 0,
    max: 3_600_000,
    about: 'Milliseconds that an agent has to end after SIGTERM, before SIGKILL.',
  },
  restartMs: {
    usual: 1000,
    min: 10,
    max: 60_000,
    about: 'Milliseconds before a server that died is started again; twice as many each time, up to 30 times.',
  },
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
