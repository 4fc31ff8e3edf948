import { sha256 } from '../hashing/hashing.ts'

/** The id of the token of whoever owns the data folder; all others begin with `tok_`. */
export const installId = 'install'

/** A token as text: the id is public and finds its row, the secret of 256 bits is kept nowhere but as a hash. */
const written = /^cairn_(install|tok_[0-9a-f]{32})_([\w-]{43})$/

export function tokenText(id: string, secret: string): string {
  return `cairn_${id}_${secret}`
}

/** What a token says, with the hash of its secret; undefined for a text that is none. */
export interface Presented {
  readonly id: string
  readonly hash: string
}

export function readToken(text: string): Presented | undefined {
  const [, id, secret] = written.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) }
}

/** A secret of 256 random bits needs no salt and no slow hash: there is nothing to guess. */
export function hashOf(secret: string): string {
  return sha256(secret)
}
