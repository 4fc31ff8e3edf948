import { type Refusal, refuse } from '../log/refusal.ts'

/** What one statement holds of a blob, and one transaction writes: small beside memory, large beside the cost of a commit. */
export const chunkBytes = 256 * 1024

/** A blob as it is answered. */
export type BlobShown = { hash: string; bytes: number }

/** The name of a blob: SHA-256 in small hex digits, and no other way to write it. */
export function checkHash(hash: unknown): Refusal | undefined {
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return undefined
  const hint = 'Give the SHA-256 of the bytes as 64 lower-case hex digits.'
  return refuse('invalid_input', 'Not a valid blob hash.', hint, { path: 'hash' })
}

export function blobNotFound(): Refusal {
  const hint = 'A blob can be read in the root it was stored in, and in forks made after that.'
  return refuse('not_found', 'There is no blob with this hash.', hint)
}

export function blobTooLarge(limit: number): Refusal {
  const message = `The blob has more than ${limit} bytes, the limit blobBytes.`
  return refuse('payload_too_large', message, 'Split it into several blobs, or raise the setting blobBytes.', {
    limit: 'blobBytes',
    limit_value: limit,
  })
}

/** The bytes are those of another name: something was lost or changed on the way. */
export function otherHash(found: string): Refusal {
  const message = 'The bytes do not match the given hash.'
  return refuse('invalid_input', message, 'Send them again, or give their actual hash.', {
    path: 'hash',
    found,
  })
}
