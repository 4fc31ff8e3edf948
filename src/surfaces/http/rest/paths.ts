import { mutations } from '../../../operations/state/mutations/index.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** How HTTP names an operation; what is not said here comes from the operation's own input. */
export interface Path {
  readonly method: (typeof methods)[number]
  /** Members of the input stand in braces. */
  readonly path: string
  readonly operation: string
  /** 200 unless given; with 204 there is no body. */
  readonly status?: 201 | 204
  /** The member that the whole body is. */
  readonly body?: string
  /** The content type that chooses this one among operations of the same method and path. */
  readonly type?: 'application/merge-patch+json' | 'application/json-patch+json'
  /** The value of the body's member `operation` that chooses this one, likewise. */
  readonly when?: string
  /** What chooses this one if it stands in the query, likewise. */
  readonly given?: string
  /** What chooses it too, and what that means to have. */
  readonly alsoGiven?: { readonly name: string; readonly defaults: NonNullable<Path['defaults']> }
  /** Members that have another name over HTTP. */
  readonly names?: Readonly<Record<string, string>>
  /** Members that a request without them means to have. */
  readonly defaults?: Readonly<Record<string, number | string>>
  /** Headers that are members. */
  readonly headers?: Readonly<Record<string, string>>
  /** The version in the answer is its ETag, and `If-Match` expects one. */
  readonly etag?: true
  /** Over what is there it writes only with a precondition. */
  readonly guarded?: true
  /** The answer also has the whole document as it was right after. */
  readonly shows?: 'document'
}

const session = '/sessions/{session}'
const state = `${session}/state`
const key = `${state}/keys/{key}`
const mergePatch = 'application/merge-patch+json'
const jsonPatch = 'application/json-patch+json'

/** These have a method of HTTP's own. */
const withMethods: ReadonlySet<string> = new Set(['set', 'delete', 'json_patch'])

/** What can be done to a key by the word for it, without knowing its version. */
const ops = Object.entries(mutations)
  .filter(([word]) => !withMethods.has(word))
  .map(([when, { name }]): Path => ({ method: 'POST', path: `${key}/ops`, operation: name, when, etag: true }))

/** All of REST at a glance. Every operation can also be called by its name: POST /operations/{name}. */
export const paths: readonly Path[] = [
  { method: 'POST', path: '/sessions', operation: 'session.create', status: 201 },
  { method: 'GET', path: '/sessions', operation: 'session.list' },
  { method: 'GET', path: session, operation: 'session.show' },
  { method: 'GET', path: `${session}/tree`, operation: 'session.tree' },
  { method: 'POST', path: `${session}/end`, operation: 'session.end' },
  { method: 'POST', path: `${session}/fork`, operation: 'session.fork', status: 201 },
  { method: 'GET', path: `${session}/status`, operation: 'session.status' },
  { method: 'POST', path: `${session}/start`, operation: 'session.start' },
  { method: 'POST', path: `${session}/pause`, operation: 'session.pause' },
  { method: 'POST', path: `${session}/resume`, operation: 'session.resume' },
  { method: 'POST', path: `${session}/cancel`, operation: 'session.cancel' },
  { method: 'POST', path: `${session}/retry`, operation: 'session.retry' },
  { method: 'POST', path: `${session}/approve`, operation: 'session.approve' },
  { method: 'POST', path: `${session}/answer`, operation: 'session.answer' },
  { method: 'POST', path: `${session}/ask`, operation: 'session.ask', status: 201 },
  { method: 'POST', path: `${session}/spawn`, operation: 'session.spawn', status: 201 },
  { method: 'GET', path: `${session}/checkpoint`, operation: 'workflow.checkpoint' },
  { method: 'GET', path: `${session}/recovery`, operation: 'workflow.recovery' },
  { method: 'POST', path: `${session}/workflow`, operation: 'workflow.extend', status: 201 },
  { method: 'POST', path: `${session}/use`, operation: 'project.use' },
  { method: 'GET', path: `${session}/events`, operation: 'log.list', defaults: { since: 0 } },
  {
    method: 'GET',
    path: `${session}/events`,
    operation: 'log.wait',
    given: 'wait',
    names: { wait: 'timeout' },
    // Who asks for types of events without waiting is told what there is.
    alsoGiven: { name: 'type', defaults: { since: 0, timeout: '0' } },
  },
  { method: 'GET', path: `${session}/rows`, operation: 'log.rows' },
  { method: 'GET', path: `${session}/times`, operation: 'log.times' },

  { method: 'GET', path: state, operation: 'state.all', etag: true },
  { method: 'POST', path: state, operation: 'state.init', status: 201, etag: true },
  { method: 'PUT', path: state, operation: 'state.replace', etag: true, guarded: true },
  {
    method: 'PATCH',
    path: state,
    operation: 'state.patch',
    body: 'patch',
    type: mergePatch,
    headers: { 'x-merge-strategy': 'strategy' },
    etag: true,
    shows: 'document',
  },
  { method: 'POST', path: `${state}/batch`, operation: 'state.batch' },
  { method: 'GET', path: `${state}/events`, operation: 'state.events' },
  { method: 'POST', path: `${state}/events`, operation: 'state.mutate', status: 201, body: 'mutation' },
  { method: 'GET', path: `${state}/diff`, operation: 'state.diff' },
  { method: 'POST', path: `${state}/restore`, operation: 'state.restore' },
  { method: 'GET', path: `${state}/summary`, operation: 'state.summary' },

  { method: 'GET', path: key, operation: 'state.get', etag: true },
  { method: 'PUT', path: key, operation: 'state.set', etag: true, guarded: true },
  { method: 'DELETE', path: key, operation: 'state.delete', status: 204, etag: true },
  { method: 'PATCH', path: key, operation: 'state.merge', body: 'patch', type: mergePatch, etag: true },
  { method: 'PATCH', path: key, operation: 'state.jsonPatch', body: 'operations', type: jsonPatch, etag: true },
  ...ops,
  { method: 'GET', path: `${key}/history`, operation: 'state.history' },
  { method: 'GET', path: `${key}/why`, operation: 'state.why' },
  { method: 'GET', path: `${key}/wait`, operation: 'state.wait', etag: true },
  { method: 'POST', path: `${key}/claim`, operation: 'state.claim' },
  { method: 'POST', path: `${key}/heartbeat`, operation: 'state.heartbeat' },
  { method: 'POST', path: `${key}/release`, operation: 'state.release' },

  { method: 'POST', path: `${session}/context`, operation: 'context.append', status: 201 },
  { method: 'GET', path: `${session}/context`, operation: 'context.show' },
  { method: 'POST', path: `${session}/context/compact`, operation: 'context.compact', status: 201 },
  { method: 'POST', path: `${session}/copy`, operation: 'context.copy', status: 201 },
  { method: 'POST', path: `${session}/overwrite`, operation: 'context.overwrite' },

  { method: 'GET', path: `${session}/runs`, operation: 'run.list' },
  { method: 'POST', path: `${session}/runs`, operation: 'run.start', status: 201 },
  { method: 'POST', path: `${session}/runs/{run}/report`, operation: 'run.report' },
  { method: 'POST', path: `${session}/runs/{run}/end`, operation: 'run.end' },

  { method: 'POST', path: `${session}/status`, operation: 'session.setStatus' },
  { method: 'GET', path: `${session}/plan`, operation: 'plan.show' },
  { method: 'POST', path: `${session}/plans`, operation: 'plan.add', status: 201 },
  { method: 'GET', path: `${session}/phases`, operation: 'phase.list' },
  { method: 'POST', path: `${session}/phases`, operation: 'phase.add', status: 201 },
  { method: 'POST', path: `${session}/phase`, operation: 'phase.enter' },
  { method: 'POST', path: `${session}/phase/done`, operation: 'phase.done' },
  { method: 'GET', path: `${session}/tasks`, operation: 'task.list' },
  { method: 'POST', path: `${session}/tasks`, operation: 'task.add', status: 201 },
  { method: 'GET', path: `${session}/tasks/ready`, operation: 'task.ready' },
  { method: 'GET', path: `${session}/tasks/wait`, operation: 'task.wait' },
  { method: 'POST', path: `${session}/tasks/claim`, operation: 'task.claim' },
  { method: 'POST', path: `${session}/tasks/{task}/progress`, operation: 'task.progress' },
  { method: 'POST', path: `${session}/tasks/{task}/done`, operation: 'task.done' },
  { method: 'POST', path: `${session}/tasks/{task}/block`, operation: 'task.block' },
  { method: 'POST', path: `${session}/tasks/{task}/reset`, operation: 'task.reset' },
  { method: 'PUT', path: `${session}/tasks/{task}/after`, operation: 'task.after' },
  { method: 'GET', path: `${session}/checkpoints`, operation: 'checkpoint.list' },
  { method: 'POST', path: `${session}/checkpoints`, operation: 'checkpoint.add', status: 201 },
  { method: 'POST', path: `${session}/checkpoints/{checkpoint}/start`, operation: 'checkpoint.start' },
  { method: 'POST', path: `${session}/checkpoints/{checkpoint}/complete`, operation: 'checkpoint.complete' },
  { method: 'GET', path: `${session}/manifest`, operation: 'manifest.show' },
  { method: 'PATCH', path: `${session}/git`, operation: 'git.set' },
  { method: 'GET', path: `${session}/commits`, operation: 'commit.list' },
  { method: 'POST', path: `${session}/commits`, operation: 'commit.add', status: 201 },
  { method: 'GET', path: `${session}/artifacts`, operation: 'artifact.list' },
  { method: 'POST', path: `${session}/artifacts`, operation: 'artifact.add', status: 201 },
  { method: 'GET', path: `${session}/journal`, operation: 'journal.show' },
  { method: 'POST', path: `${session}/journal`, operation: 'journal.update' },
  { method: 'GET', path: `${session}/diff`, operation: 'journal.diff' },
  { method: 'GET', path: `${session}/brief`, operation: 'journal.brief' },
  { method: 'POST', path: `${session}/journal/position`, operation: 'journal.position' },
  { method: 'POST', path: `${session}/journal/next`, operation: 'journal.next' },
  { method: 'POST', path: `${session}/journal/notes`, operation: 'journal.note', status: 201 },
  { method: 'POST', path: `${session}/journal/questions/{question}/answer`, operation: 'journal.answer' },
  { method: 'GET', path: `${session}/decisions`, operation: 'decision.list' },
  { method: 'POST', path: `${session}/decisions`, operation: 'decision.add', status: 201 },
  { method: 'GET', path: `${session}/blockers`, operation: 'blocker.list' },
  { method: 'POST', path: `${session}/blockers`, operation: 'blocker.add', status: 201 },
  { method: 'POST', path: `${session}/blockers/{blocker}/bypass`, operation: 'blocker.bypass' },
  { method: 'POST', path: `${session}/blockers/{blocker}/resolve`, operation: 'blocker.resolve' },
  { method: 'GET', path: `${session}/needs`, operation: 'need.list' },
  { method: 'GET', path: '/needs', operation: 'need.all' },
  { method: 'GET', path: `${session}/sittings`, operation: 'sitting.list' },
  { method: 'POST', path: `${session}/sittings`, operation: 'sitting.start', status: 201 },
  { method: 'POST', path: `${session}/sittings/end`, operation: 'sitting.end' },

  { method: 'GET', path: `${session}/blobs`, operation: 'blob.list' },
  { method: 'GET', path: `${session}/files`, operation: 'folder.list' },
  { method: 'GET', path: `${session}/files`, operation: 'folder.read', given: 'path' },

  { method: 'GET', path: `${session}/leases`, operation: 'lease.list' },
  { method: 'POST', path: `${session}/leases/{name}/claim`, operation: 'lease.claim' },
  { method: 'POST', path: `${session}/leases/{name}/heartbeat`, operation: 'lease.heartbeat' },
  { method: 'POST', path: `${session}/leases/{name}/release`, operation: 'lease.release' },

  { method: 'GET', path: `${session}/schemas`, operation: 'schema.list' },
  { method: 'PUT', path: `${session}/schemas`, operation: 'schema.set' },
  { method: 'DELETE', path: `${session}/schemas`, operation: 'schema.delete' },

  { method: 'POST', path: '/tokens', operation: 'token.create', status: 201 },
  { method: 'GET', path: '/tokens', operation: 'token.list' },
  { method: 'DELETE', path: '/tokens/{id}', operation: 'token.revoke' },
  { method: 'POST', path: '/tokens/{id}/rotate', operation: 'token.rotate' },
]
