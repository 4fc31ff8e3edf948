import type { Answer } from '../../../domain/log/rows.ts'
import type { OperationName } from '../commands.ts'
import { terminalOf } from '../terminal.ts'
import { blobTable } from './blobs.ts'
import { appendedMessage, compactedContext, copiedSession, overwritten, transcript } from './conversations.ts'
import { eventTable, logTable } from './events.ts'
import { fields } from './fields.ts'
import { fileTable, fileText } from './folders.ts'
import {
  answered,
  blockerChanged,
  blockerTable,
  decided,
  decisionTable,
  journalUpdated,
  moved,
  needTable,
  nextSet,
  noted,
} from './journal.ts'
import { brief, journal } from './journal-page.ts'
import { claimed, extended, leaseTable, released } from './leases.ts'
import { artifactAdded, artifactTable, commitAdded, commitTable, gitSaid, statusSaid } from './manifest.ts'
import { differences, historyTable, reasonTable, restored, summary } from './past.ts'
import {
  checkpointSaid,
  checkpointTable,
  phaseSaid,
  phaseTable,
  planAdded,
  planView,
  taskAdded,
  taskClaimed,
  taskDone,
  taskRewired,
  taskSaid,
  taskTable,
} from './plan.ts'
import { runTable } from './runs.ts'
import { schemaDeleted, schemaSet, schemaTable } from './schemas.ts'
import {
  createdSession,
  endedSession,
  forkedSession,
  sessionFields,
  sessionTable,
  sessionTree,
  usedSession,
} from './sessions.ts'
import { sittingEnded, sittingStarted, sittingTable } from './sittings.ts'
import {
  appended,
  batchTable,
  deleted,
  documentTable,
  mutated,
  oneValue,
  patchTable,
  rawValue,
  replaced,
  waited,
  written,
} from './state.ts'
import { createdToken, revokedToken, rotatedToken, tokenTable } from './tokens.ts'
import { backedUp, checkup, collected, compacted, erased, removed, restoredStore } from './upkeep.ts'
import type { Around, View } from './view.ts'
import { workDifferences } from './workflow/differences.ts'
import { askedView, extendedView, spawnedView, statusView, steeredView } from './workflow/status.ts'

/** Operations with a view of their own; what any other answers is shown field by field. */
const views: Partial<Record<OperationName, View>> = {
  'session.create': createdSession,
  'session.list': sessionTable,
  'session.show': sessionFields,
  'session.tree': sessionTree,
  'session.end': endedSession,
  'session.fork': forkedSession,
  'session.status': statusView,
  'session.start': steeredView,
  'session.pause': steeredView,
  'session.resume': steeredView,
  'session.cancel': steeredView,
  'session.retry': steeredView,
  'session.approve': steeredView,
  'session.answer': steeredView,
  'session.ask': askedView,
  'session.spawn': spawnedView,
  'workflow.extend': extendedView,
  'project.use': usedSession,
  'state.init': replaced,
  'state.get': oneValue,
  'state.all': documentTable,
  'state.set': written,
  'state.delete': deleted,
  'state.replace': replaced,
  'state.increment': written,
  'state.append': appended,
  'state.merge': written,
  'state.patch': patchTable,
  'state.jsonPatch': written,
  'state.min': written,
  'state.max': written,
  'state.setIfAbsent': written,
  'state.counterAdd': written,
  'state.setAdd': appended,
  'state.setRemove': appended,
  'state.registerSet': written,
  'state.batch': batchTable,
  'state.mutate': mutated,
  'state.events': eventTable,
  'state.history': historyTable,
  'state.diff': differences,
  'state.restore': restored,
  'state.summary': summary,
  'state.why': reasonTable,
  'state.wait': waited,
  'context.append': appendedMessage,
  'context.show': transcript,
  'context.overwrite': overwritten,
  'context.copy': copiedSession,
  'context.compact': compactedContext,
  'journal.show': journal,
  'journal.brief': brief,
  'journal.diff': workDifferences,
  'journal.update': journalUpdated,
  'journal.position': moved,
  'journal.next': nextSet,
  'journal.note': noted,
  'journal.answer': answered,
  'decision.add': decided,
  'decision.list': decisionTable,
  'blocker.add': blockerChanged,
  'blocker.bypass': blockerChanged,
  'blocker.resolve': blockerChanged,
  'blocker.list': blockerTable,
  'need.list': needTable,
  'need.all': needTable,
  'sitting.start': sittingStarted,
  'sitting.end': sittingEnded,
  'sitting.list': sittingTable,
  'session.setStatus': statusSaid,
  'phase.enter': phaseSaid,
  'phase.done': phaseSaid,
  'phase.add': phaseSaid,
  'phase.list': phaseTable,
  'plan.add': planAdded,
  'plan.show': planView,
  'task.add': taskAdded,
  'task.list': taskTable,
  'task.ready': taskTable,
  'task.claim': taskClaimed,
  'task.progress': taskSaid,
  'task.done': taskDone,
  'task.block': taskSaid,
  'task.reset': taskSaid,
  'task.after': taskRewired,
  'checkpoint.add': checkpointSaid,
  'checkpoint.start': checkpointSaid,
  'checkpoint.complete': checkpointSaid,
  'checkpoint.list': checkpointTable,
  'git.set': gitSaid,
  'commit.add': commitAdded,
  'commit.list': commitTable,
  'artifact.add': artifactAdded,
  'artifact.list': artifactTable,
  'schema.set': schemaSet,
  'schema.list': schemaTable,
  'schema.delete': schemaDeleted,
  'state.claim': claimed,
  'state.heartbeat': extended,
  'state.release': released,
  'lease.claim': claimed,
  'lease.heartbeat': extended,
  'lease.release': released,
  'lease.list': leaseTable,
  'log.list': logTable,
  'log.wait': logTable,
  'token.create': createdToken,
  'token.list': tokenTable,
  'token.revoke': revokedToken,
  'token.rotate': rotatedToken,
  'blob.list': blobTable,
  'folder.list': fileTable,
  'folder.read': fileText,
  'store.doctor': checkup,
  'store.backup': backedUp,
  'store.restore': restoredStore,
  'store.compact': compacted,
  'run.list': runTable,
  'store.gc': collected,
  'store.erase': erased,
  'store.remove': removed,
}

/** Views that call sessions by their names, which are asked for then. */
const naming: ReadonlySet<string> = new Set<OperationName>([
  'state.all',
  'state.events',
  'schema.list',
  'journal.show',
  'decision.list',
  'blocker.list',
  'sitting.list',
  'log.list',
  'log.wait',
  'task.list',
])

export function callsByName(operation: string): boolean {
  return naming.has(operation)
}

export function view(operation: string, answer: Answer, around: Around): string {
  return (views[operation as OperationName] ?? fields)(answer, terminalOf(1), around)
}

/** One value as it is. */
export function rawView(answer: Answer, around: Around): string {
  return rawValue(answer, terminalOf(1), around)
}
