import type { IncomingMessage } from 'node:http'
import type { Limits } from '../../domain/log/limits.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { depthCeiling } from '../../json/limits.ts'
import { hasMoreValues, type Json, readJson } from '../../json/value.ts'

/** So much more is read and dropped: one who is cut off while it sends would not see the answer. */
const droppedBytesMax = 12 * 1024 * 1024

/** A body wraps a value, and a batch of them, so it may be a little deeper than a value. */
const wrappingLevels = 4

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Whether all of the body has come, as that of a small request has: it can be taken without waiting, which costs a fraction.
 * Node itself says that it is complete only after those who wait have been called.
 */
export function isThere({ complete, readableLength, headers }: IncomingMessage): boolean {
  return complete || (readableLength > 0 && headers['content-length'] === String(readableLength))
}

type BodyLimits = Pick<Limits, 'requestBytes' | 'requestValues'>

/** The body as JSON; undefined where there is none. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Json | undefined | Refusal> {
  const text = await readText(request, limits)
  if (text instanceof Refusal || text === undefined) return text
  const value = readJson(text, depthCeiling + wrappingLevels)
  // What is no JSON at all is a bad request; what is JSON but none of ours says so itself.
  if (!(value instanceof Refusal) || value.code !== 'invalid_input' || parses(text)) return value
  return refuse('bad_request', value.message, value.hint, value.details)
}

/** The text of a body that says it is JSON; undefined where there is none. */
export async function readText(request: IncomingMessage, limits: BodyLimits): Promise<string | undefined | Refusal> {
  const { requestBytes: bytesMax, requestValues: valuesMax } = limits
  const bytes = isThere(request) ? ((request.read() as Buffer | null) ?? undefined) : await readBytes(request, bytesMax)
  if (bytes instanceof Refusal || bytes === undefined) return bytes
  if (bytes.length > bytesMax) return tooLarge(bytesMax)
  const refusal = checkHeaders(request)
  if (refusal) return refusal
  const text = decoded(bytes) ?? refuse('bad_request', 'The body is not UTF-8.', 'Send JSON as UTF-8.')
  return typeof text === 'string' && hasMoreValues(text, valuesMax) ? tooMany(valuesMax) : text
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The media type of a body, without its parameters. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** What is packed could be anything. */
export function encodingRefusal({ headers }: IncomingMessage): Refusal | undefined {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return undefined
  return refuse('unsupported_media_type', 'Compressed bodies are not supported.', 'Send it without Content-Encoding.')
}

/** Reads and drops a body that is not wanted: one who is cut off while it sends would not see the answer. One who sends far too much is. */
export async function dropBody(request: IncomingMessage, bytesUsual: number): Promise<void> {
  const bytesMax = bytesUsual + droppedBytesMax
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > bytesMax) return
    }
  } catch {
    // Nobody is there to be answered.
  }
}

function checkHeaders(request: IncomingMessage): Refusal | undefined {
  const packed = encodingRefusal(request)
  if (packed) return packed
  // What nearly everybody says needs no reading.
  if (request.headers['content-type'] === 'application/json') return undefined
  const type = mediaType(request)
  const isJson = /^application\/(?:json|merge-patch\+json|json-patch\+json)$/.test(type)
  const charset = /charset="?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (isJson && /^utf-?8$/i.test(charset)) return undefined
  const hint = 'Send it as UTF-8 with Content-Type: application/json.'
  return refuse(
    'unsupported_media_type',
    `${type === '' ? 'A body without a type' : request.headers['content-type']?.slice(0, 100)} is not supported.`,
    hint,
  )
}

async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined | Refusal> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax + droppedBytesMax) return tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Who stops to read must still be able to answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > bytesMax + droppedBytesMax) break
      if (size <= bytesMax) chunks.push(chunk)
    }
  } catch {
    return refuse('bad_request', 'The request ended before its body did.', 'Send it again.')
  }
  if (size > bytesMax) return tooLarge(bytesMax)
  return size === 0 ? undefined : Buffer.concat(chunks)
}

function tooLarge(bytesMax: number): Refusal {
  const message = `The body has more than ${bytesMax} bytes, the limit requestBytes.`
  return refuse('payload_too_large', message, 'Send less at once.', { limit: 'requestBytes', limit_value: bytesMax })
}

function tooMany(valuesMax: number): Refusal {
  const message = `The body has more than ${valuesMax} values, nested ones counted, the limit requestValues.`
  const details = { limit: 'requestValues', limit_value: valuesMax }
  return refuse('payload_too_large', message, 'Send fewer at once, or large data as a blob.', details)
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
