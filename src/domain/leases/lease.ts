import { isSame } from '../hashing/hashing.ts'
import type { Deciding } from '../log/deciding.ts'
import { durationText } from '../log/duration.ts'
import { isoTime } from '../log/identity.ts'
import type { LeaseTime } from '../log/lease-time.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { type RangeRef, type Ref, type Rows, rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { sessions } from '../sessions/tables.ts'
import { leaseStream } from './facts.ts'
import { type Claim, type Fence, hashOfLease, leaseToken, readLeaseToken } from './fence.ts'
import { orchestratorLease } from './orchestrator.ts'
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

export function isHeld(lease: LeaseRow, now: LeaseTime): boolean {
  return lease.holder !== null && lease.boot === now.boot && heldUntil(lease, now) > now.ms
}

/** Nobody could send a heartbeat in a time that did not pass: a lease that ran out in it gets its whole time once more. */
export function heldUntil(lease: LeaseRow, { gap }: LeaseTime): number {
  const ranOutInGap = gap !== undefined && lease.expires_at > gap.before && lease.expires_at <= gap.after
  return ranOutInGap ? gap.after + lease.ttl : lease.expires_at
}

/** When a lease that is held runs out unless a heartbeat comes, on the clock that `now` is of: leases run by another. */
export function expiryOf(lease: LeaseRow, leaseTime: LeaseTime, now: number): string {
  return isoTime(Math.ceil(now + heldUntil(lease, leaseTime) - leaseTime.ms))
}

export type ClaimAnswer = { name: string; token: string; ttl_ms: number; expires_at: string }

export interface Claiming {
  readonly name: string
  readonly ttl: number
  readonly holder: string
  /** Also what this very session holds: it gets another token, and what it did with the old one is fenced. */
  readonly reclaim?: boolean | undefined
}

export function claim(on: Deciding, { name, ttl, holder, reclaim = false }: Claiming): ClaimAnswer | Refusal {
  const before = on.rows.get(leases, name)
  const session_no = on.session?.no ?? 0
  const isOwn = reclaim && before?.session_no === session_no
  if (before !== undefined && !isOwn && isHeld(before, on.leaseTime)) return heldByOther(on, before)
  const epoch = (before?.epoch ?? 0) + 1
  if (before !== undefined && before.holder !== null) {
    on.record({ type: 'lease_lost', stream: leaseStream, data: { name, epoch: before.epoch } })
  }
  on.record({ type: 'lease_claimed', stream: leaseStream, data: { name, epoch, holder, ttl_ms: ttl } })
  const { ms, boot } = on.leaseTime
  const secret = on.newSecret()
  const hash = hashOfLease(secret)
  on.keep(leases, { root: on.rows.root, name, epoch, hash, session_no, holder, ttl, expires_at: ms + ttl, boot })
  return { name, token: leaseToken(epoch, secret), ttl_ms: ttl, expires_at: isoTime(on.at + ttl) }
}

/** Keeps a lease for another while; it makes no event. */
export function heartbeat(on: Deciding, name: string, token: string): ClaimAnswer | Refusal {
  const lease = checkToken(on, name, token)
  if (lease instanceof Refusal) return lease
  on.keep(leases, { ...lease, expires_at: on.leaseTime.ms + lease.ttl })
  return { name, token, ttl_ms: lease.ttl, expires_at: isoTime(on.at + lease.ttl) }
}

export function release(on: Deciding, name: string, token: string): Refusal | undefined {
  const lease = checkToken(on, name, token)
  if (lease instanceof Refusal) return lease
  giveBack(on, lease)
  return undefined
}

/** What a session has claimed. */
export function claimedBy(no: number): RangeRef {
  return { table: leases, range: { column: 'session_no', from: no, to: no + 1 } }
}

/** A session that has ended holds nothing: others need not wait until its claims run out. */
export function releaseAllOf(on: Deciding, no: number): void {
  const held = on.rows
    .all(leases)
    .filter((lease) => lease.session_no === no && lease.name !== orchestratorLease && isHeld(lease, on.leaseTime))
  for (const lease of held.sort((a, b) => (a.name < b.name ? -1 : 1))) giveBack(on, lease)
}

/** Ends a lease whose holder is known by other means than its token. */
export function giveUp(on: Deciding, name: string): void {
  on.rows.mustKnow(leaseRefs(name))
  const lease = on.rows.get(leases, name)
  if (lease !== undefined && lease.holder !== null) giveBack(on, lease)
}

/** Keeps such a lease for another while, if it is held still; gives until when. */
export function extend(on: Deciding, name: string): string | null {
  on.rows.mustKnow(leaseRefs(name))
  const lease = on.rows.get(leases, name)
  if (lease === undefined || !isHeld(lease, on.leaseTime)) return null
  on.keep(leases, { ...lease, expires_at: on.leaseTime.ms + lease.ttl })
  return isoTime(on.at + lease.ttl)
}

/** Takes a lease from whoever holds it: whatever is still written under it is fenced. */
export function revoke(on: Deciding, name: string): void {
  on.rows.mustKnow(leaseRefs(name))
  const lease = on.rows.get(leases, name)
  if (lease === undefined || lease.holder === null) return
  on.record({ type: 'lease_lost', stream: leaseStream, data: { name, epoch: lease.epoch } })
  on.keep(leases, { ...lease, holder: null, expires_at: 0 })
}

function giveBack(on: Deciding, lease: LeaseRow): void {
  on.record({ type: 'lease_released', stream: leaseStream, data: { name: lease.name, epoch: lease.epoch } })
  on.keep(leases, { ...lease, holder: null, expires_at: 0 })
}

function checkToken(on: Deciding, name: string, token: string): LeaseRow | Refusal {
  // The input was checked: what is no token does not come here.
  return checkFenced(on, { name, ...(readLeaseToken(token) as Claim) })
}

/** Whoever lost a lease is told so. An agent uses what its own session holds, and what came with its token. */
export function checkFenced(on: Deciding, fence: Fence): LeaseRow | Refusal {
  const lease = checkHeld(on.rows.get(leases, fence.name), fence, on.leaseTime)
  if (lease instanceof Refusal || fence.ofToken || on.agent === undefined || on.agent === lease.session_no) return lease
  const message = `The lease ${JSON.stringify(fence.name)} is held by another session.`
  return refuse('fenced', message, 'Claim it for the session of this token.', epochs(fence, lease))
}

/** Everything that is still written with an old token is refused. */
export function checkHeld(lease: LeaseRow | undefined, fence: Fence, now: LeaseTime): LeaseRow | Refusal {
  const isHolder = lease !== undefined && lease.epoch === fence.epoch && isSame(lease.hash, fence.hash)
  if (isHolder && isHeld(lease, now)) return lease
  const shown = JSON.stringify(fence.name)
  const message =
    (lease?.epoch ?? 0) > fence.epoch
      ? `The lease ${shown} was taken over: its epoch is ${lease?.epoch}, but this token has epoch ${fence.epoch}.`
      : `The lease ${shown} is not held with this token${isHolder ? ' any more' : ''}.`
  return refuse(
    'fenced',
    message,
    'Stop the work done under it, and claim it again before continuing.',
    epochs(fence, lease),
  )
}

function epochs({ name, epoch }: Fence, lease: LeaseRow | undefined) {
  return { name, your_epoch: epoch, current_epoch: lease?.epoch ?? 0 }
}

export function heldByOther(on: Deciding, lease: LeaseRow): Refusal {
  const left = Math.ceil(heldUntil(lease, on.leaseTime) - on.leaseTime.ms)
  const session = on.rows.get(sessions, lease.session_no)
  const isOwn = lease.session_no === on.session?.no
  const by = isOwn ? `this session (${lease.holder})` : lease.holder
  const message = `The lease ${JSON.stringify(lease.name)} is held by ${by} for ${durationText(left)} more.`
  const hint = isOwn
    ? 'Extend it with its token and a heartbeat, or claim it again with `reclaim: true`: that gives a new token and fences the old one.'
    : 'Wait until it is released or expires, then claim it again.'
  return refuse('held_by_other', message, hint, {
    name: lease.name,
    holder: lease.holder,
    holder_session_id: session?.id ?? null,
    expires_in_ms: left,
    expires_at: expiryOf(lease, on.leaseTime, on.at),
  })
}
