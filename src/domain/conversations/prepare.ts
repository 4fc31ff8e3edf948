import { byteLength, type Json, type JsonObject } from '../../json/value.ts'
import { sha256 } from '../hashing/hashing.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { takeLarge } from './forms/large-content.ts'
import { type Given, readMessage } from './forms/read.ts'
import { inlineBytesMax } from './members.ts'
import { redactMessage } from './redaction.ts'
import type { BlobPlace, CallPlace, Stored } from './stored.ts'

/** One event on its way: what it records, and the calls that follow it. */
export interface Piece extends Stored {
  readonly calls: readonly CallPlace[]
  readonly blobs: readonly BlobPlace[]
  readonly redacted: readonly { readonly path: string; readonly what: string }[]
}

/** A message as it is to be recorded, with the content that goes to blobs. */
export interface Prepared {
  readonly pieces: readonly Piece[]
  readonly contents: ReadonlyMap<string, Uint8Array>
}

/** What stands in a message for what was uploaded before, until it was read. */
const uploaded = '[uploaded]'

/**
 * Reads a message in whatever form it has, replaces what looks like a secret, and takes out what is too large for an event.
 * `places` is what was uploaded before: there the message holds nothing.
 */
export function prepare(given: Given, places: readonly BlobPlace[], isSecretMeant: boolean): Prepared | Refusal {
  const marked = places.reduce<Json>((value, { path }) => withAt(value, path, uploaded), given as unknown as Json)
  const stored = readMessage(marked as unknown as Given)
  if (stored instanceof Refusal) return stored
  if (places.length > 0 && stored.length > 1) return uploadedInPieces()
  const contents = new Map<string, Uint8Array>()
  const pieces = stored.map((each) => pieceOf(each, placesIn(each, places), isSecretMeant, contents))
  return { pieces, contents }
}

/** Of a result that was given as a block of a user's message, the block alone is kept. */
function placesIn({ type, form }: Stored, places: readonly BlobPlace[]): readonly BlobPlace[] {
  if (type !== 'tool_result' || form !== 'anthropic') return places
  return places.map((place) => ({ ...place, path: place.path.slice(2) }))
}

/** What stays in the event of a message is bounded: it is shown whole in feeds and pages. */
export function checkSize({ pieces }: Prepared, limit: number): Refusal | undefined {
  const bytes = Math.max(...pieces.map(({ message }) => byteLength(JSON.stringify(message))))
  if (bytes <= limit) return undefined
  return refuse(
    'value_too_large',
    `The message has ${bytes} bytes besides its long texts; the limit valueBytes is ${limit}.`,
    'Split it into several messages, or upload long texts as blobs first.',
    { bytes, limit: 'valueBytes', limit_value: limit },
  )
}

function pieceOf(
  stored: Stored & { calls: readonly CallPlace[] },
  places: readonly BlobPlace[],
  isSecretMeant: boolean,
  contents: Map<string, Uint8Array>,
): Piece {
  const { message: clean, redacted } = isSecretMeant
    ? { message: stored.message, redacted: [] }
    : redactMessage(stored.message)
  const { message: small, taken } = takeLarge(clean, inlineBytesMax)
  const blobs = taken.map(({ path, content, encoding }): BlobPlace => {
    const hash = sha256(content)
    contents.set(hash, content)
    return { path, hash, bytes: content.length, encoding }
  })
  const message = places.reduce<Json>((value, { path }) => withAt(value, path, ''), small) as JsonObject
  return { ...stored, message, redacted, blobs: [...blobs, ...places] }
}

/** A value with another at a place; as it is where there is no such place. */
function withAt(value: Json, [name, ...rest]: readonly (string | number)[], put: Json): Json {
  if (name === undefined) return put
  if (Array.isArray(value)) return value.map((each, at) => (at === name ? withAt(each, rest, put) : each))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: withAt(value[name] as Json, rest, put) }
}

function uploadedInPieces(): Refusal {
  const hint = 'Append each tool result by itself, with the role tool.'
  return refuse('invalid_input', 'Uploaded content cannot be part of a message of several tool results.', hint, {
    path: 'blobs',
  })
}
