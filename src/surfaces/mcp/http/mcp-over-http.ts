import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Caller } from '../../../log/access/caller.ts'
import type { Log } from '../../../log/log.ts'
import { performerOf } from '../../../open.ts'
import type { Admission } from '../../wire/admission.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import { readText } from '../../wire/request-body.ts'
import type { Target } from '../../wire/request-target.ts'
import type { Unsent } from '../../wire/unsent.ts'
import { Conversation } from '../conversation.ts'
import type { Asker, Offer } from '../method-call.ts'
import {
  codes,
  type Failure,
  failed,
  noBatch,
  type Parsed,
  parse,
  type Read,
  type Request,
} from '../protocol/json-rpc.ts'
import { revisionNames, revisionOf } from '../protocol/revisions.ts'
import { metaIn } from '../protocol/stateless.ts'
import { type Profile, profiles } from '../tools/profile.ts'
import type { Tool } from '../tools/tool.ts'
import { MessageStream } from './message-stream.ts'
import { accepts, PostReply } from './post-reply.ts'
import { type HttpSession, HttpSessions } from './sessions.ts'
import { checkHeaders, statusOf } from './stateless-headers.ts'

export interface McpParts extends Admission {
  readonly log: Log
  readonly tools: Readonly<Record<Profile, readonly Tool[]>>
  readonly version: string
  /** Told of faults of our own. */
  report(error: unknown): void
  /** Ends every client. */
  readonly stopping: AbortSignal
  /** Milliseconds that only ever go forward. */
  readonly elapsed: () => number
  readonly unsent: Unsent
}

/** `/mcp`: the protocol over HTTP. Token, host and origin were looked at before. */
export function mcpOverHttp(parts: McpParts): [string, Endpoint][] {
  const door = new Door(parts)
  const endpoint = (handle: Endpoint['handle']): Endpoint => ({ open: false, handle })
  return [
    [
      'POST /mcp',
      endpoint((request, response, target, caller) => door.post(request, response, target, caller as Caller)),
    ],
    [
      'GET /mcp',
      {
        open: false,
        lasting: true,
        handle: (request, response, _target, caller) => door.listen(request, response, caller as Caller),
      },
    ],
    ['DELETE /mcp', endpoint((request, response, _target, caller) => door.end(request, response, caller as Caller))],
  ]
}

class Door {
  readonly #parts: McpParts
  readonly #sessions: HttpSessions

  constructor(parts: McpParts) {
    this.#parts = parts
    this.#sessions = new HttpSessions(parts.elapsed)
    parts.stopping.addEventListener('abort', () => this.#sessions.hush(), { once: true })
  }

  async post(request: IncomingMessage, response: ServerResponse, target: Target, caller: Caller): Promise<void> {
    const offer = this.#offer(target)
    const text = await readText(request, this.#parts.log.limits)
    if (text instanceof Refusal) throw new CairnRefusal(text)
    // A body may take its time to come.
    await this.#checkAgain(caller)
    const failure = checkAccepted(request) ?? checkRevision(request)
    if (failure) return respond(response, failure.status, failure)
    const parsed = parse(text ?? '')
    const done = { isChanged: false }
    const replying = new PostReply(request, response, (bytes) =>
      this.#parts.unsent.admit(response, caller.principal, bytes, done.isChanged),
    )
    const { asker, leave } = this.#asker(response, caller, replying, done)
    const exchange = { parsed, asker, replying, request, caller, offer }
    await (isStateless(request, parsed) ? this.#alone(exchange) : this.#within(exchange)).finally(leave)
  }

  /** `GET`: what happens beside the requests, until either side ends. */
  async listen(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const failure = checkRevision(request) ?? (accepts(request, 'text/event-stream') ? undefined : notAcceptable)
    if (failure) return respond(response, failure.status, failure)
    const session = this.#sessions.find(request.headers['mcp-session-id'], caller)
    if (session === undefined) return respond(response, ...noSession(request))
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    const line = new MessageStream(response)
    if (this.#parts.stopping.aborted) line.end()
    else session.listen(line)
    await closed
    session.leave(line)
  }

  async end(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const session = this.#sessions.find(request.headers['mcp-session-id'], caller)
    if (session === undefined) return respond(response, ...noSession(request))
    this.#sessions.end(session)
    response.writeHead(204).end()
  }

  /** A request that stands by itself. */
  async #alone({ parsed, asker, replying, request, caller, offer }: Exchange): Promise<void> {
    if ('many' in parsed) return replying.end(400, failed(null, noBatch))
    const asked = typeof parsed.one === 'object' && 'request' in parsed.one ? parsed.one.request : undefined
    const failure = asked && checkHeaders(request.headers, asked)
    if (asked && failure) return replying.end(400, failed(asked.id, failure))
    const reply = await new Conversation(offer, () => undefined).hear(parsed.one, asker)
    if (replying.isOpen && (await this.#parts.refusalOf(caller))) return replying.drop()
    replying.end(statusOf(reply), reply)
  }

  /** Messages of a client that has agreed on a revision before, or does so now. */
  async #within({ parsed, asker, replying, request, caller, offer }: Exchange): Promise<void> {
    const isFirst = 'one' in parsed && requestIn(parsed.one)?.method === 'initialize'
    const session = isFirst
      ? this.#begin(offer, caller)
      : this.#sessions.find(request.headers['mcp-session-id'], caller)
    if (session === undefined) {
      const [status, failure] = unreadable(parsed) ?? noSession(request)
      return replying.end(status, failed(null, failure))
    }
    const { conversation } = session
    if ('many' in parsed && !conversation.revision.batches) return replying.end(400, failed(null, noBatch))
    const reads = 'many' in parsed ? parsed.many : [parsed.one]
    const replies = await Promise.all(reads.map((read) => conversation.hear(read, asker)))
    const given = replies.filter((reply) => reply !== undefined)
    if (replying.isOpen && (await this.#parts.refusalOf(caller))) return replying.drop()
    const [only] = given
    const status = unreadable(parsed)?.[0] ?? 200
    const headers: Record<string, string> = isFirst ? { 'mcp-session-id': session.id } : {}
    replying.end(status, 'many' in parsed && given.length > 0 ? given : only, headers)
  }

  #begin(offer: Offer, caller: Caller): HttpSession {
    const session = this.#sessions.begin(offer, caller)
    if (session === undefined) {
      throw new CairnRefusal(refuse('busy', 'Too many clients are connected.', 'End some with DELETE, or wait.'))
    }
    session.ended = this.#parts.watch(caller, () => this.#sessions.end(session))
    return session
  }

  #offer({ searchParams }: Target): Offer {
    const named = searchParams.get('profile') ?? 'agent'
    const profile = profiles.find((each) => each === named)
    if (profile === undefined) {
      throw new CairnRefusal(refuse('bad_request', 'Unknown profile.', `One of: ${profiles.join(', ')}.`))
    }
    const { tools, version, report, log } = this.#parts
    return { tools: tools[profile], version, report, subscriptionsMax: log.limits.subscriptions }
  }

  #asker(
    response: ServerResponse,
    caller: Caller,
    replying: PostReply,
    done: { isChanged: boolean },
  ): { asker: Asker; leave: () => void } {
    const gone = new AbortController()
    // All calls of a batch wait for the one, and all requests for the other.
    setMaxListeners(0, gone.signal, this.#parts.stopping)
    const unwatch = this.#parts.watch(caller, () => response.destroy())
    response.once('close', () => gone.abort())
    if (response.destroyed) gone.abort()
    const notify = (message: object) => replying.notify(message)
    const own = performerOf({ log: this.#parts.log, caller })
    const performer: typeof own = {
      stream: (...asked) => own.stream(...asked),
      execute: async (operation, ...asked) => {
        const isChange = operation.kind === 'change'
        const refusal = isChange ? this.#parts.unsent.refusalBefore(caller.principal) : undefined
        if (refusal) throw new CairnRefusal(refusal)
        const answer = await own.execute(operation, ...asked)
        done.isChanged ||= isChange
        return answer
      },
    }
    return { asker: { performer, notify, gone: gone.signal, stopping: this.#parts.stopping }, leave: unwatch }
  }

  async #checkAgain(caller: Caller): Promise<void> {
    const refusal = await this.#parts.refusalOf(caller)
    if (refusal) throw new CairnRefusal(refusal)
  }
}

interface Exchange {
  readonly parsed: Parsed
  readonly asker: Asker
  readonly replying: PostReply
  readonly request: IncomingMessage
  readonly caller: Caller
  readonly offer: Offer
}

function requestIn(read: Read): Request | undefined {
  return typeof read === 'object' && 'request' in read ? read.request : undefined
}

function isStateless({ headers }: IncomingMessage, parsed: Parsed): boolean {
  const asked = 'one' in parsed ? requestIn(parsed.one) : undefined
  if (asked !== undefined && metaIn(asked.params, 'protocolVersion') !== undefined) return true
  return asked?.method !== 'initialize' && revisionOf(headers['mcp-protocol-version'])?.stateless === true
}

type Said = Failure & { readonly status: number }

const notAcceptable: Said = { status: 406, code: codes.request, message: 'Accept text/event-stream.' }

function checkAccepted(request: IncomingMessage): Said | undefined {
  if (['application/json', 'text/event-stream'].some((type) => accepts(request, type))) return undefined
  return { ...notAcceptable, message: 'Accept application/json and text/event-stream.' }
}

function checkRevision({ headers }: IncomingMessage): Said | undefined {
  const named = headers['mcp-protocol-version']
  if (named === undefined || revisionOf(named) !== undefined) return undefined
  const data = { supported: [...revisionNames], requested: String(named).slice(0, 64) }
  return { status: 400, code: codes.revision, message: 'Unsupported protocol version.', data }
}

/** A message that cannot be taken, whoever sent it. */
function unreadable(parsed: Parsed): [number, Failure] | undefined {
  const read = 'one' in parsed ? parsed.one : 'reply'
  return typeof read === 'object' && 'failure' in read && read.id === null ? [400, read.failure] : undefined
}

function noSession({ headers }: IncomingMessage): [number, Failure] {
  if (headers['mcp-session-id'] !== undefined)
    return [404, { code: -32_001, message: 'Unknown session; initialize again.' }]
  return [400, { code: codes.request, message: 'Mcp-Session-Id is missing: initialize first.' }]
}

function respond(response: ServerResponse, status: number, { code, message, data }: Failure): void {
  const text = JSON.stringify(failed(null, data === undefined ? { code, message } : { code, message, data }))
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
