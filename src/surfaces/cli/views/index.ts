import type { Answer } from '../../../domain/log/rows.ts'
import type { OperationName } from '../commands.ts'
import { terminalOf } from '../terminal.ts'
import { blobTable } from './blobs.ts'
import { eventTable, logTable } from './events.ts'
import { fields } from './fields.ts'
import { differences, historyTable, reasonTable, restored, summary } from './past.ts'
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
import {
  appended,
  batchTable,
  deleted,
  documentTable,
  oneValue,
  patchTable,
  replaced,
  waited,
  written,
} from './state.ts'
import { tokenTable } from './tokens.ts'
import { checkup } from './upkeep.ts'
import type { View } from './view.ts'

/** Operations with a view of their own; what any other answers is shown field by field. */
const views: Partial<Record<OperationName, View>> = {
  'session.create': createdSession,
  'session.list': sessionTable,
  'session.show': sessionFields,
  'session.tree': sessionTree,
  'session.end': endedSession,
  'session.fork': forkedSession,
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
  'state.events': eventTable,
  'state.history': historyTable,
  'state.diff': differences,
  'state.restore': restored,
  'state.summary': summary,
  'state.why': reasonTable,
  'state.wait': waited,
  'schema.set': schemaSet,
  'schema.list': schemaTable,
  'schema.delete': schemaDeleted,
  'log.list': logTable,
  'log.wait': logTable,
  'token.list': tokenTable,
  'blob.list': blobTable,
  'store.doctor': checkup,
}

export function view(operation: string, answer: Answer): string {
  const terminal = terminalOf(1)
  return (views[operation as OperationName] ?? fields)(answer, terminal)
}
