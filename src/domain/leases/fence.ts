import { sha256 } from '../hashing/hashing.ts'
import { Refusal, refuse } from '../log/refusal.ts'

/** A claim as its token says it: the epoch is public, and the hash stands for the secret that goes with it. */
export interface Claim {
  readonly epoch: number
  readonly hash: string
}

/** The lease under which something is done: nothing is written once it was lost. */
export interface Fence extends Claim {
  readonly name: string
  /** It came with the token of the caller, who need not hold the lease itself. */
  readonly ofToken?: true
}

/** A token as it is given out: the epoch, and a secret of 128 bits. */
const written = /^([1-9]\d{0,15})\.([0-9a-f]{32})$/

export function leaseToken(epoch: number, secret: string): string {
  return `${epoch}.${secret}`
}

export function readLeaseToken(token: string): Claim | undefined {
  const [, epoch, secret] = written.exec(token) ?? []
  if (secret === undefined || !Number.isSafeInteger(Number(epoch))) return undefined
  return { epoch: Number(epoch), hash: hashOfLease(secret) }
}

/** A secret of 128 random bits needs no salt and no slow hash: there is nothing to guess. */
export function hashOfLease(secret: string): string {
  return sha256(secret)
}

export function checkLeaseToken(token: string): Refusal | undefined {
  if (readLeaseToken(token) !== undefined) return undefined
  return refuse('invalid_input', 'This is not a valid lease token.', 'Give the token exactly as the claim returned it.')
}

/** A fence as it is written: NAME:TOKEN. What is wrong with it is said without the secret that may be in it. */
export function parseFence(fence: string): Fence | Refusal {
  const colon = fence.lastIndexOf(':')
  const claim = colon > 0 ? readLeaseToken(fence.slice(colon + 1)) : undefined
  if (claim !== undefined) return { name: fence.slice(0, colon), ...claim }
  const message = 'The fence must name a lease and the token of its claim: NAME:TOKEN.'
  const hint = 'Give the name of the lease (of a claimed key: key/KEY), a colon, and the token that the claim returned.'
  return refuse('invalid_input', message, hint, { path: 'fence' })
}

export function checkFence(fence: string): Refusal | undefined {
  const read = parseFence(fence)
  return read instanceof Refusal ? read : undefined
}
