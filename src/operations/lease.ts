import type { Deciding } from '../domain/deciding.ts'
import { readDuration } from '../domain/duration.ts'
import { leaseStream } from '../domain/event.ts'
import { checkHeld, claim, claimRefs, leaseRefs } from '../domain/lease.ts'
import { ask } from '../domain/questions.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { integer, optional, text } from '../domain/schema.ts'
import { leases } from '../domain/tables.ts'
import { change, read } from './operation.ts'
import { mayWrite } from './writing.ts'

const name = text('Name of the lease.', { max: 256 })
const token = integer('The token that the claim answered.', { min: 1 })

/** Shorter than this a heartbeat would not come in time; longer is no lease. */
const ttlMsMin = 50
const ttlMsMax = 24 * 3_600_000

function checkTtl(ttl: string): number | Refusal {
  const ms = readDuration(ttl)
  if (ms instanceof Refusal || (ms >= ttlMsMin && ms <= ttlMsMax)) return ms
  return refuse('invalid_input', `A lease runs for ${ttlMsMin}ms to 24h, not ${ttl}.`, 'Choose a time in between.')
}

export const leaseClaim = change({
  name: 'lease.claim',
  summary: 'Claim a lease for a time; whoever claims after it ran out gets a higher token.',
  command: { words: ['lease claim'], positional: ['name'] },
  input: {
    name,
    ttl: text('How long without a heartbeat: 30s, 5m …', { max: 32 }),
    holder: optional(text('Who.', { max: 256 })),
  },
  needs: (input, rows) => claimRefs(rows, input.name),
  decide(input, on) {
    const ttl = checkTtl(input.ttl)
    if (ttl instanceof Refusal) return ttl
    return mayWrite(on) ?? claim(on, input.name, ttl, input.holder ?? on.session?.name ?? 'somebody')
  },
})

function heldBy(input: { name: string; token: number }, on: Deciding) {
  return mayWrite(on) ?? checkHeld(on.rows, input.name, input.token, on.leaseTime)
}

export const leaseHeartbeat = change({
  name: 'lease.heartbeat',
  summary: 'Keep a lease for another while; refused as fenced once it was lost.',
  command: { words: ['lease heartbeat'], positional: ['name', 'token'] },
  input: { name, token },
  needs: (input) => leaseRefs(input.name),
  decide(input, on) {
    const lease = heldBy(input, on)
    if (lease instanceof Refusal) return lease
    on.keep(leases, { ...lease, expires_at: on.leaseTime.ms + lease.ttl })
    return { name: lease.name, token: lease.token, ttl_ms: lease.ttl }
  },
})

export const leaseRelease = change({
  name: 'lease.release',
  summary: 'Give a lease back before it runs out.',
  command: { words: ['lease release'], positional: ['name', 'token'] },
  input: { name, token },
  needs: (input) => leaseRefs(input.name),
  decide(input, on) {
    const lease = heldBy(input, on)
    if (lease instanceof Refusal) return lease
    on.record({ type: 'lease_released', stream: leaseStream, data: { name: lease.name, token: lease.token } })
    on.keep(leases, { ...lease, holder: null, expires_at: 0 })
    return { name: lease.name, token: lease.token, released: true }
  },
})

export const leaseList = read({
  name: 'lease.list',
  summary: 'List the leases of a root: who holds or held them last.',
  command: { words: ['lease ls'] },
  input: {},
  snapshot: false,
  *read(_input, { root }) {
    const rows = yield* ask('leases_of_root', root)
    return { leases: rows.map(({ name, token, holder, ttl }) => ({ name, token, holder, ttl_ms: ttl })) }
  },
})
