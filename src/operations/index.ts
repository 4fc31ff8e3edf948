import { projectUse } from './access/project-use.ts'
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './access/token.ts'
import { blobList } from './blobs/list.ts'
import { contextAppend } from './conversations/append.ts'
import { contextCompact } from './conversations/compact.ts'
import { contextCopy } from './conversations/copy.ts'
import { contextOverwrite } from './conversations/rewind.ts'
import { contextShow } from './conversations/show.ts'
import { leaseClaim, leaseHeartbeat, leaseList, leaseRelease } from './leases/lease.ts'
import { logAdopt } from './log/adopt.ts'
import { logList } from './log/list.ts'
import { logRows } from './log/rows.ts'
import { logWait } from './log/wait.ts'
import { runEnd, runList, runReport, runStart } from './runs/run.ts'
import { sessionCreate } from './sessions/create.ts'
import { sessionEnd } from './sessions/end.ts'
import { sessionFork } from './sessions/fork.ts'
import { sessionJoin } from './sessions/join.ts'
import { sessionList, sessionShow, sessionTree } from './sessions/read.ts'
import { stateAll } from './state/all.ts'
import { stateBatch } from './state/batch.ts'
import { stateClaim, stateHeartbeat, stateRelease } from './state/claim.ts'
import { stateDiff } from './state/diff.ts'
import { stateEvents } from './state/events.ts'
import { stateGet } from './state/get.ts'
import { stateHistory } from './state/history.ts'
import { stateInit } from './state/init.ts'
import { stateMutate } from './state/mutate.ts'
import { mutationMethods } from './state/mutations/index.ts'
import { statePatch } from './state/patch.ts'
import { stateReplace } from './state/replace.ts'
import { stateRestore } from './state/restore.ts'
import { schemaDelete, schemaList, schemaSet } from './state/schema.ts'
import { stateSummary } from './state/summary.ts'
import { stateWait } from './state/wait.ts'
import { stateWatch } from './state/watch.ts'
import { stateWhy } from './state/why.ts'
import { backup, compact, doctor, erase, gc, remove, restore } from './store/upkeep.ts'

/** Everything that can be asked of Cairn, by noun and verb: the only list. */
export const operations = {
  session: {
    create: sessionCreate,
    list: sessionList,
    show: sessionShow,
    tree: sessionTree,
    join: sessionJoin,
    end: sessionEnd,
    fork: sessionFork,
  },
  project: { use: projectUse },
  state: {
    init: stateInit,
    get: stateGet,
    all: stateAll,
    ...mutationMethods,
    replace: stateReplace,
    patch: statePatch,
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
  context: {
    append: contextAppend,
    show: contextShow,
    copy: contextCopy,
    overwrite: contextOverwrite,
    compact: contextCompact,
  },
  run: { start: runStart, report: runReport, end: runEnd, list: runList },
  schema: { set: schemaSet, list: schemaList, delete: schemaDelete },
  lease: { claim: leaseClaim, heartbeat: leaseHeartbeat, release: leaseRelease, list: leaseList },
  log: { list: logList, wait: logWait, rows: logRows, adopt: logAdopt },
  token: { create: tokenCreate, list: tokenList, revoke: tokenRevoke, rotate: tokenRotate },
  blob: { list: blobList },
  store: { doctor, backup, restore, compact, gc, erase, remove },
} as const

export type Operations = typeof operations
