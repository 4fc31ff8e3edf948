// A server of its own over a log, with a clock that only moves when it is told to.
import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/clock.ts'
import type { Refusal } from '../../src/domain/log/refusal.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { RevokedLogins } from '../../src/home/revoked-logins.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import type { Log } from '../../src/log/log.ts'
import { Authentication } from '../../src/surfaces/http/access/authentication.ts'
import { gateOf } from '../../src/surfaces/http/access/gate.ts'
import { feedAsEvents } from '../../src/surfaces/http/feed/feed-endpoints.ts'
import { Hub } from '../../src/surfaces/http/feed/hub.ts'
import { RouteTree } from '../../src/surfaces/http/rest/routes.ts'
import { newServer } from '../../src/surfaces/http/server.ts'
import { Shares } from '../../src/surfaces/wire/shares.ts'
import { Turns } from '../../src/surfaces/wire/turns.ts'
import { Unsent } from '../../src/surfaces/wire/unsent.ts'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export interface Asked {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly body?: object
}

export interface Server {
  readonly url: string
  readonly authentication: Authentication
  readonly install: InstallTokenFile
  /** Who was let in, the last one last. */
  readonly callers: Caller[]
  /** What is not for callers. */
  readonly reported: string[]
  ask(path: string, asked?: Asked): Promise<Answered>
  /** Calls an operation by its name. */
  call(operation: string, input: object, token: string): Promise<Answered>
  later(ms: number): void
  close(): Promise<void>
}

/** Unless it is told otherwise, it does not look by itself whether those who stay connected still may. */
export async function startServer(log: Log, home: string, lookMs = 3_600_000): Promise<Server> {
  let now = 0
  const install = new InstallTokenFile(home)
  const reported: string[] = []
  const report = ({ message }: Refusal) => void reported.push(message)
  const authentication = new Authentication({
    log,
    install,
    revoked: new RevokedLogins(home),
    report,
    now: () => now,
    today: () => now,
    lookMs,
  })
  const callers: Caller[] = []
  let gate = gateOf('127.0.0.1', 0)
  const clock = systemClock()
  const stopping = new AbortController()
  const common = {
    gate: () => gate,
    async authenticate(request: IncomingMessage) {
      const caller = await authentication.authenticate(request)
      if ('principal' in caller) callers.push(caller)
      return caller
    },
    refusalOf: (caller: Caller) => authentication.refusalOf(caller),
    watch: (caller: Caller, ended: (why: Refusal) => void) => authentication.watch(caller, ended),
  }
  const shares = new Shares(log.limits)
  const owner: Caller = { principal: 'owner', actor: 'server', scope: 'owner' }
  const { unreadMs } = log.limits
  const feed = feedAsEvents({ ...common, shares, hub: new Hub(log, owner), stopping: stopping.signal, unreadMs })
  const server = newServer({
    routes: new RouteTree(),
    ...common,
    log,
    endpoints: new Map([
      ['GET /login', authentication.login('/docs')],
      ['POST /logout', authentication.logout()],
      ['GET /events', feed],
    ]),
    upgrade: async () => undefined,
    answered: () => undefined,
    newId: clock.id,
    elapsed: () => now,
    unsent: new Unsent(),
    shares,
    turns: new Turns(),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  gate = gateOf('127.0.0.1', port)
  const url = `http://127.0.0.1:${port}`
  const serving: Server = {
    url,
    authentication,
    install,
    callers,
    reported,
    ask: (path, asked = {}) => send(url + path, asked),
    call: (operation, body, token) => send(`${url}/operations/${operation}`, { method: 'POST', body, token }),
    later: (ms) => {
      now += ms
    },
    close: () =>
      new Promise((resolve) => {
        stopping.abort()
        server.close(() => resolve()).closeAllConnections()
      }),
  }
  return serving
}

/** `fetch` sets headers of its own, among them those of browsers. */
function send(url: string, { token, headers = {}, method = 'GET', body }: Asked): Promise<Answered> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asking = ask(url, { method, agent: false, headers: { ...bearer, ...typed, ...headers } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const { statusCode: status = 0, headers } = response
        const isJson = headers['content-type']?.startsWith('application/json')
        resolve({ status, headers, body: isJson && text !== '' ? JSON.parse(text) : { text } })
      })
    })
    asking.on('error', reject)
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
