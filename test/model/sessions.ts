// Sessions of the model: how they are made, shown and ended, and which keys go with them.
import type { Json } from '../../src/json/value.ts'
import { lapseExpired, lapseOrphaned } from './lapses.ts'
import { releaseAllOf } from './leases.ts'
import { isObject } from './merge.ts'
import { closed, hasEnded, no, type Obj, put, type Root, record, type Session, timeOf, together } from './root.ts'

const depthMax = 16

export function newId(actual: Obj): string {
  const id = String(actual.session_id)
  return /^sess_[0-9a-f]{32}$/.test(id) ? id : 'a new id'
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()
const depthOf = (session: Session): number => (session.parent === undefined ? 0 : depthOf(session.parent) + 1)

export function createChild(root: Root, parent: Session, input: Obj, actual: Obj): Obj {
  const over = closed(root, parent)
  if (over) return over
  if (depthOf(parent) + 1 >= depthMax) return no('invalid_input', { limit: 'treeDepth' })
  const { name } = input
  const taken = root.sessions.some((each) => typeof name === 'string' && folded(each.name) === folded(name))
  return taken ? no('already_exists', { session_name: name as Json }) : createSession(root, parent, input, actual)
}

export function createSession(root: Root, parent: Session | undefined, input: Obj, actual: Obj): Obj {
  const id = newId(actual)
  const slug = String(actual.slug).endsWith(`_${id.slice(-6)}`) ? String(actual.slug) : 'a slug'
  const at = root.sessions.length
  const unnamed = at === 0 ? slug : `${slug.split('_')[1]}_${at}_${id.slice(-6)}`
  const name = String(input.name ?? unnamed)
  const created = root.log.length + 1
  const session = { id, no: at, parent, name, slug, created, updated: created, status: 'running', reason: null }
  const { parent: _parent, request_id: _request, initial_state: state, ...given } = input
  const data = { no: at, parent: parent?.no ?? null, status: 'running', type: 'full', ...given }
  root.sessions.push(session)
  record(root, parent ?? session, { stream: `session/${at}`, type: 'session_created', data }, input)
  if (isObject(state)) {
    record(root, session, { stream: 'state', type: 'init', data: { payload: state } }, input)
    for (const [key, value] of Object.entries(state)) put(root, key, value, session)
  }
  return { session_id: id, root_session_id: root.id, session_name: name, slug, status: 'running' }
}

export function endSession(root: Root, session: Session, input: Obj): Obj {
  return together(root, () => ending(root, session, input))
}

function ending(root: Root, session: Session, input: Obj): Obj {
  const to = String(input.status ?? 'completed')
  const legal = session.status === 'completed' ? ['running'] : ['created', 'running']
  if (hasEnded(session)) return no('illegal_transition', { from: session.status, to, legal })
  const isBelow = (each: Session | undefined): boolean => each?.parent === session || (!!each && isBelow(each.parent))
  const below = root.sessions.filter((each) => isBelow(each) && !hasEnded(each))
  const end = (each: Session, status: string, reason: string | null) => {
    const data = { from: each.status, to: status, ...(reason === null ? {} : { reason }) }
    const updated = record(root, session, { stream: `session/${each.no}`, type: 'status_changed', data }, input)
    Object.assign(each, { status, reason, updated })
  }
  const numbers = [...below, session].map((each) => each.no)
  lapseExpired(root, session, ownedBy(root, numbers), input)
  for (const each of [...below, session]) {
    lapseOrphaned(root, session, ownedBy(root, [each.no]), input)
    releaseAllOf(root, session, each, input)
  }
  for (const each of below) end(each, 'cancelled', `${session.name} has ended`)
  end(session, to, null)
  return { session_id: session.id, root_session_id: root.id, status: to, also_ended: below.map(({ id }) => id) }
}

export /** The keys that go with sessions, by session and name. */
function ownedBy(root: Root, numbers: readonly number[]): string[] {
  return numbers.flatMap((owner) => {
    const owned = [...root.keys].filter(([, versions]) => versions.at(-1)?.owner === owner)
    return owned.map(([key]) => key).sort()
  })
}

export function show(root: Root, session: Session, children: Json): Obj {
  return {
    session_id: session.id,
    session_name: session.name,
    slug: session.slug,
    root_session_id: root.id,
    parent_session_id: session.parent?.id ?? null,
    status: session.status,
    reason: session.reason,
    session_type: 'full',
    topic: 'model',
    objective: null,
    description: null,
    strategy: null,
    metadata: {},
    project_dir: null,
    depth: depthOf(session),
    created_at: timeOf(root, session.created),
    updated_at: timeOf(root, session.updated),
    ended_at: hasEnded(session) ? timeOf(root, session.updated) : null,
    children,
  }
}

export const childrenOf = (root: Root, session: Session) => root.sessions.filter(({ parent }) => parent === session)
export const tree = (root: Root, session: Session): Obj =>
  show(
    root,
    session,
    childrenOf(root, session).map((child) => tree(root, child)),
  )
