import type { IncomingMessage, ServerResponse } from 'node:http'
import { CairnRefusal, type Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Caller } from '../../../log/access/caller.ts'
import type { Blobs } from '../../../log/blobs/blobs.ts'
import { type Admission, revoked } from '../../wire/admission.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import { dropBody, encodingRefusal } from '../../wire/request-body.ts'
import { drained } from '../../wire/unsent.ts'
import { rangeIn } from './byte-range.ts'

export interface BlobParts extends Admission {
  readonly log: { readonly blobs: Blobs }
}

const blobs = '/sessions/{session}/blobs'

/** Bytes by their hash, in and out as they come: neither a slow sender nor a slow reader makes the server hold them. */
export function blobEndpoints(parts: BlobParts): [string, Endpoint][] {
  return [
    [`POST ${blobs}`, taking(parts)],
    [`PUT ${blobs}/{hash}`, taking(parts)],
    [`GET ${blobs}/{hash}`, giving(parts)],
  ]
}

/** With a hash in its path the bytes have to be those; without, the answer says which they are. */
function taking({ log, refusalOf }: BlobParts): Endpoint {
  return {
    open: false,
    async handle(request, response, { members: { session, hash } }, caller) {
      const who = caller as Caller
      const content = bodyOf(request, async () => (await refusalOf(who)) === undefined)
      try {
        throwIf(encodingRefusal(request))
        const bytes = Number(request.headers['content-length'] ?? 0)
        const { isNew, ...shown } = await log.blobs.put({ session, hash, bytes, content }, who)
        const text = JSON.stringify(shown)
        const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': text.length }
        response.writeHead(isNew ? 201 : 200, headers).end(text)
      } catch (error) {
        await dropBody(request, log.blobs.bytesMax)
        throw error
      }
    },
  }
}

async function* bodyOf(request: IncomingMessage, isValid: () => Promise<boolean>): AsyncGenerator<Uint8Array, void> {
  try {
    // Who stops to read must still be able to answer.
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    const message = 'The request ended before its body did.'
    throw new CairnRefusal(refuse('bad_request', message, 'Send it again.'))
  }
  // A body may take its time to come, and its sender may lose its token meanwhile.
  if (!(await isValid())) throw new CairnRefusal(revoked())
}

/** The bytes of a name never change, so whoever has them need not ask again; but they are nobody else's. */
const caching = 'private, max-age=31536000, immutable'

function giving({ log, watch }: BlobParts): Endpoint {
  return {
    open: false,
    hasHead: true,
    async handle(request, response, { members: { session, hash = '' } }, caller) {
      const who = caller as Caller
      const found = await log.blobs.get(session, hash, who)
      const headers = { etag: `"${hash}"`, 'cache-control': caching }
      if (isKnown(request, hash)) {
        response.writeHead(304, headers).end()
        return
      }
      const range = request.method === 'HEAD' ? undefined : rangeIn(request, found.bytes, headers.etag)
      if (range === 'none') return behindEnd(response, found.bytes)
      const { from, to } = range ?? { from: 0, to: found.bytes }
      const part = range && { 'content-range': `bytes ${from}-${to - 1}/${found.bytes}` }
      // What is in it is not known, and no browser may guess.
      const type = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
      const size = { 'content-length': to - from, 'accept-ranges': 'bytes' }
      response.writeHead(range ? 206 : 200, { ...headers, ...type, ...size, ...part })
      if (request.method === 'HEAD') response.end()
      else await sendAll(found.chunks(from, to), response, (ended) => watch(who, ended))
    },
  }
}

function behindEnd(response: ServerResponse, bytes: number): void {
  const message = `The range is past the end: the blob has ${bytes} bytes.`
  const text = JSON.stringify(
    refuse('invalid_input', message, 'Ask for less, or for all of it.', { path: 'range', bytes }),
  )
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  response.writeHead(416, { 'content-range': `bytes */${bytes}`, ...type }).end(text)
}

function isKnown({ headers }: IncomingMessage, hash: string): boolean {
  const known = headers['if-none-match'] ?? ''
  return known.split(',').some((tag) => ['*', `"${hash}"`, `W/"${hash}"`].includes(tag.trim()))
}

/** A chunk is read when the one before it has left: all that is held for a slow reader is what its connection holds. */
async function sendAll(
  chunks: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  watch: (ended: () => void) => () => void,
): Promise<void> {
  const unwatch = watch(() => response.destroy())
  try {
    for await (const chunk of chunks) {
      if (!response.destroyed && !response.write(chunk)) await drained(response)
      if (response.destroyed) return
    }
    response.end()
  } catch (error) {
    // The head has been sent: an answer that ends early is all that can be said.
    response.destroy()
    throw error
  } finally {
    unwatch()
  }
}

function throwIf(refusal: Refusal | undefined): void {
  if (refusal) throw new CairnRefusal(refusal)
}
