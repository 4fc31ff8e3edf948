// How far each operation reaches, said once more and beside the code: a new operation needs a row here.
import { join } from 'node:path'
import type { Reach } from '../../src/operations/operation.ts'
import type { OperationName } from '../../src/surfaces/cli/commands.ts'
import type { Relative } from './family.ts'

export interface Row {
  readonly reach: Reach
  readonly writes: boolean
  /** An input that works on a session of a family, given its id; `home` is a folder for files. */
  readonly input: (session: string, home: string) => object
}

function row(reach: Reach, writes: boolean, members: object = {}): Row {
  return { reach, writes, input: (session) => ({ session, ...members }) }
}

const reading = (members?: object) => row('root', false, members)
const writing = (members?: object) => row('root', true, members)
const ofStore = (writes: boolean, members: object = {}): Row => ({ reach: 'owner', writes, input: () => members })

/** Of a lease that the agent does not hold. */
const token = `1.${'0'.repeat(32)}`

export const rows: Record<OperationName, Row> = {
  'session.create': { reach: 'subtree', writes: true, input: (parent) => ({ topic: 'more', parent }) },
  'session.list': ofStore(false),
  'session.show': reading(),
  'session.tree': reading(),
  'session.join': row('owner', true, { client: 'x', host: 'h', boot: 'b', space: '', pid: 1, started: '1' }),
  'session.end': row('subtree', true),
  'session.fork': row('owner', true),
  'context.append': row('subtree', true, { role: 'user', content: 'hello' }),
  'context.show': reading(),
  'context.copy': row('owner', true),
  'context.overwrite': row('subtree', true),
  'context.compact': row('subtree', true, { summary: 'all of it' }),
  'run.start': row('subtree', true),
  'run.report': row('subtree', true, { run: 'none' }),
  'run.end': row('subtree', true, { run: 'none' }),
  'run.list': reading(),
  'log.adopt': row('owner', true, { root: `sess_${'0'.repeat(32)}`, events: [] }),
  'project.use': row('owner', true, { project: '/somewhere' }),
  'state.init': writing(),
  'state.get': reading({ key: 'n' }),
  'state.all': reading(),
  'state.set': writing({ key: 'k', value: 1 }),
  'state.delete': writing({ key: 'n' }),
  'state.replace': writing({ state: { n: 2 } }),
  'state.increment': writing({ key: 'n' }),
  'state.append': writing({ key: 'list', items: [1] }),
  'state.merge': writing({ key: 'object', patch: { a: 1 } }),
  'state.counterAdd': writing({ key: 'counter' }),
  'state.setAdd': writing({ key: 'set', items: ['a'] }),
  'state.setRemove': writing({ key: 'set', items: ['a'] }),
  'state.registerSet': writing({ key: 'register', value: 1 }),
  'state.patch': writing({ patch: { k: 1 } }),
  'state.jsonPatch': writing({ key: 'object', operations: [{ op: 'add', path: '/b', value: 1 }] }),
  'state.min': writing({ key: 'n', value: 0 }),
  'state.max': writing({ key: 'n', value: 9 }),
  'state.setIfAbsent': writing({ key: 'k', value: 1 }),
  'state.mutate': writing({ mutation: { type: 'set', key: 'k', value: 1 } }),
  'state.batch': writing({ operations: [{ op: 'set', key: 'k', value: 1 }] }),
  'state.events': reading(),
  'state.history': reading({ key: 'n' }),
  'state.diff': reading({ from: '1', to: 'now' }),
  'state.restore': writing({ to: '3' }),
  'state.summary': reading(),
  'state.why': reading({ key: 'n' }),
  'state.wait': reading({ key: 'n' }),
  'state.watch': reading({ since: 0 }),
  'state.claim': writing({ key: 'n', ttl: '10s' }),
  'state.heartbeat': writing({ key: 'held', token }),
  'state.release': writing({ key: 'held', token }),
  'schema.set': writing({ target: 'k', schema: { type: 'number' } }),
  'schema.list': reading(),
  'schema.delete': writing({ target: 'typed' }),
  'lease.claim': writing({ name: 'build', ttl: '10s' }),
  'lease.heartbeat': writing({ name: 'held', token }),
  'lease.release': writing({ name: 'held', token }),
  'lease.list': reading(),
  'blob.list': reading(),
  'log.list': reading(),
  'log.rows': reading({ part: 'state' }),
  'log.wait': reading({ timeout: '0' }),
  'token.create': row('owner', true, { kind: 'agent' }),
  'token.list': ofStore(true),
  'token.revoke': ofStore(true, { id: 'nobody' }),
  'token.rotate': ofStore(true, { id: 'nobody' }),
  'store.doctor': ofStore(true),
  'store.backup': {
    reach: 'owner',
    writes: true,
    input: (session, home) => ({ file: join(home, `${session}.backup`) }),
  },
  'store.restore': ofStore(true, { file: '/nowhere' }),
  'store.compact': row('owner', true),
  'store.gc': ofStore(true),
  'store.erase': row('owner', true, { key: 'n' }),
  'store.remove': row('owner', true),
}

/** Whether an agent may do it to one of its relatives. */
export function mayAgent({ reach }: Row, relative: Relative): boolean {
  if (reach === 'owner') return false
  return reach === 'subtree' ? relative === 'self' || relative === 'child' : relative !== 'other'
}
