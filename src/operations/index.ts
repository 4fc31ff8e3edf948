import { leaseClaim, leaseHeartbeat, leaseList, leaseRelease } from './lease.ts'
import { logList } from './log-list.ts'
import { projectUse } from './project-use.ts'
import { sessionCreate } from './session-create.ts'
import { sessionEnd } from './session-end.ts'
import { sessionList, sessionShow, sessionTree } from './session-read.ts'
import { stateAll } from './state-all.ts'
import { stateAppend } from './state-append.ts'
import { stateBatch } from './state-batch.ts'
import { stateDelete } from './state-delete.ts'
import { stateEvents } from './state-events.ts'
import { stateGet } from './state-get.ts'
import { stateIncrement } from './state-increment.ts'
import { stateInit } from './state-init.ts'
import { stateMerge } from './state-merge.ts'
import { stateReplace } from './state-replace.ts'
import { stateSet } from './state-set.ts'
import { backup, compact, doctor, erase, gc, remove, restore } from './upkeep.ts'

/** Everything that can be asked of Cairn, by noun and verb: the only list. */
export const operations = {
  session: { create: sessionCreate, list: sessionList, show: sessionShow, tree: sessionTree, end: sessionEnd },
  project: { use: projectUse },
  state: {
    init: stateInit,
    get: stateGet,
    all: stateAll,
    set: stateSet,
    delete: stateDelete,
    replace: stateReplace,
    increment: stateIncrement,
    append: stateAppend,
    merge: stateMerge,
    batch: stateBatch,
    events: stateEvents,
  },
  lease: { claim: leaseClaim, heartbeat: leaseHeartbeat, release: leaseRelease, list: leaseList },
  log: { list: logList },
  store: { doctor, backup, restore, compact, gc, erase, remove },
} as const

export type Operations = typeof operations
