import type { BlobShown } from '../domain/blobs/blob.ts'
import type { FeedEvent } from '../domain/log/event.ts'
import {
  type FeedFilter,
  type FollowAllOptions,
  type FollowOptions,
  isWanted,
  sieveOf,
} from '../domain/log/feed-filter.ts'
import { CairnRefusal, Refusal, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import { limitOf } from './abort-limit.ts'
import { followRoots, type Roots } from './all-roots-feed.ts'
import type { Send } from './attempt.ts'
import type { BlobRead, GetBlobInput, PutBlobInput } from './blob.ts'
import { BlobTransport } from './blob-transport.ts'
import { callerHeaders, type Means } from './caller-headers.ts'
import { type Since, startAsked, startOf } from './feed-start.ts'
import { addressOf, type OpenFeed, opening, sending } from './fetch-transport.ts'
import { eventTypes, table } from './generated/table.ts'
import type { Called, Followed } from './interface.ts'
import { callRemote, deadlineMsUsual } from './repeated-call.ts'
import { type FeedTerms, followRoot, openFeed } from './root-feed.ts'

export interface ConnectOptions extends Means {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** How long a call is tried before it is given up, and a feed before it is said to be lost. */
  readonly deadlineMs?: number | undefined
}

const rootsOfPage = 1000

interface StreamInput {
  readonly session?: string
  readonly session_id?: string
  readonly since?: Since
  readonly prefix?: string
}

/** A server as somebody calls it, until that is closed. */
export class Connection {
  readonly #deadlineMs: number
  readonly #send: Send
  readonly #open: OpenFeed
  /** The feed of all roots; with a session that of its root would be meant. */
  readonly #openAll: OpenFeed
  readonly #closing = new AbortController()
  readonly #calls = new Set<Promise<unknown>>()
  readonly #blobs: BlobTransport

  constructor({ url, deadlineMs = deadlineMsUsual, ...means }: ConnectOptions) {
    const address = addressOf(url, callerHeaders(means))
    this.#deadlineMs = deadlineMs
    this.#send = sending(address)
    this.#open = opening(address)
    this.#blobs = new BlobTransport(address, deadlineMs, this.#closing.signal)
    this.#openAll = opening(addressOf(url, callerHeaders({ token: means.token })))
  }

  async execute(operation: Called, input: object, signal?: AbortSignal): Promise<Answer> {
    this.#refuseClosed()
    // What changes something is not left in doubt by closing.
    const limit = limitOf([signal, operation.kind === 'wait' ? this.#closing.signal : undefined])
    const terms = { deadlineMs: this.#deadlineMs, signal: limit.signal }
    const call = callRemote(this.#send, operation, { ...input }, terms)
    this.#calls.add(call)
    return call.finally(() => {
      limit.release()
      this.#calls.delete(call)
    })
  }

  /** Bytes are waited for when this is closed; a stream, which may never end, is ended. */
  async putBlob(input: PutBlobInput): Promise<BlobShown> {
    this.#refuseClosed()
    const put = this.#putBlob(input)
    if (!(input.content instanceof Uint8Array)) return put
    this.#calls.add(put)
    return put.finally(() => this.#calls.delete(put))
  }

  async #putBlob({ session, content, hash }: PutBlobInput): Promise<BlobShown> {
    return this.#blobs.put(await this.#rootOf(session), content, hash)
  }

  async getBlob({ session, hash }: GetBlobInput): Promise<BlobRead> {
    this.#refuseClosed()
    return this.#blobs.get(await this.#rootOf(session), hash)
  }

  /** A path names a session; where none is named here, the server knows which is meant. */
  async #rootOf(session: string | undefined): Promise<string> {
    return session ?? (await this.#start(undefined, undefined)).root
  }

  stream(
    { stream }: Followed,
    { session_id, session = session_id, since, prefix }: StreamInput,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FeedEvent, void> {
    return this.#followRoot(session, { stream, prefix, signal }, since)
  }

  follow({
    session,
    since = 0,
    ...wanted
  }: FollowOptions & { session?: string | undefined }): AsyncGenerator<FeedEvent, void> {
    return this.#followRoot(session, wanted, since)
  }

  followAll({ since = {}, ...wanted }: FollowAllOptions): AsyncGenerator<FeedEvent, void> {
    return this.#filtered(wanted, (terms) => {
      return followRoots({ ...terms, open: this.#openAll }, this.#roots(terms.signal), since)
    })
  }

  /** Ends feeds and waits, and waits for what else was asked before; whatever is asked after is refused. */
  async close(): Promise<void> {
    this.#closing.abort(new CairnRefusal(closed()))
    await Promise.allSettled(this.#calls)
  }

  /** From now on where no sequence is given. */
  #followRoot(session: string | undefined, wanted: FeedFilter, since: Since) {
    const { stream } = wanted
    const [open, start] = [this.#open, (signal: AbortSignal) => this.#start(session, signal, since)]
    return this.#filtered(wanted, async function* (terms) {
      const { root, from } = await start(terms.signal)
      const feed = (after: number) => openFeed(open, { root, stream, since: after }, terms.signal)
      yield* followRoot(feed, terms, from)
    })
  }

  async *#filtered(
    wanted: FeedFilter,
    follow: (terms: FeedTerms) => AsyncGenerator<FeedEvent, void>,
  ): AsyncGenerator<FeedEvent, void> {
    this.#refuseClosed()
    const sieve = sieveOf(wanted, eventTypes)
    if (sieve instanceof Refusal) throw new CairnRefusal(sieve)
    const { signal, release } = limitOf([wanted.signal, this.#closing.signal])
    try {
      for await (const event of follow({ deadlineMs: this.#deadlineMs, signal })) {
        if (isWanted(event, sieve)) yield event
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      release()
    }
  }

  async #start(session: string | undefined, signal: AbortSignal | undefined, since?: Since) {
    return startOf(await this.execute(table.log.list, startAsked(session, since), signal), since)
  }

  #roots(signal: AbortSignal): Roots {
    return {
      list: () => this.#listRoots(signal),
      last: async (root, seen) => {
        const asking = this.execute(table.log.list, { session: root, since: seen, limit: 1 }, signal)
        const answer = await asking.catch(absent)
        return answer && Number(answer.last_seq)
      },
    }
  }

  /** Those that come while they are listed are new, and so heard of by whoever listens already. */
  async *#listRoots(signal: AbortSignal): AsyncGenerator<string, void> {
    let cursor: unknown
    do {
      const asked = { all: true, limit: rootsOfPage, ...(cursor === undefined ? {} : { cursor }) }
      const page = await this.execute(table.session.list, asked, signal)
      for (const { session_id } of page.sessions as { session_id: string }[]) yield session_id
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw new CairnRefusal(closed())
  }
}

function closed() {
  return refuse('unavailable', 'This client was closed.', 'Connect again.')
}

function absent(error: unknown): undefined {
  if (error instanceof CairnRefusal && error.code === 'session_not_found') return undefined
  throw error
}
