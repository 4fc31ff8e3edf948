import type { BlobShown } from '../domain/blobs/blob.ts'
import { type Content, piecesOf } from '../domain/blobs/pieces.ts'
import { CairnRefusal, refuse } from '../domain/log/refusal.ts'
import { limitOf } from './abort-limit.ts'
import { type Outcome, outcomeOf, settled } from './attempt.ts'
import { type BlobRead, type PutBlobInput, streamOf } from './blob.ts'
import type { Address } from './fetch-transport.ts'
import { callRepeatedly } from './repeated-call.ts'

/** A line slower than this, in bytes a millisecond, needs a longer deadline. */
const slowestLine = 1000

/** What is known by its hash can be sent again and again. */
const put = { name: 'blob.put', kind: 'read' } as const

/** One server, and the root that is meant there. */
export class BlobTransport {
  readonly #address: Address
  readonly #deadlineMs: number
  /** Ends streams. */
  readonly #signal: AbortSignal

  constructor(address: Address, deadlineMs: number, signal: AbortSignal) {
    this.#address = address
    this.#deadlineMs = deadlineMs
    this.#signal = signal
  }

  async put(root: string, content: PutBlobInput['content'], hash: string | undefined): Promise<BlobShown> {
    if (!(content instanceof Uint8Array)) return this.#putPieces(root, content, hash)
    const named = hash ?? (await sha256(content))
    const terms = { deadlineMs: this.#deadlineMs + content.length / slowestLine }
    const attempt = async (_: object, signal: AbortSignal) => {
      return { outcome: await this.#send(root, named, content as Uint8Array<ArrayBuffer>, signal) }
    }
    return (await callRepeatedly(attempt, put, {}, terms)) as BlobShown
  }

  /** What is wrong with the pieces is noticed while they are sent, and is not the server's fault. */
  async #putPieces(root: string, content: Content, hash: string | undefined): Promise<BlobShown> {
    let wrong: unknown
    const noting = async function* () {
      try {
        yield* piecesOf(content)
      } catch (error) {
        wrong = error
        throw error
      }
    }
    try {
      return shown(await this.#send(root, hash, streamOf(noting()), this.#signal))
    } catch (error) {
      throw wrong ?? error
    }
  }

  async get(root: string, hash: string): Promise<BlobRead> {
    const limit = limitOf([this.#signal], this.#deadlineMs)
    try {
      const { headers } = this.#address
      const response = await fetch(this.#url(root, hash), { headers, signal: limit.signal, redirect: 'error' })
      if (response.ok && response.body) {
        limit.lift()
        return {
          hash,
          bytes: Number(response.headers.get('content-length')),
          content: endingWith(response.body, limit.release),
        }
      }
      settledOr(outcomeOf({ status: response.status, text: await response.text() }))
      throw unreached()
    } catch (error) {
      limit.release()
      throw error instanceof CairnRefusal ? error : unreached()
    }
  }

  async #send(
    root: string,
    hash: string | undefined,
    body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const headers = { ...this.#address.headers, 'content-type': 'application/octet-stream' }
    const method = hash === undefined ? 'POST' : 'PUT'
    try {
      const asked = { method, headers, body, signal, redirect: 'error', duplex: 'half' } as const
      const response = await fetch(this.#url(root, hash), asked)
      return outcomeOf({ status: response.status, text: await response.text() })
    } catch {
      return 'lost'
    }
  }

  #url(root: string, hash: string | undefined): URL {
    const path = ['sessions', root, 'blobs', ...(hash === undefined ? [] : [hash])].map(encodeURIComponent).join('/')
    return new URL(path, this.#address.url)
  }
}

/** The same bytes; `ended` is called when there are no more of them, or nobody wants them any more. */
function endingWith(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await reader.read().catch((error: unknown) => {
      ended()
      throw error
    })
    if (!done) return controller.enqueue(value)
    ended()
    controller.close()
  }
  const cancel = async (reason: unknown) => {
    ended()
    await reader.cancel(reason)
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

function shown(outcome: Outcome): BlobShown {
  return settledOr(outcome) as BlobShown
}

function settledOr(outcome: Outcome) {
  if (typeof outcome === 'string') throw unreached()
  return settled(outcome)
}

/** A stream cannot be sent again by us; what came of it cannot be read unless it was answered. */
function unreached(): CairnRefusal {
  return new CairnRefusal(
    refuse('unavailable', 'The server did not answer.', 'Try again: storing the same blob twice is safe.'),
  )
}

/** Undefined where the platform cannot say: pages that came over plain HTTP have no such hash. */
async function sha256(bytes: Uint8Array): Promise<string | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
