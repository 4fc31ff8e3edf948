import type { Agent } from 'node:http'
import type { FeedEvent } from '../domain/log/event.ts'
import { type FollowOptions, isWanted } from '../domain/log/feed-filter.ts'
import { CairnRefusal, Refusal, type RefusalCode, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import type { Destination } from '../home/destination.ts'
import { serverFor } from '../home/discovery.ts'
import { InstallTokenFile } from '../home/owner-token.ts'
import { ServerOfAgent } from '../home/server-of-agent.ts'
import { inFull } from '../json/json-text.ts'
import type { Caller } from '../log/access/caller.ts'
import type { OpenedLog, OpenOptions } from '../open.ts'
import { operations } from '../operations/index.ts'
import type { Answering, AnyAnswered, AnyOperation, AnyStream } from '../operations/operation.ts'
import { limitOf } from './abort-limit.ts'
import { causeOf, isCutOff, isUnsent, type Outcome, type Received, retryMsOf, type Send, Unsent } from './attempt.ts'
import type { BlobMethods } from './blob.ts'
import { BlobTransport } from './blob-transport.ts'
import { callerHeaders, type Means } from './caller-headers.ts'
import { type Since, startAsked, startOf } from './feed-start.ts'
import { type Address, addressOf, type FeedQuery, opening } from './fetch-transport.ts'
import type { Performer } from './interface.ts'
import { callRepeatedly, deadlineMsUsual, type Tried, trySending } from './repeated-call.ts'
import { canComeBack, type Feed, followRoot, openFeed } from './root-feed.ts'
import type { Input } from './writable-input.ts'

/** Longer than the keeper of a server ever waits before it starts it again: an agent that runs by night goes on by itself. */
const deadlineMsOfAgent = 45_000

export interface LocalOptions extends Destination {
  /** Who asks, and what is meant when a call does not say. */
  readonly meant: Omit<Means, 'token'>
  /** A process that lives for one command may sleep while it waits for the store; one that serves may not. */
  readonly waits: NonNullable<OpenOptions['waits']>
}

/**
 * Asks the server that has the store open, if one runs, and else the store itself; with a token only the server that it is for.
 *
 * Which of them is asked is decided anew at each try. A server that did not take a call, was lost over it or cannot serve it is
 * not asked that again: the next try goes to one that was started since, or to the store. What was asked of a server may be
 * repeated, a change under the name that it had at the first try; upkeep has no name, and so is `outcome_unknown` once an
 * answer was lost. What the store says is final, for it has waits of its own; what it was asked from the start needs no name.
 */
export class LocalPerformer implements Performer {
  readonly #options: LocalOptions
  readonly #closing = new AbortController()
  readonly #given: ServerOfAgent | undefined
  #agent: Agent | undefined
  #opened: Promise<OpenedLog> | undefined
  #meant: LocalOptions['meant']

  constructor(options: LocalOptions) {
    const { url, serverFile } = options
    this.#options = options
    this.#given = url === undefined ? undefined : new ServerOfAgent(url, serverFile)
    this.#meant = options.meant
  }

  /** From now on this is meant when a call does not say. */
  mean(meant: LocalOptions['meant']): void {
    this.#meant = { ...this.#meant, ...meant }
  }

  /** The signal ends a wait: what else was asked is not left in doubt. */
  execute<Out extends Answer>(operation: Answering<Out>, input: unknown, cancelled?: AbortSignal): Promise<Out> {
    const limit = operation.kind === 'wait' ? cancelled : undefined
    return this.#perform(operation, { ...(input as object) }, limit) as Promise<Out>
  }

  /** Goes on where it was when whoever tells it is lost; what the store tells stays with the store. */
  async *stream(operation: AnyStream, asked: unknown, cancelled?: AbortSignal): AsyncGenerator<FeedEvent, void> {
    const input = operation.input.check(asked, '')
    if (input instanceof Refusal) throw new CairnRefusal(input)
    const { since, ...wanted } = operation.select(input)
    const { signal, release } = limitOf([cancelled, this.#closing.signal])
    let isOfStore = false
    try {
      const { root, from } = await this.#start(input.session, signal, since)
      const open = async (after: number): Promise<Feed> => {
        const feed = await this.#feedOfServer(operation, { root, stream: wanted.stream, since: after }, signal)
        isOfStore = feed === undefined
        return feed ?? this.#feedOfStore(root, { ...wanted, since: after, signal })
      }
      const comesBack = (error: unknown) => !isOfStore && canComeBack(error)
      const events = followRoot(open, { deadlineMs: this.#deadlineMs, signal, comesBack }, from)
      for await (const event of events) if (isWanted(event, wanted)) yield event
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      release()
    }
  }

  /** Bytes go to and come from whoever would be asked now. What is sent piece by piece cannot be sent again. */
  readonly blobs: BlobMethods = {
    put: async (input) => (await this.#blobsOf(input.session)).put(input),
    get: async (input) => (await this.#blobsOf(input.session)).get(input),
  }

  async #blobsOf(session: string | undefined): Promise<BlobMethods> {
    const { root } = await this.#start(session, this.#closing.signal)
    const server = this.#server(operations.blob.list)
    if (server === undefined && this.#isBound) throw new CairnRefusal(noServer())
    if (server !== undefined) {
      const transport = new BlobTransport(server, this.#deadlineMs, this.#closing.signal)
      return {
        put: ({ content, hash }) => transport.put(root, content, hash),
        get: ({ hash }) => transport.get(root, hash),
      }
    }
    const { blobsOf } = await import('../open.ts')
    const { log, caller } = await this.#openedLog()
    return blobsOf({ log, caller: this.#as(caller) })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#agent?.destroy()
    const opened = await this.#opened?.catch(() => undefined)
    await opened?.log.close()
  }

  async #perform(operation: AnyAnswered, input: Input, signal: AbortSignal | undefined): Promise<Answer> {
    let first = this.#server(operation)
    if (first === undefined && this.#isBound) throw new CairnRefusal(noServer())
    if (first === undefined) return this.#askStore(operation, input, signal)
    const left = new Set<string>()
    const attemptOnce = (repeated: Input, limit: AbortSignal): Promise<Tried> => {
      const server = first ?? this.#server(operation)
      first = undefined
      if (server !== undefined && !left.has(server.url)) {
        return this.#tryServer(server, operation, repeated, limit, () => left.add(server.url))
      }
      return this.#isBound ? Promise.resolve(unsent) : tried(this.#askStore(operation, repeated, signal))
    }
    const terms = { deadlineMs: this.#deadlineMs, onceMs: Number.POSITIVE_INFINITY, signal }
    return callRepeatedly(attemptOnce, operation, input, terms)
  }

  /** A server that has died is started again within this; whoever types a command is told sooner that there is none. */
  get #deadlineMs(): number {
    return this.#options.serverFile === undefined ? deadlineMsUsual : deadlineMsOfAgent
  }

  /** Whether only a server may be asked. */
  get #isBound(): boolean {
    return this.#options.token !== undefined
  }

  /** The server to ask now. A file that an operation names is a file here, and not where a server is. */
  #server(operation: AnyOperation): Address | undefined {
    const { token } = this.#options
    const url = this.#given?.url
    const meant = this.#meant
    const usesFile = 'file' in operation.input.members
    if (usesFile && this.#isBound) throw new CairnRefusal(noFile(operation))
    if (token === undefined && url !== undefined) throw new CairnRefusal(noToken(url))
    if (token !== undefined && url !== undefined) return addressOf(url, callerHeaders({ ...meant, token }))
    const running = usesFile ? undefined : serverFor(this.#options)
    if (running === undefined) return undefined
    const own = token ?? new InstallTokenFile(running.home).text()
    return addressOf(running.url, callerHeaders({ ...meant, token: own }))
  }

  async #tryServer(
    server: Address,
    operation: AnyAnswered,
    input: Input,
    limit: AbortSignal,
    leave: () => void,
  ): Promise<Tried> {
    const attempted = await trySending(await this.#sendingTo(server), operation, input, limit)
    const { outcome } = attempted
    if (this.#isBound || isAnswered(outcome)) return attempted
    leave()
    return outcome === 'lost' ? attempted : unsent
  }

  /** `fetch` would cost a quarter more of the time a command takes. */
  async #sendingTo({ url, headers }: Address): Promise<Send> {
    const http = url.startsWith('https:') ? await import('node:https') : await import('node:http')
    this.#agent ??= new http.Agent({ keepAlive: true })
    const agent = this.#agent
    return (operation, body, signal) =>
      new Promise<Received>((resolve, reject) => {
        const lost = (error: NodeJS.ErrnoException) => {
          if (isCutOff(error.code)) this.#given?.lost(url)
          reject(isUnsent(error.code) ? new Unsent('nobody took the request') : error)
        }
        const sized = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
        const options = { method: 'POST', agent, signal, headers: sized }
        const asking = http.request(new URL(`operations/${operation}`, url), options, (response) => {
          const { statusCode: status = 0, headers: said } = response
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part: string) => {
            text += part
          })
          response.on('end', () => resolve({ status, text, retryMs: retryMsOf(said['retry-after']) }))
          response.on('error', lost)
        })
        asking.on('error', lost)
        asking.end(body)
      })
  }

  async #start(session: string | undefined, signal: AbortSignal, since?: Since) {
    return startOf(await this.#perform(operations.log.list, startAsked(session, since), signal), since)
  }

  /** Undefined where there is no server, or none that can tell it, and the store may be asked instead. */
  async #feedOfServer(operation: AnyStream, query: FeedQuery, signal: AbortSignal): Promise<Feed | undefined> {
    const server = this.#server(operation)
    if (server === undefined && !this.#isBound) return undefined
    if (server === undefined) throw new Error('no server runs at present')
    return openFeed(opening(server), query, signal).catch((error: unknown) => {
      if (isCutOff(causeOf(error))) this.#given?.lost(server.url)
      const isRefused = error instanceof CairnRefusal && !ofServer.includes(error.code)
      if (this.#isBound || isRefused || signal.aborted) throw error
      return undefined
    })
  }

  async #feedOfStore(root: string, wanted: FollowOptions): Promise<Feed> {
    const { log, caller } = await this.#openedLog()
    const events = log.follow(root, wanted, this.#as(caller))
    return { events, close: () => events.return() }
  }

  async #askStore(operation: AnyAnswered, input: Input, signal: AbortSignal | undefined): Promise<Answer> {
    const { log, caller } = await this.#openedLog()
    const answer = await log.execute(operation, input, this.#as(caller), signal)
    return operation.large ? inFull(answer) : answer
  }

  /** What is meant may be another session than when the store was opened; who asks stays the same. */
  #as(caller: Caller): Caller {
    return { ...caller, ...this.#meant, actor: caller.actor }
  }

  /** Loaded and opened when it is first needed: most who are served by a server never need it. */
  async #openedLog(): Promise<OpenedLog> {
    const opening = async () => {
      const { openLog } = await import('../open.ts')
      const { home, store, waits } = this.#options
      return openLog({ home, store, ...this.#meant, waits })
    }
    this.#opened ??= opening().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

const unsent: Tried = { outcome: 'unsent' }

/** Refusals that are about the server and not about what was asked: nothing of it was done. */
const ofServer: readonly RefusalCode[] = ['unavailable', 'unauthorized', 'host_not_allowed']

function isAnswered(outcome: Outcome): boolean {
  if (typeof outcome === 'string') return false
  return 'answer' in outcome || !ofServer.includes(outcome.refusal.code)
}

/** What the store answered. */
async function tried(asking: Promise<Answer>): Promise<Tried> {
  try {
    return { outcome: { answer: await asking }, isFinal: true }
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    return { outcome: { refusal: error.refusal }, isFinal: true }
  }
}

function noServer(): Refusal {
  const hint = 'Start one with cairn up, or set CAIRN_URL to a running one; a token only works with a server.'
  return refuse('unavailable', 'CAIRN_TOKEN is set, but no server is running for this data folder.', hint)
}

/** The owner's token of this folder is no business of a server elsewhere, and its store is not what was asked for. */
function noToken(url: string): Refusal {
  const hint = 'Set CAIRN_TOKEN to a token of that server, or unset CAIRN_URL to use the local store.'
  return refuse('unauthorized', `CAIRN_URL is set (${url}), but CAIRN_TOKEN is not.`, hint)
}

function noFile({ name }: AnyOperation): Refusal {
  const hint = 'Run it without CAIRN_TOKEN, on the machine that has the store.'
  return refuse('forbidden', `${name} uses a local file, which CAIRN_TOKEN does not allow.`, hint)
}
