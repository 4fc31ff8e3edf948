import { contextLease, contextLeasePrefix } from '../../domain/conversations/writer.ts'
import { checkLeaseToken } from '../../domain/leases/fence.ts'
import {
  claim,
  claimRefs,
  heartbeat,
  heldUntil,
  isHeld,
  keyLeasePrefix,
  leaseRefs,
  release,
} from '../../domain/leases/lease.ts'
import { leaseHolder, leaseName, leaseTtl } from '../../domain/leases/members.ts'
import { orchestratorLease } from '../../domain/leases/orchestrator.ts'
import { type LeaseRow, leases } from '../../domain/leases/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { readDuration } from '../../domain/log/duration.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { flag, optional, text } from '../../domain/log/input-schema.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import { askRows } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { taskLeasePrefix } from '../../domain/plan/lease.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'

const name = leaseName
export const token = text('The token that the claim returned.', { max: 64, check: checkLeaseToken })
export const ttl = text('How long without a heartbeat: 30s, 5m …', { max: 32 })
export const holder = optional(leaseHolder)
export const reclaim = optional(
  flag('Claim again what this session already holds: it gets a new token, and the old one is fenced.'),
)

export function readTtl(asked: string): number | Refusal {
  const ms = readDuration(asked)
  if (ms instanceof Refusal || (ms >= leaseTtl.min && ms <= leaseTtl.max)) return ms
  return refuse(
    'invalid_input',
    `The ttl of a lease must be ${leaseTtl.min}ms to 24h, not ${asked}.`,
    'Choose a time in that range.',
  )
}

/**
 * Claims of keys are leases too; only `state claim` makes them, so that a claim and its key have one spelling. A conversation has its
 * own session as writer: nobody keeps another out of what it says.
 */
function checkName(asked: string, session: SessionRow | undefined): Refusal | undefined {
  if (asked.startsWith(contextLeasePrefix) && asked !== contextLease(session?.id ?? '')) return notOwn(session)
  if (asked.startsWith(taskLeasePrefix)) return reservedFor('tasks', taskLeasePrefix, '`task.claim` for a task')
  if (!asked.startsWith(keyLeasePrefix)) return undefined
  return reservedFor('keys', keyLeasePrefix, '`state.claim` for a key')
}

function reservedFor(what: string, prefix: string, instead: string): Refusal {
  const message = `Names that begin with ${prefix} are reserved for claims of ${what}.`
  return refuse('invalid_input', message, `Use ${instead}, or another name.`, { path: 'name' })
}

function notOwn(session: SessionRow | undefined): Refusal {
  const message = `Names that begin with ${contextLeasePrefix} are for writers of conversations, and each session claims its own.`
  const own = session === undefined ? 'another name' : contextLease(session.id)
  return refuse('forbidden', message, `Claim ${own}, or use another name.`, { path: 'name' })
}

/** What is supervised is supervised beyond its end; an agent never supervises itself. */
function mayHold(on: Deciding, name: string): Refusal | undefined {
  if (name !== orchestratorLease) return mayWrite(on)
  if (on.agent === undefined) return undefined
  const message = `The lease ${orchestratorLease} is for whoever supervises the agents of a root.`
  return refuse('forbidden', message, 'Claim a lease of another name.', { path: 'name' })
}

export const leaseClaim = change({
  name: 'lease.claim',
  summary: 'Claim a lease for a time; a claim after it expired gets a token with a higher epoch.',
  command: { words: ['lease claim'], positional: ['name'], examples: ['cairn lease claim build --ttl 30s'] },
  input: { name, ttl, holder, reclaim },
  needs: (input, rows) => claimRefs(rows, input.name),
  decide(input, on) {
    const ms = readTtl(input.ttl)
    if (ms instanceof Refusal) return ms
    const refusal = checkName(input.name, on.session) ?? mayHold(on, input.name)
    const holder = input.holder ?? on.session?.name ?? 'somebody'
    return refusal ?? claim(on, { name: input.name, ttl: ms, holder, reclaim: input.reclaim })
  },
})

export const leaseHeartbeat = change({
  name: 'lease.heartbeat',
  summary: 'Extend a lease by its ttl; refused as fenced once it was lost.',
  command: { words: ['lease heartbeat'], positional: ['name', 'token'] },
  input: { name, token },
  needs: (input) => leaseRefs(input.name),
  decide(input, on) {
    return mayHold(on, input.name) ?? heartbeat(on, input.name, input.token)
  },
})

export const leaseRelease = change({
  name: 'lease.release',
  summary: 'Release a lease before it expires.',
  command: { words: ['lease release'], positional: ['name', 'token'] },
  onFullRoot: 'frees',
  input: { name, token },
  needs: (input) => leaseRefs(input.name),
  decide(input, on) {
    const refusal = mayHold(on, input.name) ?? release(on, input.name, input.token)
    return refusal ?? { name: input.name, token: input.token, released: true }
  },
})

/** Whether it is held, and then until when if no heartbeat comes: by the clock of whoever reads, as of a claim. */
function holding(
  lease: LeaseRow,
  now: number,
  time: LeaseTime | undefined,
): { held: boolean; expires_at: string | null } {
  if (time === undefined || !isHeld(lease, time)) return { held: false, expires_at: null }
  return { held: true, expires_at: isoTime(now + heldUntil(lease, time) - time.ms) }
}

/** It takes no `at`: heartbeats are no events, so who held what when is only in the log (`log.list` of the stream lease). */
export const leaseList = read({
  name: 'lease.list',
  summary: 'List the leases of a root: who holds or held them, and until when.',
  command: { words: ['lease ls'], topic: 'Work together' },
  input: {},
  snapshot: false,
  byLeaseTime: true,
  *read(_input, { root }, now, _parts, leaseTime) {
    const rows = yield* askRows(leases, root)
    return {
      leases: rows.map((lease) => {
        const { name, epoch, holder, ttl } = lease
        return { name, epoch, holder, ttl_ms: ttl, ...holding(lease, now, leaseTime) }
      }),
    }
  },
})
