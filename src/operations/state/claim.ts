import {
  type ClaimAnswer,
  claim,
  claimRefs,
  heartbeat,
  keyLease,
  leaseRefs,
  release,
} from '../../domain/leases/lease.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { key } from '../inputs.ts'
import { holder, readTtl, reclaim, token, ttl } from '../leases/lease.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'

/** What is answered of the lease, said of the key. */
function ofKey(asked: string, done: ClaimAnswer | Refusal) {
  if (done instanceof Refusal) return sayingKey(asked, done)
  const { name: _, ...claimed } = done
  return { key: asked, ...claimed }
}

function sayingKey(asked: string, { code, message, hint, details }: Refusal): Refusal {
  return refuse(code, message, hint, { key: asked, ...details })
}

export const stateClaim = change({
  name: 'state.claim',
  summary: 'Claim a key for a time. Writes with the fence key/KEY:TOKEN fail once it is lost.',
  command: {
    words: ['state claim'],
    positional: ['key'],
    topic: 'Work together',
    examples: ['cairn state claim task/7 --ttl 30s', 'cairn state set task/7 done --fence key/task/7:$TOKEN'],
  },
  input: { key, ttl, holder, reclaim },
  needs: (input, rows) => claimRefs(rows, keyLease(input.key)),
  decide(input, on) {
    const ms = readTtl(input.ttl)
    if (ms instanceof Refusal) return ms
    const who = input.holder ?? on.session?.name ?? 'somebody'
    const claiming = { name: keyLease(input.key), ttl: ms, holder: who, reclaim: input.reclaim }
    return mayWrite(on) ?? ofKey(input.key, claim(on, claiming))
  },
})

export const stateHeartbeat = change({
  name: 'state.heartbeat',
  summary: 'Extend the claim of a key by its ttl; refused as fenced once it was lost.',
  command: {
    words: ['state heartbeat'],
    positional: ['key'],
    examples: ['cairn state heartbeat task/7 --token $TOKEN'],
  },
  input: { key, token },
  needs: (input) => leaseRefs(keyLease(input.key)),
  decide: (input, on) => mayWrite(on) ?? ofKey(input.key, heartbeat(on, keyLease(input.key), input.token)),
})

export const stateRelease = change({
  name: 'state.release',
  summary: 'Release the claim of a key before it expires.',
  command: { words: ['state release'], positional: ['key'], examples: ['cairn state release task/7 --token $TOKEN'] },
  onFullRoot: 'frees',
  input: { key, token },
  needs: (input) => leaseRefs(keyLease(input.key)),
  decide(input, on) {
    const over = mayWrite(on)
    if (over) return over
    const refusal = release(on, keyLease(input.key), input.token)
    return refusal === undefined
      ? { key: input.key, token: input.token, released: true }
      : sayingKey(input.key, refusal)
  },
})
