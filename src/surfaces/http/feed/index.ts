import { setMaxListeners } from 'node:events'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Caller } from '../../../log/access/caller.ts'
import { checkGate, type Gate } from '../gate.ts'
import type { Extra } from '../server.ts'
import { statuses } from '../statuses.ts'
import { targetOf } from '../target.ts'
import type { Hub } from './hub.ts'
import { type Reading, serveReader } from './reader.ts'
import { socketLine } from './socket.ts'
import { sseLine } from './sse.ts'
import type { Subscription } from './subscription.ts'
import { type Wish, wishOf } from './wish.ts'

/** Readers say nothing but what their query says. */
const frameBytesMax = 64 * 1024

const usualHeartbeatMs = 15_000

export interface FeedParts {
  readonly hub: Hub
  gate(): Gate
  authenticate(request: IncomingMessage): Caller | Refusal | Promise<Caller | Refusal>
  /** Whether the token of a caller still counts. */
  isValid(caller: Caller): Promise<boolean>
  /** Calls once it stops to count, soon whoever ended it; gives the way to stop that. */
  watch(caller: Caller, ended: () => void): () => void
  /** Ends every reader. */
  readonly stopping: AbortSignal
  readonly heartbeatMs?: number | undefined
}

/** The feed as server-sent events: `GET /events`. */
export function feedAsEvents(parts: FeedParts): Extra {
  return {
    open: false,
    async handle(request, response, { searchParams }, caller) {
      const last = request.headers['last-event-id']
      const wish = wished(searchParams, typeof last === 'string' && last !== '' ? last : undefined)
      const who = caller as Caller
      const closed = closedBy(response, parts.stopping)
      // Whoever may not read it is told so before anything is sent.
      const subscription = droppedAfter(closed, await parts.hub.subscribe(wish, who))
      const line = sseLine(response, subscription)
      await serveReader(readingOf(parts, who, subscription), line, closed)
    },
  }
}

/** The feed over WebSocket: an upgrade of `/ws`. */
export function feedOverSockets(parts: FeedParts) {
  const server = new WebSocketServer({ noServer: true, maxPayload: frameBytesMax, perMessageDeflate: false })
  return async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy())
    try {
      const { caller, wish } = await admitted(parts, request)
      const closed = closedBy(socket, parts.stopping)
      const subscription = droppedAfter(closed, await parts.hub.subscribe(wish, caller))
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

async function admitted(parts: FeedParts, request: IncomingMessage): Promise<{ caller: Caller; wish: Wish }> {
  const refusal = checkGate(parts.gate(), request)
  if (refusal) throw new CairnRefusal(refusal)
  const caller = await parts.authenticate(request)
  if (caller instanceof Refusal) throw new CairnRefusal(caller)
  const target = targetOf(request.url)
  if (target instanceof Refusal) throw new CairnRefusal(target)
  if (target.path !== '/ws') throw new CairnRefusal(refuse('not_found', 'The feed is at /ws.', 'Connect to /ws.'))
  return { caller, wish: wished(target.searchParams, undefined) }
}

function wished(query: URLSearchParams, last: string | undefined): Wish {
  const wish = wishOf(query, last)
  if (wish instanceof Refusal) throw new CairnRefusal(wish)
  return wish
}

function readingOf({ isValid, watch, heartbeatMs }: FeedParts, caller: Caller, subscription: Subscription): Reading {
  return {
    subscription,
    heartbeatMs: heartbeatMs ?? usualHeartbeatMs,
    isValid: () => isValid(caller),
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
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json`
  // One who does not close its own side would keep the connection.
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, () => socket.destroy())
}
