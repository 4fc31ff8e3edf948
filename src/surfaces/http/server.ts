import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import { writtenPieces } from '../../json/json-text.ts'
import type { Caller } from '../../log/access/caller.ts'
import type { Log } from '../../log/log.ts'
import { inWordsOf } from '../../operations/hint-words.ts'
import type { Admission } from '../wire/admission.ts'
import type { Endpoint } from '../wire/endpoint.ts'
import { isThere, mediaType, readBody } from '../wire/request-body.ts'
import { type Target, targetOf } from '../wire/request-target.ts'
import type { Shares } from '../wire/shares.ts'
import type { Turns } from '../wire/turns.ts'
import { limitUnread, sendPieces, type Unsent } from '../wire/unsent.ts'
import { checkGate, type Gate, securityHeaders } from './access/gate.ts'
import { Endpoints, type FoundEndpoint } from './endpoints.ts'
import type { Answered } from './monitoring/request-log.ts'
import { Outbox } from './outbox.ts'
import { nothingThere } from './rest/nothing-there.ts'
import { methods } from './rest/paths.ts'
import { restWords } from './rest/rest-words.ts'
import type { FoundPath, Route, RouteTree } from './rest/routes.ts'
import { retrySeconds, statuses } from './rest/statuses.ts'
import { call, chosen, type Execute, type Reply } from './rest/translation.ts'
import { answerPlainly, wantsWebSocket } from './upgrade.ts'

/** Who is slow to say what it wants is cut off: an open connection is all an attacker needs. */
const usualTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
}
const headerBytesMax = 16 * 1024

export interface ServerParts extends Admission {
  readonly log: Log
  readonly routes: RouteTree
  gate(): Gate
  /** Who asks: from the token, the cookie or the headers. */
  authenticate(request: IncomingMessage): Caller | Refusal | Promise<Caller | Refusal>
  /** By method and path, such as `GET /health`. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** A request to speak something else on this connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Told of each request when it was answered. */
  answered(answered: Answered): void
  /** Unique for ever. */
  readonly newId: () => string
  readonly elapsed: () => number
  readonly unsent: Unsent
  readonly turns: Turns
  readonly shares: Shares
  readonly timeouts?: Partial<typeof usualTimeouts>
  /** A certificate and its key; without them the server speaks plain HTTP. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

export function newServer(parts: ServerParts): Server {
  const options = { ...usualTimeouts, ...parts.timeouts, maxHeaderSize: headerBytesMax }
  const server = parts.tls ? createTlsServer({ ...options, ...parts.tls }) : createServer(options)
  // Ids that all begin with that of this life of the server cost less than one of their own for each request.
  const life = parts.newId()
  const outbox = new Outbox()
  const endpoints = new Endpoints(parts.endpoints)
  let requests = 0
  server.on('request', (request, response) => {
    requests += 1
    limitUnread(response, parts.log.limits.unreadMs)
    void new Exchange(parts, endpoints, outbox, `${life}-${requests}`, request, response).run()
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    if (!wantsWebSocket(request)) return answerPlainly(server, request, socket, head)
    requests += 1
    const id = `${life}-${requests}`
    const before = socket.bytesWritten
    parts.upgrade(request, socket, head).catch((error: unknown) => {
      const refusal = bug(id, error)
      // Where something else is spoken already, an answer would be taken for a part of it.
      if (socket.bytesWritten > before) socket.destroy()
      else cut(socket, '500 Internal Server Error', refusal)
    })
  })
  server.on('clientError', refuseUnreadable)
  return server
}

const unreadable: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to come.'],
}

/** What is no HTTP is told so, where there is still somebody to tell. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = unreadable[error.code ?? ''] ?? ['400 Bad Request', 'This is no HTTP request.']
  cut(socket, status, refuse('bad_request', message, 'Check the client.'))
}

/** Refuses where there is no response to do it with. */
function cut(socket: Socket, status: string, refusal: Refusal): void {
  const text = JSON.stringify(refusal)
  const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}`
  // One who does not close its own side would keep the connection.
  socket.end(`${head}\r\n\r\n${text}`, () => socket.destroy())
}

/** A fault of ours: its id is in the log, and nothing of it in the answer. */
function bug(request: string, error: unknown): Refusal {
  process.stderr.write(`${JSON.stringify({ level: 'error', request, error: String((error as Error)?.stack) })}\n`)
  return refuse('internal', 'Internal error.', `Report it with request ${request}.`, { request })
}

/** Names and values in turn: Node writes such a list as it is, which costs a tenth of putting an object together. */
const securityLines = Object.entries(securityHeaders).flat()

/** Stands in the log and the metrics where the client was gone before it was answered, as other servers have it. */
const statusOfNobody = 499

/** One request and its answer. */
class Exchange {
  readonly #parts: ServerParts
  readonly #endpoints: Endpoints
  readonly #outbox: Outbox
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #id: string
  readonly #started: number
  /** HEAD is GET whose body Node leaves out. */
  readonly #method: string
  #route = 'none'
  /** Who asks, once that is known. */
  #principal = ''
  /** The operation that is meant, once that is known. */
  #meant: Route | undefined
  /** Ends its share of what its token may have open. */
  #leave: () => void = () => undefined
  /** All that is wrong is that what was waited for has not come about. */
  #ranOut = false
  /** All of the request had come when it was read. */
  #isThere = false
  /** The answer may hold values as the texts they are kept as. */
  #hasTexts = false

  constructor(
    parts: ServerParts,
    endpoints: Endpoints,
    outbox: Outbox,
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#parts = parts
    this.#endpoints = endpoints
    this.#outbox = outbox
    this.#request = request
    this.#response = response
    this.#id = id
    this.#started = parts.elapsed()
    this.#method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
  }

  async run(): Promise<void> {
    try {
      const refusal = checkGate(this.#parts.gate(), this.#request)
      if (refusal) throw new CairnRefusal(refusal)
      const target = targetOf(this.#request.url)
      if (target instanceof Refusal) throw new CairnRefusal(target)
      const found = this.#endpoints.find(this.#request.method ?? '', target.path)
      const caller = found?.endpoint.open ? undefined : await this.#parts.authenticate(this.#request)
      if (caller instanceof Refusal) throw new CairnRefusal(caller)
      this.#principal = caller?.principal ?? ''
      if (caller)
        this.#leave = this.#parts.shares.enter(found?.endpoint.lasting ? 'tokenFeeds' : 'tokenRequests', caller)
      if (found !== undefined) await this.#besides(found, target, caller)
      else this.#send(await this.#operate(target, caller as Caller))
    } catch (error) {
      this.#refuse(error)
    }
  }

  async #besides(
    { endpoint, label, members }: FoundEndpoint,
    target: Target,
    caller: Caller | undefined,
  ): Promise<void> {
    this.#route = label
    for (const [name, value] of Object.entries(securityHeaders)) this.#response.setHeader(name, value)
    this.#response.setHeader('x-request-id', this.#id)
    await endpoint.handle(this.#request, this.#response, { ...target, members }, caller)
    this.#told()
  }

  async #operate({ path, searchParams: query }: Target, caller: Caller): Promise<Reply> {
    const { headers } = this.#request
    const found = this.#parts.routes.find(path)
    const routes = found?.meanings.get(this.#method)
    if (found === undefined || routes === undefined) throw new CairnRefusal(this.#nothingAt(path, found))
    this.#route = (routes[0] as Route).label
    this.#isThere = isThere(this.#request)
    const isEmpty = this.#isThere && this.#request.readableLength === 0
    const body = isEmpty ? undefined : await readBody(this.#request, this.#parts.log.limits)
    if (body instanceof Refusal) throw new CairnRefusal(body)
    const route = chosen(routes, query, mediaType(this.#request), body)
    if (route instanceof Refusal) throw new CairnRefusal(route)
    this.#meant = route
    const over = route.does.kind === 'wait' ? this.#over(caller) : undefined
    // Waits are counted where they are waited for, whoever asks.
    if (over !== undefined) this.#leave()
    // A body may take its time to come, and its sender may lose its token meanwhile.
    if (!this.#isThere) await this.#checkAgain(caller)
    this.#hasTexts = route.does.large === true || route.shows === 'document'
    if (this.#hasTexts) await this.#turn()
    else if (route.does.kind === 'change') this.#refuseUnread()
    const said = { members: found.members, query, headers, body, routes }
    const execute: Execute = (operation, input) => this.#parts.log.execute(operation, input, caller, over)
    const reply = await call(route, said, execute)
    if (over !== undefined) await this.#checkAgain(caller)
    return reply
  }

  /** Of what is large one is read at a time, and nothing for those who are gone or have not read what they got. */
  async #turn(): Promise<void> {
    await this.#parts.turns.next()
    const gone = this.#response.destroyed
      ? refuse('unavailable', 'The connection was closed.', 'Ask again.')
      : undefined
    if (gone) throw new CairnRefusal(gone)
    this.#refuseUnread()
  }

  /** Whether there will be room for an answer is known before anything is done. */
  #refuseUnread(): void {
    const refusal = this.#parts.unsent.refusalBefore(this.#principal)
    if (refusal) throw new CairnRefusal(refusal)
  }

  async #checkAgain(caller: Caller): Promise<void> {
    const refusal = await this.#parts.refusalOf(caller)
    if (refusal) throw new CairnRefusal(refusal)
  }

  /** Aborted once nobody is there to be answered, or nobody who may be. */
  #over(caller: Caller): AbortSignal {
    const closed = refuse('unavailable', 'The connection was closed.', 'Wait again.')
    if (this.#response.destroyed) return AbortSignal.abort(closed)
    const over = new AbortController()
    const unwatch = this.#parts.watch(caller, (why) => over.abort(why))
    this.#response.once('close', () => {
      unwatch()
      over.abort(closed)
    })
    return over.signal
  }

  #nothingAt(path: string, found: FoundPath | undefined): Refusal {
    const all = new Set(found?.meanings.keys() ?? [])
    if (found?.meanings.has('GET')) all.add('HEAD')
    for (const method of this.#endpoints.methodsAt(path, [...methods, 'HEAD'])) all.add(method)
    const allow = [...all].join(', ')
    if (allow === '') return nothingThere(path)
    this.#response.setHeader('allow', allow)
    return refuse('method_not_allowed', `${this.#request.method} is not allowed here.`, `Allowed: ${allow}.`, {
      allow,
    })
  }

  #refuse(error: unknown): void {
    const refusal = this.#said(error instanceof CairnRefusal ? error.refusal : bug(this.#id, error))
    this.#ranOut = refusal.code === 'timeout' && this.#meant?.does.kind === 'wait'
    const preferred = /\bstatus=412\b/.test(String(this.#request.headers.prefer ?? ''))
    const status = refusal.code === 'version_conflict' && preferred ? 412 : statuses[refusal.code]
    const headers: Record<string, string> = {}
    if (status === 412) headers['preference-applied'] = 'status=412'
    if (status === 401) headers['www-authenticate'] = 'Bearer'
    if (status === 429 || status === 503) headers['retry-after'] = String(retrySeconds(refusal))
    // A body that was not read to its end would be taken for the next request.
    if (!this.#isThere && !this.#request.complete) headers.connection = 'close'
    this.#send({ status, headers, body: refusal.toJSON() })
  }

  /** Whoever calls operations by their names knows them by these, and may have words of its own for them. */
  #said(refusal: Refusal): Refusal {
    if (this.#request.url?.startsWith('/operations/')) return refusal
    // An id that was used before came with this very request: in the header, or else in its body.
    const isInHeader = refusal.code !== 'idempotency_mismatch' || 'idempotency-key' in this.#request.headers
    return inWordsOf(restWords(this.#meant, isInHeader), refusal)
  }

  #send({ status, headers, body }: Reply): void {
    if (this.#response.headersSent || this.#response.destroyed) {
      this.#told()
      return
    }
    const texts = body === undefined ? [] : this.#hasTexts ? writtenPieces(body) : [JSON.stringify(body)]
    const chars = texts.reduce((sum, { length }) => sum + length, 0)
    const isDone = status < 400 && this.#meant?.does.kind === 'change'
    const refusal = this.#parts.unsent.admit(this.#response, this.#principal, chars, isDone)
    if (refusal) {
      this.#refuse(new CairnRefusal(refusal))
      return
    }
    const lines = [...securityLines, 'x-request-id', this.#id]
    if (body !== undefined) lines.push('content-type', 'application/json; charset=utf-8')
    if (status !== 204 && status !== 304) lines.push('content-length', String(byteLengthOf(texts)))
    for (const name in headers) lines.push(name, headers[name] as string)
    this.#response.writeHead(status, lines)
    this.#outbox.add(() => {
      if (texts.length > 1) void sendPieces(this.#response, texts, this.#parts.log.limits.unreadMs)
      else this.#response.end(texts[0])
      this.#told()
    })
  }

  #told(): void {
    this.#leave()
    const ms = this.#parts.elapsed() - this.#started
    const status = this.#response.headersSent ? this.#response.statusCode : statusOfNobody
    const [request, route, id] = [this.#request, this.#route, this.#id]
    this.#parts.answered({ request, status, ms, route, id, ranOut: this.#ranOut })
  }
}

function byteLengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
