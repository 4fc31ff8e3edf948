// One script and the ways to play it: what is answered must not depend on the way.
import { inject } from 'vitest'
import type { Interface } from '../../src/client/interface.ts'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Document } from '../cli/sandbox.ts'
import { freshDatabase } from '../setup/postgres-server.ts'

export interface Step {
  readonly operation: string
  readonly input: Document
  /** The words and arguments of the command. */
  readonly line: readonly string[]
  /** As a request: method, path and body. */
  readonly rest: readonly [method: string, path: string, body?: object]
}

/** What is said in every way; the sessions are known only when they were made. */
const script: readonly ((root: string, child: string) => Step)[] = [
  (root) =>
    state(root, 'init', { initial_state: { a: 1 } }, ['init', '{"a":1}'], ['POST', '', { initial_state: { a: 1 } }]),
  (_, child) =>
    state(
      child,
      'set',
      { key: 'plan', value: { b: [1, 'é'] } },
      ['set', 'plan', '{"b":[1,"é"]}'],
      ['PUT', '/keys/plan', { value: { b: [1, 'é'] } }],
    ),
  (root) =>
    state(
      root,
      'set',
      { key: 'plan', value: 2, version: 7 },
      ['set', 'plan', '2', '--version', '7'],
      ['PUT', '/keys/plan', { value: 2, version: 7 }],
    ),
  (_, child) =>
    state(
      child,
      'increment',
      { key: 'n', delta: 3 },
      ['increment', 'n', '3'],
      ['POST', '/keys/n/ops', { operation: 'increment', delta: 3 }],
    ),
  (root) =>
    state(
      root,
      'append',
      { key: 'n', items: [1] },
      ['append', 'n', '[1]'],
      ['POST', '/keys/n/ops', { operation: 'append', items: [1] }],
    ),
  (root) =>
    state(
      root,
      'batch',
      { operations: batch },
      ['batch', JSON.stringify({ operations: batch })],
      ['POST', '/batch', { operations: batch }],
    ),
  (root) => state(root, 'get', { key: 'none' }, ['get', 'none'], ['GET', '/keys/none']),
  (_, child) => state(child, 'get', { key: 'plan' }, ['get', 'plan'], ['GET', '/keys/plan']),
  (root) => state(root, 'all', {}, ['get'], ['GET', '']),
  (root) =>
    state(
      root,
      'wait',
      { key: 'n', condition: 'value > 3' },
      ['wait', 'n', '--condition', 'value > 3'],
      ['GET', '/keys/n/wait?condition=value%20%3E%203'],
    ),
  (root) =>
    state(
      root,
      'wait',
      { key: 'no', timeout: '1ms' },
      ['wait', 'no', '--timeout', '1ms'],
      ['GET', '/keys/no/wait?timeout=1ms'],
    ),
  (root) => state(root, 'history', { key: 'n' }, ['history', 'n'], ['GET', '/keys/n/history']),
  (root) =>
    state(
      root,
      'set',
      { key: '', value: 1 },
      ['set', '', '1'],
      ['POST', '/operations/state.set', { session: root, key: '', value: 1 }],
    ),
  (root) => ({
    operation: 'session.end',
    input: { session: root },
    line: ['session', 'end', root],
    rest: ['POST', `/sessions/${root}/end`],
  }),
  (_, child) =>
    state(child, 'increment', { key: 'n' }, ['increment', 'n'], ['POST', '/keys/n/ops', { operation: 'increment' }]),
  () => ({
    operation: 'session.show',
    input: { session: 'nobody' },
    line: ['show', 'nobody'],
    rest: ['GET', '/sessions/nobody'],
  }),
  (root) => ({
    operation: 'log.list',
    input: { session: root },
    line: ['log', '--session', root],
    rest: ['GET', `/sessions/${root}/events`],
  }),
]
const batch = [
  { op: 'set', key: 'c', value: true },
  { op: 'increment', key: 'n', delta: 1 },
]

function state(session: string, verb: string, input: object, line: string[], rest: Step['rest']): Step {
  const [method, path, body] = rest
  const whole = path.startsWith('/operations') ? path : `/sessions/${session}/state${path}`
  return {
    operation: `state.${verb}`,
    input: { session, ...input },
    line: ['state', ...line, '--session', session],
    rest: body === undefined ? [method, whole] : [method, whole, body],
  }
}

/** Does one step, and gives the document of the answer or of the refusal. */
export type Way = (step: Step) => Promise<Document>

export function byMethods(cairn: Interface): Way {
  return async ({ operation, input }) => {
    const [noun, verb] = operation.split('.') as ['state', 'set']
    return (cairn[noun][verb] as unknown as (input: object) => Promise<Document>)(input).catch((error: unknown) => {
      if (!(error instanceof CairnRefusal)) throw error
      return error.refusal.toJSON()
    })
  }
}

/** Both sessions, then the script; the documents in order, with all that differs from store to store made equal. */
export async function play(way: Way): Promise<Document[]> {
  const created = (input: Document, line: string[], body: object): Step => ({
    operation: 'session.create',
    input,
    line: ['session', 'create', ...line],
    rest: ['POST', '/sessions', body],
  })
  const root = await way(created({ topic: 'Same' }, ['--topic', 'Same'], { topic: 'Same' }))
  const parent = root.session_id
  const below = { topic: 'Below', name: 'below' }
  const line = ['--topic', 'Below', '--name', 'below', '--parent', parent]
  const child = await way(created({ ...below, parent }, line, { ...below, parent_session_id: parent }))
  const answers = [root, child]
  for (const step of script) answers.push(await way(step(parent, child.session_id)))
  return settled(answers, [parent, child.session_id])
}

/**
 * Sessions are told by who they are, times by being one. Who stands in the log as the author differs by the way, and some ways
 * give each change a request id.
 */
function settled(documents: Document[], [root = '', child = '']: string[]): Document[] {
  const text = JSON.stringify(documents, (name, value) => {
    if (['actor', 'request', 'id', 'event_id', 'hash'].includes(name)) return name.toUpperCase()
    return name === 'project' || name === 'dir' ? undefined : value
  })
  return JSON.parse(
    text
      .replaceAll(root, 'ROOT')
      .replaceAll(child, 'CHILD')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\d{4}-\d\d-\d\d_([a-z]+)_[0-9a-f]{6}/g, 'SLUG $1'),
  )
}

/** The stores that it is played on, each a new one. */
export const KINDS = [
  { name: 'SQLite', newStore: async () => ({ env: {}, drop: async () => {} }) },
  {
    name: 'Postgres',
    newStore: async () => {
      const { url, drop } = await freshDatabase(inject('postgres'))
      return { env: { CAIRN_STORE: url }, drop }
    },
  },
]
