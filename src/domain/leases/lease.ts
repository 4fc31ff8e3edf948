import type { Deciding } from '../log/deciding.ts'
import { isoTime } from '../log/identity.ts'
import type { LeaseTime } from '../log/lease-time.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { type Ref, type Rows, rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { sessions } from '../sessions/tables.ts'
import { leaseStream } from './facts.ts'
import { type LeaseRow, leases } from './tables.ts'

/** The claim of a key is a lease with this name before the key. */
export const keyLeasePrefix = 'key/'

export function keyLease(key: string): string {
  return keyLeasePrefix + key
}

export function leaseRefs(name: string): Ref[] {
  return [rowOf(leases, name), rowOf(streams, leaseStream)]
}

/** A claim that is refused names the session that holds the lease. */
export function claimRefs(rows: Rows, name: string): Ref[] {
  const lease = rows.get(leases, name)
  return lease === undefined ? leaseRefs(name) : [...leaseRefs(name), rowOf(sessions, lease.session_no)]
}

function isHeld(lease: LeaseRow, now: LeaseTime): boolean {
  return lease.holder !== null && lease.boot === now.boot && heldUntil(lease, now) > now.ms
}

/** Nobody could send a heartbeat in a time that did not pass: a lease that ran out in it gets its whole time once more. */
function heldUntil(lease: LeaseRow, { gap }: LeaseTime): number {
  const ranOutInGap = gap !== undefined && lease.expires_at > gap.before && lease.expires_at <= gap.after
  return ranOutInGap ? gap.after + lease.ttl : lease.expires_at
}

export type ClaimAnswer = { name: string; token: number; ttl_ms: number; expires_at: string }

export function claim(on: Deciding, name: string, ttl: number, holder: string): ClaimAnswer | Refusal {
  const before = on.rows.get(leases, name)
  if (before !== undefined && isHeld(before, on.leaseTime)) return heldByOther(on, before)
  const token = (before?.token ?? 0) + 1
  if (before !== undefined && before.holder !== null) {
    on.record({ type: 'lease_lost', stream: leaseStream, data: { name, token: before.token } })
  }
  on.record({ type: 'lease_claimed', stream: leaseStream, data: { name, token, holder, ttl_ms: ttl } })
  const { ms, boot } = on.leaseTime
  const session_no = on.session?.no ?? 0
  on.keep(leases, { root: on.rows.root, name, token, session_no, holder, ttl, expires_at: ms + ttl, boot })
  return { name, token, ttl_ms: ttl, expires_at: isoTime(on.at + ttl) }
}

/** Keeps a lease for another while; it makes no event. */
export function heartbeat(on: Deciding, name: string, token: number): ClaimAnswer | Refusal {
  const lease = checkHeld(on.rows, name, token, on.leaseTime)
  if (lease instanceof Refusal) return lease
  on.keep(leases, { ...lease, expires_at: on.leaseTime.ms + lease.ttl })
  return { name, token, ttl_ms: lease.ttl, expires_at: isoTime(on.at + lease.ttl) }
}

export function release(on: Deciding, name: string, token: number): Refusal | undefined {
  const lease = checkHeld(on.rows, name, token, on.leaseTime)
  if (lease instanceof Refusal) return lease
  on.record({ type: 'lease_released', stream: leaseStream, data: { name, token } })
  on.keep(leases, { ...lease, holder: null, expires_at: 0 })
  return undefined
}

/** Whoever lost a lease is told so, and everything it still writes with the old token is refused. */
export function checkHeld(rows: Rows, name: string, token: number, now: LeaseTime): LeaseRow | Refusal {
  const lease = rows.get(leases, name)
  if (lease !== undefined && lease.token === token && isHeld(lease, now)) return lease
  const current = lease?.token ?? 0
  return refuse(
    'fenced',
    current > token
      ? `The lease ${JSON.stringify(name)} was taken over: its token is ${current}, yours is ${token}.`
      : `The lease ${JSON.stringify(name)} is not held with token ${token} any more.`,
    'Stop what was done under it; claim it again before you go on.',
    { name, your_token: token, current_token: current },
  )
}

function heldByOther(on: Deciding, lease: LeaseRow): Refusal {
  const left = Math.ceil(heldUntil(lease, on.leaseTime) - on.leaseTime.ms)
  const session = on.rows.get(sessions, lease.session_no)
  const message = `The lease ${JSON.stringify(lease.name)} is held by ${lease.holder} for ${left} ms more.`
  return refuse('held_by_other', message, 'Wait until it is released or runs out, then claim it again.', {
    name: lease.name,
    holder: lease.holder,
    holder_session_id: session?.id ?? null,
    expires_in_ms: left,
  })
}

/** The lease under which something is done: nothing is written once it was lost. */
export interface Fence {
  readonly name: string
  readonly token: number
}

/** A fence as it is written: NAME:TOKEN. */
export function parseFence(fence: string): Fence | Refusal {
  const colon = fence.lastIndexOf(':')
  const token = Number(fence.slice(colon + 1))
  if (colon > 0 && Number.isSafeInteger(token) && token > 0) return { name: fence.slice(0, colon), token }
  return refuse('invalid_input', `${JSON.stringify(fence)} is no fence.`, 'Give NAME:TOKEN as the claim answered it.')
}
