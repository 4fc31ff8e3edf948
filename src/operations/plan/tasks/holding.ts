import { readLeaseToken } from '../../../domain/leases/fence.ts'
import { checkFenced, leaseRefs } from '../../../domain/leases/lease.ts'
import { leases } from '../../../domain/leases/tables.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { rowOf } from '../../../domain/log/rows.ts'
import type { Task } from '../../../domain/plan/known.ts'
import { taskLease } from '../../../domain/plan/lease.ts'
import { firstHeld } from '../../../domain/plan/ready.ts'
import { staleAt } from '../../../domain/plan/stale.ts'
import type { TaskProgressRow } from '../../../domain/plan/tables.ts'
import { taskId } from '../../../domain/plan/task.ts'
import { type SessionRow, sessions } from '../../../domain/sessions/tables.ts'
import { taskMeant, taskOf } from '../named.ts'

/** The session of a claim, with what must be known of it. */
export function holderOf(on: Deciding, { claimed_by }: TaskProgressRow): SessionRow | undefined {
  if (claimed_by === null) return undefined
  on.rows.mustKnow([rowOf(sessions, claimed_by)])
  return on.rows.get(sessions, claimed_by)
}

/** When the claim of a task can be taken back by others. */
export function staleAtOf(on: Deciding, progress: TaskProgressRow): number | undefined {
  const holder = holderOf(on, progress)
  return staleAt(progress, { holder, root: on.rows.get(sessions, 0) }, on.limits.taskStaleMs)
}

export interface Asked {
  readonly task?: string | undefined
  readonly token?: string | undefined
}

/** The task that somebody goes on with or ends: the one that is named, or that its session has claimed. It must hold the claim. */
export function heldTask(on: Deciding, { task: given, token }: Asked): Task | Refusal {
  const task = given === undefined ? firstHeld(on.rows, on.no) : taskMeant(given)
  if (task === undefined) return noneHeld()
  const found = taskOf(on.rows, task)
  if (found instanceof Refusal) return found
  const refusal = checkHolds(on, found, token)
  return refusal ?? found
}

function noneHeld(): Refusal {
  const message = 'This session has not claimed a task.'
  return refuse('not_found', message, 'Name a task, or claim the next one with `task.claim`.')
}

/** Only whoever claimed a task says what becomes of it: the session, or whoever has its token. */
function checkHolds(on: Deciding, { progress }: Task, token: string | undefined): Refusal | undefined {
  const { task, status } = progress
  if (status !== 'claimed') return notClaimed(progress)
  if (token === undefined) return progress.claimed_by === on.no ? undefined : taskHeldByOther(on, progress)
  const name = taskLease(task)
  on.rows.mustKnow(leaseRefs(name))
  const claim = readLeaseToken(token)
  if (claim === undefined) return badToken()
  const lease = checkFenced(on, { name, ...claim })
  return lease instanceof Refusal ? lease : undefined
}

function badToken(): Refusal {
  const hint = 'Give the token exactly as the claim returned it.'
  return refuse('invalid_input', 'This is not a valid token.', hint, { path: 'token' })
}

function notClaimed({ task, status }: TaskProgressRow): Refusal {
  const id = taskId(task)
  const hint = status === 'open' ? 'Claim it first with `task.claim`.' : 'See what became of it with `task.list`.'
  return refuse('illegal_transition', `${id} is ${status}, not claimed.`, hint, { task: id, status })
}

/** Whose the task is, and from when on it can be taken back. */
export function taskHeldByOther(on: Deciding, progress: TaskProgressRow): Refusal {
  const name = taskLease(progress.task)
  on.rows.mustKnow(leaseRefs(name))
  const holder = holderOf(on, progress)
  const lease = on.rows.get(leases, name)
  const id = taskId(progress.task)
  const at = staleAtOf(on, progress)
  const isOwn = progress.claimed_by === on.no
  const isStale = at !== undefined && at <= on.at
  const who = isOwn ? 'this session' : (holder?.name ?? 'another session')
  const hint = isOwn
    ? 'Go on with it, or claim it again with `reclaim: true`: that gives a new token and fences the old one.'
    : isStale
      ? 'Nothing was heard of it for long: take it back with `task.reset`, then claim it.'
      : 'Claim another one, or wait until it is done.'
  return refuse('held_by_other', `${id} is claimed by ${who}.`, hint, {
    task: id,
    holder: lease?.holder ?? holder?.name ?? null,
    holder_session_id: holder?.id ?? null,
    claimed_at: progress.claimed_at === null ? null : isoTime(progress.claimed_at),
    stale_at: at === undefined ? null : isoTime(at),
  })
}

/** Whether whoever acts stands above a session, or is it. An agent is itself, whichever session it names. */
export function isBelow(on: Deciding, no: number | null): boolean {
  const own = on.agent ?? on.no
  for (let at = no; at !== null; ) {
    if (at === own) return true
    on.rows.mustKnow([rowOf(sessions, at)])
    at = on.rows.get(sessions, at)?.parent_no ?? null
  }
  return false
}
