import { projectUse } from './access/project-use.ts'
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './access/token.ts'
import { blobList } from './blobs/list.ts'
import { journalBrief } from './brief/brief.ts'
import { contextAppend } from './conversations/append.ts'
import { contextCompact } from './conversations/compact.ts'
import { contextCopy } from './conversations/copy.ts'
import { contextOverwrite } from './conversations/rewind.ts'
import { contextShow } from './conversations/show.ts'
import { folderList, folderRead } from './folders/files.ts'
import { projectInit, projectOnboard } from './folders/project.ts'
import { journalAnswer } from './journal/answer.ts'
import { blockerAdd, blockerBypass, blockerResolve } from './journal/blocker.ts'
import { decisionAdd } from './journal/decision.ts'
import { journalDiff } from './journal/diff.ts'
import { blockerList, decisionList } from './journal/lists.ts'
import { needAll, needList } from './journal/need.ts'
import { journalPosition } from './journal/position.ts'
import { journalShow } from './journal/show.ts'
import { journalNext, journalNote, journalUpdate } from './journal/update.ts'
import { leaseClaim, leaseHeartbeat, leaseList, leaseRelease } from './leases/lease.ts'
import { logAdopt } from './log/adopt.ts'
import { logList } from './log/list.ts'
import { logRows } from './log/rows.ts'
import { logTimes } from './log/times.ts'
import { logWait } from './log/wait.ts'
import { artifactAdd, artifactList } from './manifest/artifacts.ts'
import { commitAdd, commitList } from './manifest/commits.ts'
import { gitSet } from './manifest/git.ts'
import { manifestShow } from './manifest/show.ts'
import { checkpointAdd, checkpointComplete, checkpointList, checkpointStart } from './plan/checkpoints.ts'
import { phaseAdd, phaseDone, phaseEnter, phaseList } from './plan/phases.ts'
import { planAdd, planShow } from './plan/plans.ts'
import { taskAdd } from './plan/tasks/add.ts'
import { taskBlock } from './plan/tasks/block.ts'
import { taskClaim } from './plan/tasks/claim.ts'
import { taskDone, taskProgressed } from './plan/tasks/finish.ts'
import { taskList, taskReady } from './plan/tasks/list.ts'
import { taskReset } from './plan/tasks/reset.ts'
import { taskAfter } from './plan/tasks/rewire.ts'
import { taskWait } from './plan/tasks/wait.ts'
import { runEnd, runList, runReport, runStart } from './runs/run.ts'
import { sittingEnd, sittingList, sittingStart } from './runs/sitting.ts'
import { sessionCreate } from './sessions/create.ts'
import { sessionEnd } from './sessions/end.ts'
import { sessionFork } from './sessions/fork.ts'
import { sessionJoin } from './sessions/join.ts'
import { sessionList, sessionShow, sessionTree } from './sessions/read.ts'
import { sessionSetStatus } from './sessions/set-status.ts'
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
import { workflowCheckpoint } from './workflow/checkpoint.ts'
import { workflowExtend } from './workflow/extend.ts'
import { workflowRecovery } from './workflow/recovery.ts'
import { sessionSpawn } from './workflow/spawn.ts'
import { sessionStatus } from './workflow/status.ts'
import { sessionAnswer, sessionAsk } from './workflow/steering/answering.ts'
import { sessionApprove } from './workflow/steering/approve.ts'
import { sessionCancel } from './workflow/steering/cancel.ts'
import { sessionPause } from './workflow/steering/pause.ts'
import { sessionResume } from './workflow/steering/resume.ts'
import { sessionRetry } from './workflow/steering/retry.ts'
import { sessionStart } from './workflow/steering/start.ts'
import { workflowStep } from './workflow/step.ts'

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
    start: sessionStart,
    pause: sessionPause,
    resume: sessionResume,
    cancel: sessionCancel,
    retry: sessionRetry,
    approve: sessionApprove,
    ask: sessionAsk,
    answer: sessionAnswer,
    spawn: sessionSpawn,
    status: sessionStatus,
    setStatus: sessionSetStatus,
  },
  project: { use: projectUse, init: projectInit, onboard: projectOnboard },
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
  phase: { enter: phaseEnter, done: phaseDone, add: phaseAdd, list: phaseList },
  plan: { add: planAdd, show: planShow },
  task: {
    add: taskAdd,
    list: taskList,
    ready: taskReady,
    wait: taskWait,
    claim: taskClaim,
    progress: taskProgressed,
    done: taskDone,
    block: taskBlock,
    reset: taskReset,
    after: taskAfter,
  },
  checkpoint: {
    add: checkpointAdd,
    start: checkpointStart,
    complete: checkpointComplete,
    list: checkpointList,
  },
  manifest: { show: manifestShow },
  git: { set: gitSet },
  commit: { add: commitAdd, list: commitList },
  artifact: { add: artifactAdd, list: artifactList },
  journal: {
    show: journalShow,
    update: journalUpdate,
    position: journalPosition,
    next: journalNext,
    note: journalNote,
    answer: journalAnswer,
    brief: journalBrief,
    diff: journalDiff,
  },
  decision: { add: decisionAdd, list: decisionList },
  blocker: { add: blockerAdd, bypass: blockerBypass, resolve: blockerResolve, list: blockerList },
  need: { list: needList, all: needAll },
  sitting: { start: sittingStart, end: sittingEnd, list: sittingList },
  schema: { set: schemaSet, list: schemaList, delete: schemaDelete },
  workflow: { checkpoint: workflowCheckpoint, recovery: workflowRecovery, extend: workflowExtend, step: workflowStep },
  lease: { claim: leaseClaim, heartbeat: leaseHeartbeat, release: leaseRelease, list: leaseList },
  log: { list: logList, wait: logWait, rows: logRows, times: logTimes, adopt: logAdopt },
  token: { create: tokenCreate, list: tokenList, revoke: tokenRevoke, rotate: tokenRotate },
  blob: { list: blobList },
  folder: { list: folderList, read: folderRead },
  store: { doctor, backup, restore, compact, gc, erase, remove },
} as const

export type Operations = typeof operations
