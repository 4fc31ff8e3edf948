import type { JsonObject } from '../../json/value.ts'
import type { Event } from '../log/event.ts'
import { childSessionId, foldName, isoTime, nameOf, slugOf } from '../log/identity.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { type SessionCreated, sessionStream } from './facts.ts'
import { hasEnded, type Status } from './lifecycle.ts'
import type { SessionFound } from './questions.ts'
import { type SessionRow, sessionNames, sessions } from './tables.ts'

/** What a session is called. It comes from the id of its root and from the event that made it: a fork has the event and another root. */
export function identityOf(
  rootId: string,
  event: Pick<Event, 'id' | 'at'>,
  made: SessionCreated,
): Pick<SessionRow, 'id' | 'slug' | 'name'> {
  const id = made.no === 0 ? rootId : childSessionId(rootId, event.id, event.at)
  const slug = slugOf(made.topic, event.at, id)
  return { id, slug, name: made.name ?? (made.no === 0 ? slug : nameOf(made.topic, made.no, id)) }
}

export function createSession(rows: Rows, event: Event, made: SessionCreated): void {
  const { id, slug, name } = identityOf(rows.id, event, made)
  const parent = made.parent === null ? undefined : rows.get(sessions, made.parent)
  rows.put(sessions, {
    root: event.root,
    no: made.no,
    id,
    name,
    slug,
    parent_no: made.parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    status: made.status,
    reason: null,
    type: made.type,
    topic: made.topic,
    objective: made.objective ?? null,
    description: made.description ?? null,
    strategy: made.strategy ?? null,
    metadata: made.metadata === undefined ? null : JSON.stringify(made.metadata),
    created_at: event.at,
    updated_at: event.at,
    ended_at: null,
  })
  rows.put(sessionNames, { root: event.root, folded: foldName(name), no: made.no })
  const counting = rows.get(streams, sessionStream(0))
  if (counting === undefined) throw new Error(`no root of session ${made.no}`)
  rows.put(streams, { ...counting, items: made.no + 1 })
}

/** How many sessions a root has: the next one gets this number. */
export function sessionsOf(rows: Rows): number {
  return rows.get(streams, sessionStream(0))?.items ?? 0
}

export function changeStatus(rows: Rows, event: Event, no: number, change: { to: Status; reason?: string }): void {
  const row = rows.get(sessions, no)
  if (row === undefined) throw new Error(`session ${no} of ${event.root} does not exist`)
  rows.put(sessions, {
    ...row,
    status: change.to,
    reason: change.reason ?? null,
    updated_at: event.at,
    ended_at: hasEnded(change.to) ? event.at : null,
  })
}

/** Nothing is written in the name of a session that has ended, nor below a root that has. */
export function checkOpen(root: SessionRow | undefined, acting: SessionRow): Refusal | undefined {
  const over = [root, acting].find((session) => session !== undefined && hasEnded(session.status))
  if (over === undefined) return undefined
  return refuse(
    'session_ended',
    `Session ${over.name} has ended (${over.status}).`,
    'Create a new session with `session.create`, or name an open one with `session`.',
    { session_id: over.id, status: over.status },
  )
}

/** It was found before, and another process has removed it since. */
export function sessionRemoved(): Refusal {
  return refuse('session_not_found', 'This session was removed.', 'List sessions with `session.list({ all: true })`.')
}

/** How a session is shown everywhere. */
export type SessionShown = {
  session_id: string
  session_name: string
  slug: string
  root_session_id: string
  parent_session_id: string | null
  status: Status
  reason: string | null
  session_type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: JsonObject
  project_dir: string | null
  depth: number
  created_at: string
  updated_at: string
  ended_at: string | null
}

export function showSession(row: SessionFound, parentId: string | null): SessionShown {
  return {
    session_id: row.id,
    session_name: row.name,
    slug: row.slug,
    root_session_id: row.root_id,
    parent_session_id: parentId,
    status: row.status as Status,
    reason: row.reason,
    session_type: row.type,
    topic: row.topic,
    objective: row.objective,
    description: row.description,
    strategy: row.strategy,
    metadata: (row.metadata === null ? {} : JSON.parse(row.metadata)) as JsonObject,
    project_dir: row.project,
    depth: row.depth,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  }
}
