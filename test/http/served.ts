// A real server of a store, on a port of its own, and requests whose answers are all held to the document.
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { elapsed, systemClock } from '../../src/clock.ts'
import { type Refusal, refuse } from '../../src/domain/log/refusal.ts'
import type { Json } from '../../src/json/value.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import type { OpenOptions } from '../../src/open.ts'
import { type Gate, gateOf } from '../../src/surfaces/http/access/gate.ts'
import { blobEndpoints } from '../../src/surfaces/http/blobs/blob-endpoints.ts'
import { type FeedParts, feedAsEvents, feedOverSockets } from '../../src/surfaces/http/feed/feed-endpoints.ts'
import { Hub } from '../../src/surfaces/http/feed/hub.ts'
import { listen } from '../../src/surfaces/http/listening.ts'
import { health } from '../../src/surfaces/http/monitoring/health-and-metrics.ts'
import { documents } from '../../src/surfaces/http/openapi/reader-endpoints.ts'
import { RouteTree } from '../../src/surfaces/http/rest/routes.ts'
import { newServer, type ServerParts } from '../../src/surfaces/http/server.ts'
import { revoked as tokenRevoked } from '../../src/surfaces/wire/admission.ts'
import { Shares } from '../../src/surfaces/wire/shares.ts'
import { Turns } from '../../src/surfaces/wire/turns.ts'
import { Unsent } from '../../src/surfaces/wire/unsent.ts'
import type { OpenedLog, TestStore } from '../setup/stores.ts'
import { undocumented } from './documented.ts'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON; null without one. */
  readonly body: { readonly [name: string]: Json }
}

interface Asking {
  readonly headers?: Record<string, string>
  /** Sent as JSON, or as it is when it is text or bytes. */
  readonly body?: unknown
  readonly type?: string
}

export interface Served {
  readonly port: number
  readonly log: OpenedLog['log']
  readonly hub: Hub
  /** Tokens that do not count any more, as another process would have it. */
  readonly revoked: Set<string>
  /** Tells those who watch a token that it does not count any more. */
  revoke(token: string): void
  /** How many are open. */
  connections(): Promise<number>
  ask(method: string, path: string, asking?: Asking): Promise<Answered>
  /** Sends text as it is, with the server for HOST, and answers with all that comes back. */
  raw(...texts: string[]): Promise<string>
  stop(): Promise<void>
}

interface Options extends Pick<FeedParts, 'heartbeatMs'>, Pick<ServerParts, 'timeouts'>, Pick<OpenOptions, 'limits'> {
  /** A log that is open already. */
  readonly opened?: OpenedLog
}

export const owner = { authorization: 'Bearer owner' }

/** Tokens of tests: `owner`, `reader`, or `agent` for the session of the header, with anything after a dash. */
function callerOf(token: string, session: string | undefined): Caller {
  const scope = token.startsWith('reader') ? 'reader' : 'owner'
  return { principal: token, actor: 'http', scope, session }
}

/** It stops with the test. */
export async function serveStore(store: TestStore, { limits, opened, ...options }: Options = {}): Promise<Served> {
  const { log, caller } = opened ?? (await store.openLog({ limits }))
  const stopping = new AbortController()
  const revoked = new Set<string>()
  const watchers = new Map<string, Set<() => void>>()
  let gate: Gate = gateOf('127.0.0.1', 0)
  const common = {
    gate: () => gate,
    authenticate({ headers }: IncomingMessage) {
      const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
      if (token === undefined || revoked.has(token)) return refuse('unauthorized', 'A token is required.', 'Send one.')
      return callerOf(token, headers['x-agent-session-name'] as string | undefined)
    },
    refusalOf: async ({ principal }: Caller) => (revoked.has(principal) ? tokenRevoked() : undefined),
    watch({ principal }: Caller, why: (refusal: Refusal) => void) {
      const ended = () => why(tokenRevoked())
      const watching = watchers.get(principal) ?? new Set()
      watchers.set(principal, watching.add(ended))
      return () => void watching.delete(ended)
    },
  }
  const shares = new Shares(log.limits)
  const hub = new Hub(log, caller)
  const feed: FeedParts = {
    ...common,
    shares,
    hub,
    stopping: stopping.signal,
    heartbeatMs: options.heartbeatMs,
    unreadMs: log.limits.unreadMs,
  }
  const server = newServer({
    routes: new RouteTree(),
    ...common,
    ...options,
    log,
    endpoints: new Map([
      ['GET /health', health()],
      ['GET /events', feedAsEvents(feed)],
      ...blobEndpoints({ ...common, log }),
      ...documents('0.0.0-test'),
    ]),
    upgrade: feedOverSockets(feed),
    answered: () => undefined,
    newId: systemClock().id,
    elapsed,
    unsent: new Unsent(),
    shares,
    turns: new Turns(),
  })
  const port = await listen(server, '127.0.0.1', 0)
  let isStopped = false
  gate = gateOf('127.0.0.1', port)
  const served: Served = {
    port,
    log,
    hub,
    revoked,
    revoke(token) {
      for (const ended of watchers.get(token) ?? []) ended()
    },
    connections: promisify(server.getConnections.bind(server)),
    ask: (method, path, asking) => ask(port, method, path, asking),
    raw: (...texts) => raw(port, texts),
    async stop() {
      if (isStopped) return
      isStopped = true
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await log.close()
    },
  }
  onTestFinished(served.stop)
  return served
}

function bytesOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  return JSON.stringify(body)
}

function ask(port: number, method: string, path: string, { headers = {}, body, type }: Asking = {}): Promise<Answered> {
  const sent = bytesOf(body)
  const typed =
    sent === undefined ? {} : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(sent) }
  return new Promise((resolve, reject) => {
    const sending = httpRequest({ port, host: '127.0.0.1', method, path, headers: { ...owner, ...typed, ...headers } })
    sending.on('error', reject)
    sending.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const status = response.statusCode as number
        const answered = {
          method,
          path: path.split('?')[0] as string,
          status,
          type: response.headers['content-type'],
          text,
        }
        try {
          expect(undocumented(answered)).toBeUndefined()
          const isJson = answered.type?.startsWith('application/json')
          resolve({ status, headers: response.headers, text, body: isJson && text !== '' ? JSON.parse(text) : null })
        } catch (error) {
          reject(error)
        }
      })
    })
    sending.end(sent)
  })
}

function raw(port: number, texts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    for (const text of texts) socket.write(text.replaceAll('HOST', `127.0.0.1:${port}`))
  })
}
