// Forks of the model: a fork is a copy of the root as it was, and shares nothing with it.
import type { Held, Logged, Obj, Root, Session, Version } from './root.ts'
import { timeOf } from './root.ts'

/** Sessions as they were after an event: what has happened to them is in the log. */
function sessionsAt(root: Root, at: number): Session[] {
  const there = root.sessions.filter(({ created }) => created <= at)
  return there.map((session) => {
    const { no, created } = session
    const last = root.log.findLastIndex(({ stream }, place) => stream === `session/${no}` && place < at) + 1
    const { type, data } = root.log[last - 1] as Logged
    if (type === 'session_created') return { ...session, status: 'running', reason: null, updated: created }
    return { ...session, status: String(data.to), reason: (data.reason ?? null) as string | null, updated: last }
  })
}

/** What a fork says of its root session as it was: whether that had ended, and by which event. */
export function statusAt(root: Root, at: number): Obj {
  const [first] = sessionsAt(root, at)
  if (first === undefined) return {}
  const hasEnded = ['completed', 'failed', 'cancelled', 'skipped'].includes(first.status)
  return { status: first.status, ...(hasEnded ? { ended_seq: first.updated } : {}) }
}

function schemasAt(root: Root, at: number, name: (session: Session) => string): Held[] {
  const held = new Map<string, Held>()
  for (const [place, { type, data, session }] of root.log.slice(0, at).entries()) {
    const { target, prefix, schema = null } = data
    const of = { target: String(target), prefix: prefix === true }
    if (type === 'schema_set') held.set(JSON.stringify(of), { ...of, schema, by: name(session), seq: place + 1 })
    if (type === 'schema_deleted') held.delete(JSON.stringify(of))
  }
  return [...held.values()]
}

/** What the sessions of the fork are called is its own, and is told by the tree that it shows. */
function named(copies: readonly Session[], tree: Obj): Session[] {
  const byNo = new Map<number, Session>()
  const visit = (session: Session, parent: Session | undefined, node: Obj) => {
    const made = { ...session, parent, id: String(node.session_id), ...namesIn(session, node) }
    byNo.set(session.no, made)
    const below = copies.filter((each) => each.parent?.no === session.no)
    const nodes = (node.children ?? []) as Obj[]
    for (const [at, child] of below.entries()) visit(child, made, nodes[at] ?? {})
  }
  visit(copies[0] as Session, undefined, tree)
  return copies.map(({ no }) => byNo.get(no) as Session)
}

/** A given name stays; one that was made ends as the id does. */
function namesIn({ no, name, id: before, slug: old }: Session, node: Obj): Pick<Session, 'name' | 'slug'> {
  const id = String(node.session_id)
  const slug = old.replace(/[0-9a-f]{6}$/, id.slice(-6))
  const wasMade = name === old || name === `${old.split('_')[1]}_${no}_${before.slice(-6)}`
  return { slug, name: wasMade ? name.replace(/[0-9a-f]{6}$/, id.slice(-6)) : name }
}

/** A copy of a root as it was after an event; `tree` is how its sessions are shown. */
export function copyAt(root: Root, at: number, tree: Obj): Root {
  const sessions = named(sessionsAt(root, at), tree)
  const inCopy = (session: Session) => sessions[session.no] as Session
  const ids = new Map(root.sessions.map((session) => [session.id, sessions[session.no]?.id]))
  const log = root.log.slice(0, at).map((event): Logged => ({ ...event, session: inCopy(event.session) }))
  const keys = new Map<string, Version[]>()
  for (const [key, versions] of root.keys) {
    const then = versions.filter(({ seq }) => seq <= at).map((each) => ({ ...each, by: ids.get(each.by) ?? 'nobody' }))
    if (then.length > 0) keys.set(key, then)
  }
  return {
    ...{ id: String(tree.session_id), sessions, log, keys, leases: new Map(), clock: root.clock },
    schemas: schemasAt(root, at, (session) => inCopy(session).id),
    started: log.findIndex(({ stream }) => stream === 'state') + 1,
    origin: { root, at },
  }
}

/** Where a fork came from, as it is shown. */
export function originOf({ origin }: Root, session: Session): Obj {
  if (origin === undefined || session.no > 0) return {}
  return { forked_from: { session_id: origin.root.removed === undefined ? origin.root.id : null, at: origin.at } }
}

/** The forks of a root: those that were removed come first, the last of them before the others. */
export function forksOf(all: readonly Root[], root: Root): Obj[] {
  const forks = all.filter(({ origin }) => origin?.root === root)
  const sorted = forks.toSorted(
    (a, b) => (a.origin?.at ?? 0) - (b.origin?.at ?? 0) || (b.removed ?? 0) - (a.removed ?? 0),
  )
  return sorted.flatMap((fork) => {
    const below = forksOf(all, fork)
    if (fork.removed !== undefined && below.length === 0) return []
    return [{ ...shown(fork), at: fork.origin?.at ?? 0, forks: below }]
  })
}

function shown(fork: Root): Obj {
  if (fork.removed !== undefined)
    return { session_id: null, session_name: null, slug: null, status: 'removed', topic: null, updated_at: null }
  const { id, name, slug, status, updated } = fork.sessions[0] as Session
  const names = { session_id: id, session_name: name, slug }
  return { ...names, status, topic: 'model', updated_at: timeOf(fork, updated) }
}
