import type { Event } from '../log/event.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { foldName } from '../log/identity.ts'
import { integer, object, oneOf, optional } from '../log/input-schema.ts'
import type { Limits } from '../log/limits.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { type SessionCreated, type SessionFact, sessionOf, sessionStream } from './facts.ts'
import { checkTransition, hasEnded, statuses } from './lifecycle.ts'
import { endReason, sessionMembers } from './members.ts'
import { identityOf, sessionsOf } from './session.ts'
import { sessionNames, sessions } from './tables.ts'

const number = integer('The number of a session.')

const open = statuses.filter((status) => !hasEnded(status))

const child = object({ ...sessionMembers, no: number, parent: number, status: oneOf('Its status.', open) })
const status = oneOf('A status.', statuses)

const shapes: BodyShapes<SessionFact> = {
  session_created: {
    ...child,
    // Only the root has no parent, and that it is the first session is looked at with its number.
    check(value, path, limits) {
      const isRoot = (value as Partial<SessionCreated> | null)?.parent === null
      return child.check(isRoot ? { ...(value as object), parent: 0 } : value, path, limits)
    },
  },
  status_changed: object({ from: status, to: status, reason: optional(endReason) }),
}

type SessionEvent = Event & SessionFact

/** Whether a root could have recorded this of one of its sessions. */
export const foreignSessions: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as SessionEvent
    const refusal = checkNoKey(event) ?? checkBody(shapes, event, limits)
    if (refusal) return refusal
    return event.type === 'session_created'
      ? checkCreated(rows, event, event.data, limits)
      : checkChanged(rows, event, event.data)
  },
}

function checkCreated(rows: Rows, event: Event, made: SessionCreated, limits: Limits): Refusal | undefined {
  const { no, parent, name } = made
  const next = sessionsOf(rows)
  if (no !== next) return impossible(`It creates session ${no}, where the next one is ${next}.`)
  if (event.stream !== sessionStream(no)) return impossible(`It creates session ${no} in the stream of another.`)
  if (no === 0 ? parent !== null : parent === null || parent >= no)
    return impossible(`Session ${no} cannot be a child of ${parent}.`)
  const above = parent === null ? undefined : rows.get(sessions, parent)
  if ((above?.depth ?? -1) + 1 >= limits.treeDepth)
    return impossible(`The tree of sessions would be deeper than the limit treeDepth of ${limits.treeDepth}.`)
  if (no >= limits.sessions) return impossible(`It has more sessions than the limit sessions of ${limits.sessions}.`)
  if (name !== undefined && rows.get(sessionNames, foldName(name)) !== undefined)
    return impossible(`A session named ${JSON.stringify(name)} already exists.`)
  const { id } = identityOf(rows.id, event, made)
  const known = idsIn(rows)
  if (known.has(id)) return impossible(`Another session already has the id that this one would get.`)
  known.add(id)
  return undefined
}

/** The ids of a history that is being taken in, so that each event need not look at all sessions before it. */
const idsOf = new WeakMap<Rows, Set<string>>()

function idsIn(rows: Rows): Set<string> {
  const known = idsOf.get(rows)
  // One that was refused after it passed here has an id too many.
  if (known?.size === sessionsOf(rows)) return known
  const all = new Set(rows.all(sessions).map(({ id }) => id))
  idsOf.set(rows, all)
  return all
}

function checkChanged(
  rows: Rows,
  { stream }: Event,
  { from, to }: Extract<SessionFact, { type: 'status_changed' }>['data'],
): Refusal | undefined {
  const no = sessionOf(stream)
  const row = sessionStream(no) === stream ? rows.get(sessions, no) : undefined
  if (row === undefined) return impossible('There is no such session.')
  if (row.status !== from) return impossible(`Session ${no} was ${row.status} then, not ${from}.`)
  return checkTransition(from, to)
}
