import { setMaxListeners } from 'node:events'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Caller } from '../../../log/access/caller.ts'
import type { Admission } from '../../wire/admission.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import { targetOf } from '../../wire/request-target.ts'
import type { Shares } from '../../wire/shares.ts'
import { checkGate, type Gate } from '../access/gate.ts'
import { retrySeconds, statuses } from '../rest/statuses.ts'
import type { Hub } from './hub.ts'
import { type Reading, serveReader } from './reader.ts'
import { socketLine } from './socket.ts'
import { sseLine } from './sse.ts'
import type { Subscription } from './subscription.ts'
import { type SubscriptionRequest, subscriptionRequestOf } from './subscription-request.ts'

/** Readers say nothing but what their query says. */
const frameBytesMax = 64 * 1024

const usualHeartbeatMs = 15_000

export interface FeedParts extends Admission {
  readonly hub: Hub
  readonly shares: Shares
  gate(): Gate
  authenticate(request: IncomingMessage): Caller | Refusal | Promise<Caller | Refusal>
  /** Ends every reader. */
  readonly stopping: AbortSignal
  readonly heartbeatMs?: number | undefined
  readonly unreadMs: number
}

/** The feed as server-sent events: `GET /events`. */
export function feedAsEvents(parts: FeedParts): Endpoint {
  return {
    open: false,
    lasting: true,
    async handle(request, response, { searchParams }, caller) {
      const last = request.headers['last-event-id']
      const wanted = requestIn(searchParams, typeof last === 'string' && last !== '' ? last : undefined)
      const who = caller as Caller
      const closed = closedBy(response, parts.stopping)
      // Whoever may not read it is told so before anything is sent.
      const subscription = droppedAfter(closed, await parts.hub.subscribe(wanted, who))
      const line = sseLine(response, subscription)
      await serveReader(readingOf(parts, who, subscription), line, closed)
    },
  }
}

/** The feed over WebSocket: an upgrade of `/ws`. */
export function feedOverSockets(parts: FeedParts) {
  const server = new WebSocketServer({ noServer: true, maxPayload: frameBytesMax, perMessageDeflate: false })
  return async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy())
    try {
      const { caller, wanted } = await admitted(parts, request)
      const leave = parts.shares.enter('tokenFeeds', caller)
      socket.once('close', leave)
      const closed = closedBy(socket, parts.stopping)
      const subscription = droppedAfter(closed, await parts.hub.subscribe(wanted, caller))
      const served = (opened: WebSocket) => {
        // What cannot be read closes the connection by itself.
        opened.on('error', () => undefined)
        return serveReader(readingOf(parts, caller, subscription), socketLine(opened, socket), closed)
      }
      await new Promise<void>((resolve, reject) => {
        server.handleUpgrade(request, socket, head, (opened) => void served(opened).then(resolve, reject))
      })
    } catch (error) {
      if (!(error instanceof CairnRefusal)) throw error
      refuseUpgrade(socket, error.refusal)
    }
  }
}

async function admitted(
  parts: FeedParts,
  request: IncomingMessage,
): Promise<{ caller: Caller; wanted: SubscriptionRequest }> {
  const refusal = checkGate(parts.gate(), request)
  if (refusal) throw new CairnRefusal(refusal)
  const caller = await parts.authenticate(request)
  if (caller instanceof Refusal) throw new CairnRefusal(caller)
  const target = targetOf(request.url)
  if (target instanceof Refusal) throw new CairnRefusal(target)
  if (target.path !== '/ws') throw new CairnRefusal(refuse('not_found', 'The feed is at /ws.', 'Connect to /ws.'))
  return { caller, wanted: requestIn(target.searchParams, undefined) }
}

function requestIn(query: URLSearchParams, last: string | undefined): SubscriptionRequest {
  const wanted = subscriptionRequestOf(query, last)
  if (wanted instanceof Refusal) throw new CairnRefusal(wanted)
  return wanted
}

function readingOf(
  { hub, refusalOf, watch, heartbeatMs, unreadMs }: FeedParts,
  caller: Caller,
  subscription: Subscription,
): Reading {
  return {
    subscription,
    readers: () => hub.readers,
    heartbeatMs: heartbeatMs ?? usualHeartbeatMs,
    unreadMs,
    refusal: () => refusalOf(caller),
    watch: (ended) => watch(caller, ended),
  }
}

/** Aborted when the connection is gone or the server stops. */
function closedBy(connection: Writable, stopping: AbortSignal): AbortSignal {
  // What is closed already does not say so again.
  if (connection.destroyed || stopping.aborted) return AbortSignal.abort()
  const closed = new AbortController()
  const stop = () => closed.abort()
  // All readers wait for it, however many they are.
  setMaxListeners(0, stopping)
  stopping.addEventListener('abort', stop, { once: true })
  connection.once('close', () => {
    stopping.removeEventListener('abort', stop)
    stop()
  })
  return closed.signal
}

/** The subscription, which is dropped with the connection, whether it began or not. */
function droppedAfter(closed: AbortSignal, subscription: Subscription): Subscription {
  if (closed.aborted) subscription.drop()
  else closed.addEventListener('abort', () => subscription.drop(), { once: true })
  return subscription
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const text = JSON.stringify(refusal)
  const status = statuses[refusal.code]
  const retry = status === 429 || status === 503 ? `\r\nretry-after: ${retrySeconds(refusal)}` : ''
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close${retry}\r\ncontent-type: application/json`
  // One who does not close its own side would keep the connection.
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, () => socket.destroy())
}
