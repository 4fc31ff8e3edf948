import { sha256InJavaScript } from './sha256.ts'

/** SHA-256 of bytes, or of a text in UTF-8, as hex. */
type Hash = (content: string | Uint8Array) => string

let hash: Hash = sha256InJavaScript

/**
 * Hashing is synchronous, because a decision is; a page has no such hash of its own, and so there is one in JavaScript. Where
 * there is a faster one, whoever puts the layers together hands it in.
 */
export function hashWith(native: Hash): void {
  hash = native
}

export function sha256(content: string | Uint8Array): string {
  return hash(content)
}

/** Takes as long for hashes that differ early as for those that differ late. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
