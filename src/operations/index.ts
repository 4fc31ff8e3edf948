import { leaseClaim, leaseHeartbeat, leaseList, leaseRelease } from './lease.ts'
import { logList } from './log-list.ts'
import { projectUse } from './project-use.ts'
import { schemaDelete, schemaList, schemaSet } from './schema.ts'
import { sessionCreate } from './session-create.ts'
import { sessionEnd } from './session-end.ts'
import { sessionList, sessionShow, sessionTree } from './session-read.ts'
import { stateAll } from './state-all.ts'
import { stateAppend } from './state-append.ts'
import { stateBatch } from './state-batch.ts'
import { stateClaim, stateHeartbeat, stateRelease } from './state-claim.ts'
import { stateCounterAdd } from './state-counter-add.ts'
import { stateDelete } from './state-delete.ts'
import { stateDiff } from './state-diff.ts'
import { stateEvents } from './state-events.ts'
import { stateGet } from './state-get.ts'
import { stateHistory } from './state-history.ts'
import { stateIncrement } from './state-increment.ts'
import { stateInit } from './state-init.ts'
import { stateJsonPatch } from './state-json-patch.ts'
import { stateMax } from './state-max.ts'
import { stateMerge } from './state-merge.ts'
import { stateMin } from './state-min.ts'
import { stateMutate } from './state-mutate.ts'
import { statePatch } from './state-patch.ts'
import { stateRegisterSet } from './state-register-set.ts'
import { stateReplace } from './state-replace.ts'
import { stateRestore } from './state-restore.ts'
import { stateSet } from './state-set.ts'
import { stateSetAdd } from './state-set-add.ts'
import { stateSetIfAbsent } from './state-set-if-absent.ts'
import { stateSetRemove } from './state-set-remove.ts'
import { stateSummary } from './state-summary.ts'
import { stateWait } from './state-wait.ts'
import { stateWatch } from './state-watch.ts'
import { stateWhy } from './state-why.ts'
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './token.ts'
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
    counterAdd: stateCounterAdd,
    setAdd: stateSetAdd,
    setRemove: stateSetRemove,
    registerSet: stateRegisterSet,
    patch: statePatch,
    jsonPatch: stateJsonPatch,
    min: stateMin,
    max: stateMax,
    setIfAbsent: stateSetIfAbsent,
    mutate: stateMutate,
    batch: stateBatch,
    events: stateEvents,
    history: stateHistory,
    diff: stateDiff,
    restore: stateRestore,
    summary: stateSummary,
    why: stateWhy,
    wait: stateWait,
    watch: stateWatch,
    claim: stateClaim,
    heartbeat: stateHeartbeat,
    release: stateRelease,
  },
  schema: { set: schemaSet, list: schemaList, delete: schemaDelete },
  lease: { claim: leaseClaim, heartbeat: leaseHeartbeat, release: leaseRelease, list: leaseList },
  log: { list: logList },
  token: { create: tokenCreate, list: tokenList, revoke: tokenRevoke, rotate: tokenRotate },
  store: { doctor, backup, restore, compact, gc, erase, remove },
} as const

export type Operations = typeof operations
