import { flag, optional, text } from '../../../domain/log/input-schema.ts'
import type { OperationName } from './commands.ts'
import type { Flag } from './flag.ts'
import type { Presentation } from './presentation.ts'

const sessions = () => import('../views/sessions.ts')
const status = () => import('../views/workflow/status.ts')
const state = () => import('../views/state.ts')
const events = () => import('../views/events.ts')
const past = () => import('../views/past.ts')
const conversations = () => import('../views/conversations.ts')
const journalPage = () => import('../views/journal-page.ts')
const differences = () => import('../views/workflow/differences.ts')
const journal = () => import('../views/journal.ts')
const sittings = () => import('../views/sittings.ts')
const manifest = () => import('../views/manifest.ts')
const plan = () => import('../views/plan.ts')
const schemas = () => import('../views/schemas.ts')
const leases = () => import('../views/leases.ts')
const tokens = () => import('../views/tokens.ts')
const blobs = () => import('../views/blobs.ts')
const folders = () => import('../views/folders.ts')
const upkeep = () => import('../views/upkeep.ts')
const runs = () => import('../views/runs.ts')

const raw: Flag = {
  name: 'raw',
  schema: optional(flag('Print a string without quotes and escapes; other values as JSON.')),
}
const follow: Flag = {
  name: 'follow',
  short: 'f',
  schema: optional(
    flag('Then show each event as it happens, until interrupted; with --json one document per line (NDJSON).'),
  ),
}

const waitForTask: Flag = {
  name: 'wait',
  schema: optional(
    text('If no task is ready, wait so long for one: 30s, 10m; with no task left, stop at once.', { max: 32 }),
  ),
}

/** What is done for an operation besides asking it; of any other, the answer is shown field by field. */
const presentations: { readonly [Name in OperationName]?: Presentation<Name> } = {
  'session.create': { view: async () => (await sessions()).createdSession },
  'session.list': { view: async () => (await sessions()).sessionTable },
  'session.show': { view: async () => (await sessions()).sessionFields },
  'session.tree': { view: async () => (await sessions()).sessionTree },
  'session.end': {
    prepare: async (asked) => (await import('../asking/chosen-session.ts')).withSession(asked),
    view: async () => (await sessions()).endedSession,
  },
  'session.fork': { view: async () => (await sessions()).forkedSession },
  'session.status': { view: async () => (await status()).statusView },
  'session.start': { view: async () => (await status()).steeredView },
  'session.pause': { view: async () => (await status()).steeredView },
  'session.resume': { view: async () => (await status()).steeredView },
  'session.cancel': { view: async () => (await status()).steeredView },
  'session.retry': { view: async () => (await status()).steeredView },
  'session.approve': { view: async () => (await status()).steeredView },
  'session.answer': { view: async () => (await status()).steeredView },
  'session.ask': { view: async () => (await status()).askedView },
  'session.spawn': { view: async () => (await status()).spawnedView },
  'workflow.extend': { view: async () => (await status()).extendedView },
  'project.use': { view: async () => (await sessions()).usedSession },
  'state.init': { view: async () => (await state()).replaced },
  'state.get': {
    flags: [raw],
    prepare: async (asked) => (await import('../asking/raw-value.ts')).unlessJson(asked),
    view: async () => (await state()).oneValue,
  },
  'state.all': { view: async () => (await state()).documentTable, callsByName: true },
  'state.set': { view: async () => (await state()).written },
  'state.delete': { view: async () => (await state()).deleted },
  'state.replace': { view: async () => (await state()).replaced },
  'state.increment': { view: async () => (await state()).written },
  'state.append': { view: async () => (await state()).appended },
  'state.merge': { view: async () => (await state()).written },
  'state.patch': { view: async () => (await state()).patchTable },
  'state.jsonPatch': { view: async () => (await state()).written },
  'state.min': { view: async () => (await state()).written },
  'state.max': { view: async () => (await state()).written },
  'state.setIfAbsent': { view: async () => (await state()).written },
  'state.counterAdd': { view: async () => (await state()).written },
  'state.setAdd': { view: async () => (await state()).appended },
  'state.setRemove': { view: async () => (await state()).appended },
  'state.registerSet': { view: async () => (await state()).written },
  'state.batch': { view: async () => (await state()).batchTable },
  'state.mutate': { view: async () => (await state()).mutated },
  'state.events': { view: async () => (await events()).eventTable, callsByName: true },
  'state.history': { view: async () => (await past()).historyTable },
  'state.diff': { view: async () => (await past()).differences },
  'state.restore': { view: async () => (await past()).restored },
  'state.summary': { view: async () => (await past()).summary },
  'state.why': { view: async () => (await past()).reasonTable },
  'state.wait': { view: async () => (await state()).waited },
  'context.append': {
    fileLimit: 'blobBytes',
    prepare: async (asked) => (await import('../asking/context-message.ts')).sentMessage(asked),
    view: async () => (await conversations()).appendedMessage,
  },
  'context.show': {
    // People read a transcript; programs get the messages in the form of their provider.
    prepare: async ({ request: { input }, json }) =>
      json || input.format !== undefined ? input : { ...input, format: 'text' },
    view: async () => (await conversations()).transcript,
  },
  'context.overwrite': { view: async () => (await conversations()).overwritten },
  'context.copy': { view: async () => (await conversations()).copiedSession },
  'context.compact': { view: async () => (await conversations()).compactedContext },
  'journal.show': { view: async () => (await journalPage()).journal, callsByName: true },
  'journal.brief': { view: async () => (await journalPage()).brief },
  'journal.diff': { view: async () => (await differences()).workDifferences },
  'journal.update': { view: async () => (await journal()).journalUpdated },
  'journal.position': { view: async () => (await journal()).moved },
  'journal.next': { view: async () => (await journal()).nextSet },
  'journal.note': { view: async () => (await journal()).noted },
  'journal.answer': { view: async () => (await journal()).answered },
  'decision.add': { view: async () => (await journal()).decided },
  'decision.list': { view: async () => (await journal()).decisionTable, callsByName: true },
  'blocker.add': { view: async () => (await journal()).blockerChanged },
  'blocker.bypass': { view: async () => (await journal()).blockerChanged },
  'blocker.resolve': { view: async () => (await journal()).blockerChanged },
  'blocker.list': { view: async () => (await journal()).blockerTable, callsByName: true },
  'need.list': { view: async () => (await journal()).needTable },
  'need.all': { view: async () => (await journal()).needTable },
  'sitting.start': { view: async () => (await sittings()).sittingStarted },
  'sitting.end': { view: async () => (await sittings()).sittingEnded },
  'sitting.list': { view: async () => (await sittings()).sittingTable, callsByName: true },
  'session.setStatus': { view: async () => (await manifest()).statusSaid },
  'phase.enter': { view: async () => (await plan()).phaseSaid },
  'phase.done': { view: async () => (await plan()).phaseSaid },
  'phase.add': { view: async () => (await plan()).phaseSaid },
  'phase.list': { view: async () => (await plan()).phaseTable },
  'plan.add': { view: async () => (await plan()).planAdded },
  'plan.show': { view: async () => (await plan()).planView },
  'task.add': { view: async () => (await plan()).taskAdded },
  'task.list': { view: async () => (await plan()).taskTable, callsByName: true },
  'task.ready': { view: async () => (await plan()).taskTable },
  'task.claim': {
    flags: [waitForTask],
    perform: async (asked, input) => (await import('../asking/claimed-task.ts')).claimedTask(asked, input),
    view: async () => (await plan()).taskClaimed,
  },
  'task.wait': { view: async () => (await plan()).taskAwaited },
  'task.progress': { view: async () => (await plan()).taskProgressed },
  'task.done': { view: async () => (await plan()).taskDone },
  'task.block': { view: async () => (await plan()).taskBlocked },
  'task.reset': { view: async () => (await plan()).taskReset },
  'task.after': { view: async () => (await plan()).taskRewired },
  'checkpoint.add': { view: async () => (await plan()).checkpointSaid },
  'checkpoint.start': { view: async () => (await plan()).checkpointSaid },
  'checkpoint.complete': { view: async () => (await plan()).checkpointSaid },
  'checkpoint.list': { view: async () => (await plan()).checkpointTable },
  'git.set': { view: async () => (await manifest()).gitSaid },
  'commit.add': { view: async () => (await manifest()).commitAdded },
  'commit.list': { view: async () => (await manifest()).commitTable },
  'artifact.add': { view: async () => (await manifest()).artifactAdded },
  'artifact.list': { view: async () => (await manifest()).artifactTable },
  'schema.set': { view: async () => (await schemas()).schemaSet },
  'schema.list': { view: async () => (await schemas()).schemaTable, callsByName: true },
  'schema.delete': { view: async () => (await schemas()).schemaDeleted },
  'state.claim': { view: async () => (await leases()).claimed },
  'state.heartbeat': { view: async () => (await leases()).extended },
  'state.release': { view: async () => (await leases()).released },
  'lease.claim': { view: async () => (await leases()).claimed },
  'lease.heartbeat': { view: async () => (await leases()).extended },
  'lease.release': { view: async () => (await leases()).released },
  'lease.list': { view: async () => (await leases()).leaseTable },
  'log.list': {
    flags: [follow],
    follow: async (asked) => (await import('../asking/event-lines.ts')).followLog(asked),
    view: async () => (await events()).logTable,
    callsByName: true,
  },
  'log.wait': {
    check: async (...given) => (await import('../asking/late-page.ts')).refuseLate(...given),
    view: async () => (await events()).logTable,
    callsByName: true,
  },
  'token.create': { view: async () => (await tokens()).createdToken },
  'token.list': { view: async () => (await tokens()).tokenTable },
  'token.revoke': { view: async () => (await tokens()).revokedToken },
  'token.rotate': { view: async () => (await tokens()).rotatedToken },
  'blob.list': { view: async () => (await blobs()).blobTable },
  'folder.list': { view: async () => (await folders()).fileTable },
  'folder.read': { view: async () => (await folders()).fileText },
  'store.doctor': {
    prepare: async (asked) => (await import('../asking/open-token.ts')).closeOpenToken(asked),
    view: async () => (await upkeep()).checkup,
  },
  'store.backup': { view: async () => (await upkeep()).backedUp },
  'store.restore': { view: async () => (await upkeep()).restoredStore },
  'store.compact': { view: async () => (await upkeep()).compacted },
  'run.list': { view: async () => (await runs()).runTable },
  'store.gc': { view: async () => (await upkeep()).collected },
  'store.erase': { view: async () => (await upkeep()).erased },
  'store.remove': { view: async () => (await upkeep()).removed },
}

const none: Presentation = {}

export function presentationOf(operation: string): Presentation {
  return (presentations as { readonly [name: string]: Presentation | undefined })[operation] ?? none
}
