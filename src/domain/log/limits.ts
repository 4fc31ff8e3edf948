/** A key is a name people read in tables and type in shells; longer ones are data in disguise. */
export const keyBytesMax = 256
/** Names of sessions stand in tables, folders and prompts. */
export const nameBytesMax = 128
/** A page of a list is read by people and models; programs follow the cursor. */
export const pageMax = 1000

/** What a root may hold. Each is a setting of that name; these are the defaults. */
export interface Limits {
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
  /** One blob: a large result or an image of a conversation. */
  readonly blobBytes: number
}

export const defaultLimits: Limits = {
  valueBytes: 1024 * 1024,
  keys: 10_000,
  stateBytes: 64 * 1024 * 1024,
  batch: 500,
  batchBytes: 8 * 1024 * 1024,
  treeDepth: 16,
  sessions: 10_000,
  waits: 2000,
  blobBytes: 64 * 1024 * 1024,
}
