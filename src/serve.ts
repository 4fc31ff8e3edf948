import { existsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { elapsed, systemClock } from './clock.ts'
import { CairnRefusal, Refusal, refuse } from './domain/log/refusal.ts'
import { type Config, type ConfigOptions, loadConfig } from './home/config.ts'
import { announce, type Discovered, discover, storeName, withdraw } from './home/discovery.ts'
import { ownKeeper } from './home/keeper-file.ts'
import { InstallTokenFile } from './home/owner-token.ts'
import { portsAfter, replacedBy } from './home/predecessor.ts'
import { lifeOf } from './home/process-life.ts'
import { RevokedLogins } from './home/revoked-logins.ts'
import type { Caller } from './log/access/caller.ts'
import type { Log } from './log/log.ts'
import { endGoneHere, type OpenedLog, type OpenOptions, openLog } from './open.ts'
import { diskUse } from './operations/store/disk-use.ts'
import { RootPlanner } from './orchestrator/root-planner.ts'
import { Outage } from './runner/supervision/outage.ts'
import { Runner } from './runner/supervision/runner.ts'
import { Authentication } from './surfaces/http/access/authentication.ts'
import { type Exposure, type ExposureOptions, exposureOf } from './surfaces/http/access/exposure.ts'
import { gateOf } from './surfaces/http/access/gate.ts'
import { blobEndpoints } from './surfaces/http/blobs/blob-endpoints.ts'
import { dashboard } from './surfaces/http/dashboard/dashboard-endpoints.ts'
import { type FeedParts, feedAsEvents, feedOverSockets } from './surfaces/http/feed/feed-endpoints.ts'
import { Hub } from './surfaces/http/feed/hub.ts'
import { limitConnections, listenAtFirst, Traffic } from './surfaces/http/listening.ts'
import { health, metricsPage } from './surfaces/http/monitoring/health-and-metrics.ts'
import { type DiskUse, type Gauges, Metrics } from './surfaces/http/monitoring/metrics.ts'
import { RequestLog } from './surfaces/http/monitoring/request-log.ts'
import { documents } from './surfaces/http/openapi/reader-endpoints.ts'
import { startPage } from './surfaces/http/pages/start-page.ts'
import { type AddedRoutes, RouteTree } from './surfaces/http/rest/routes.ts'
import { newServer } from './surfaces/http/server.ts'
import { mcpOverHttp } from './surfaces/mcp/http/mcp-over-http.ts'
import { tools } from './surfaces/mcp/tools/index.ts'
import { Overload } from './surfaces/wire/overload.ts'
import { ProcessReadings } from './surfaces/wire/process-readings.ts'
import { Shares } from './surfaces/wire/shares.ts'
import { Turns } from './surfaces/wire/turns.ts'
import { Unsent } from './surfaces/wire/unsent.ts'

export interface ServeOptions extends ConfigOptions, ExposureOptions {
  /** Logs every request, not only faults. */
  readonly log?: boolean | undefined
  /** Parts of one's own, with their operations. */
  readonly added?: (Pick<OpenOptions, 'parts' | 'migrations'> & AddedRoutes) | undefined
  /** Of the program; stands in the description of its interface. */
  readonly version?: string | undefined
  /** How the program is started, as agents and their loops need it; without it no workflows are run. */
  readonly program?: readonly string[] | undefined
}

/** A server that runs in this process. */
export interface Serving {
  readonly discovered: Discovered
  /** A link that logs a browser in, once. */
  readonly login: string
  /** Answers what was asked, ends the feeds, closes the store. */
  stop(): Promise<void>
}

/** Serves a store over HTTP. One server at a time has a SQLite store; a Postgres may have several. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const exposure = accepted(exposureOf(options))
  const config = accepted(loadConfig(options))
  const release = await hold(config)
  try {
    const { added } = options
    const opened = await openLog({ ...config, ...added, actor: 'server', waits: 'yielding', thorough: true })
    const { log = false, version = 'unknown', program } = options
    const setting = { config, exposure, log, version, program, release, added }
    return await serveLog(opened, setting).catch(async (error: unknown) => {
      await opened.log.close()
      throw error
    })
  } catch (error) {
    release()
    throw error
  }
}

/** The log of a server, on stderr: faults always, and every request where that is wanted. */
export function serverLog(everyRequest = false): RequestLog {
  return new RequestLog(everyRequest, (line) => process.stderr.write(line), systemClock().now)
}

interface Setting {
  readonly config: Config
  readonly exposure: Exposure
  readonly log: boolean
  readonly version: string
  readonly program: readonly string[] | undefined
  readonly added: AddedRoutes | undefined
  release(): void
}

async function serveLog({ log, caller }: OpenedLog, setting: Setting): Promise<Serving> {
  const { config, exposure } = setting
  const stopping = new AbortController()
  const clock = systemClock()
  let gate = gateOf(exposure.host, exposure.port)
  const requestLog = serverLog(setting.log)
  const tell = (event: string) => (error: unknown) =>
    requestLog.say('error', event, { message: String((error as Error)?.stack ?? error) })
  const authentication = authenticationOf(log, setting, requestLog)
  const hub = new Hub(log, caller)
  log.keepTime(tell('due'))
  const { overload, readings } = watchProcess(log, config, requestLog)
  const common = { ...asking(authentication, overload), gate: () => gate }
  const shared = { ...common, log, elapsed, unsent: new Unsent(), turns: new Turns(), shares: new Shares(log.limits) }
  const isKnown = async (request: IncomingMessage) => !((await authentication.authenticate(request)) instanceof Refusal)
  const feed: FeedParts = { ...shared, hub, stopping: stopping.signal, unreadMs: log.limits.unreadMs }
  const metrics = metricsOf(config, hub, { log, caller }, { overload, readings })
  const server = newServer({
    routes: new RouteTree(setting.added),
    ...shared,
    endpoints: new Map([
      ...documents(setting.version),
      ['GET /', startPage({ version: setting.version, secure: exposure.secure, isKnown })],
      ['GET /health', health(() => overload.short)],
      ['GET /metrics', metricsPage(metrics)],
      ['GET /login', authentication.login('/ui/')],
      ['POST /login', authentication.newLink(() => discovered.url)],
      ['POST /logout', authentication.logout()],
      ...dashboardOf(setting, clock.now()),
      ['GET /events', feedAsEvents(feed)],
      ...blobEndpoints(shared),
      ...mcpOverHttp({ ...shared, tools, version: setting.version, stopping: stopping.signal, report: tell('mcp') }),
    ]),
    upgrade: feedOverSockets(feed),
    answered(answered) {
      metrics.answered(answered)
      requestLog.answered(answered)
    },
    newId: clock.id,
    tls: exposure.tls,
  })
  watchConnections(server, requestLog)
  const traffic = new Traffic(server)
  const port = await listenAtFirst(server, exposure.host, portsAfter(config.home, exposure.port))
  gate = gateOf(exposure.host, port, exposure.names(port), exposure.origins)
  const discovered = found(setting, port, clock.now())
  announce(config.home, discovered)
  // Agents that are started can be answered by now.
  const stopRunning = runAgents({ log, caller }, setting, discovered, tell)
  return {
    discovered,
    login: authentication.loginLink(discovered.url),
    async stop() {
      withdraw(config.home, discovered)
      await stopRunning()
      stopping.abort()
      await traffic.end()
      await log.close()
      await traffic.ended()
      metrics.stop()
      readings.stop()
      setting.release()
    },
  }
}

function authenticationOf(log: Log, { config, exposure }: Setting, requestLog: RequestLog): Authentication {
  return new Authentication({
    log,
    install: ownersToken(config),
    revoked: new RevokedLogins(config.home),
    secure: exposure.secure,
    edits: config.dashboardEdits,
    report: ({ message }) => requestLog.say('error', 'token', { message }),
  })
}

/** Who asks, and until when. */
function asking(authentication: Authentication, overload: Overload) {
  return {
    authenticate: (request: IncomingMessage) => unlessShort(authentication.authenticate(request), request, overload),
    refusalOf: (who: Caller) => authentication.refusalOf(who),
    watch: (who: Caller, ended: (why: Refusal) => void) => authentication.watch(who, ended),
  }
}

function dashboardOf({ config, version }: Setting, now: number) {
  const startedAt = new Date(now).toISOString()
  const store = kindOf(config.store)
  return dashboard({ folder: dashboardFolder(), version, store, startedAt, edits: config.dashboardEdits })
}

/** A folder or a file that is not as it must be is told of at the start, and not to the first who asks. */
function ownersToken({ home }: Config): InstallTokenFile {
  const install = new InstallTokenFile(home)
  install.text()
  return install
}

function watchConnections(server: ReturnType<typeof newServer>, requestLog: RequestLog): void {
  limitConnections(server, (message) => requestLog.say('error', 'full', { message }))
  // Such as a connection that could not be taken: the others go on.
  server.on('error', (error) => requestLog.say('error', 'server', { message: error.message }))
}

/** Runs the workflows of the store, and looks for agents of others that are gone; gives the way to stop both. */
function runAgents(
  { log, caller }: OpenedLog,
  { config: { home }, program }: Setting,
  { url, started_at: back }: Discovered,
  tell: (event: string) => (error: unknown) => void,
): () => Promise<void> {
  const stopLooking = endGoneEvery(goneMs, log, tell('gone'))
  const report = (event: string, error: unknown) => tell(event)(error)
  const newPlanner = () => new RootPlanner()
  const died = ownKeeper(home)?.died
  const outage = died && new Outage({ ...died, back })
  const ground = { home, log, caller, url, environment: process.env, newPlanner, outage, report }
  const runner = program && new Runner({ ...ground, cairn: program })
  return async () => {
    stopLooking()
    await runner?.stop()
  }
}

/** Looks at this process and its disk, and tells the log when there is too little of something. */
function watchProcess(log: Log, { limits, store }: Config, requestLog: RequestLog) {
  const overload = new Overload(limits, ({ resource, isShort, value, limit }) => {
    const message = isShort ? 'New work is refused.' : 'New work is accepted again.'
    const figures = { value: Math.round(value), limit: Math.round(limit) }
    requestLog.say(isShort ? 'error' : 'info', 'overload', { resource, message, ...figures })
  })
  log.writes.refusal = () => overload.refusalOfWrites()
  return { overload, readings: new ProcessReadings(overload, folderOf(store)) }
}

/** Who asks, unless nobody but the owner is served now. How the server is can be seen even then. */
function unlessShort(
  caller: Caller | Refusal | Promise<Caller | Refusal>,
  request: IncomingMessage,
  overload: Overload,
): Caller | Refusal | Promise<Caller | Refusal> {
  if (caller instanceof Promise) return caller.then((known) => unlessShort(known, request, overload))
  if (caller instanceof Refusal || request.url === '/metrics') return caller
  return overload.refusalOf(caller) ?? caller
}

/** How often a server looks for processes that were killed: whoever asks it opens no store, and so does not look. */
const goneMs = 2000

function endGoneEvery(ms: number, log: Log, report: (error: unknown) => void): () => void {
  const timer = setInterval(() => void endGoneHere(log).catch(report), ms)
  return () => clearInterval(timer)
}

function found({ config, exposure }: Setting, port: number, now: number): Discovered {
  const { pid } = process
  const host = ['0.0.0.0', '::'].includes(exposure.host) ? '127.0.0.1' : exposure.host
  const url = `${exposure.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const replaces = replacedBy(url, config.home)
  const started_at = new Date(now).toISOString()
  return { pid, life: lifeOf(pid), url, started_at, store: storeName(config.store), ...(replaces && { replaces }) }
}

function metricsOf(
  config: Config,
  hub: Hub,
  { log, caller }: OpenedLog,
  strain: Pick<Gauges, 'overload' | 'readings'>,
): Metrics {
  return new Metrics({
    store: kindOf(config.store),
    feedReaders: () => hub.readers,
    diskUse: () => log.execute(diskUse, {}, caller) as Promise<DiskUse>,
    ...strain,
  })
}

function kindOf(store: string): 'sqlite' | 'postgres' {
  return store.startsWith('sqlite:') ? 'sqlite' : 'postgres'
}

/** Where the build put the dashboard: beside this file, above its chunk, or seen from the source. */
function dashboardFolder(): string {
  const places = ['ui/', '../ui/', '../dist/ui/'].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((place) => existsSync(place)) ?? (places[0] as string)
}

/** Where the files of a store are, if they are here. */
function folderOf(store: string): string | undefined {
  return kindOf(store) === 'sqlite' ? dirname(store.slice('sqlite:'.length)) : undefined
}

/** Takes the lock of a SQLite store; answers with how to give it back. */
async function hold({ home, store }: Config): Promise<() => void> {
  if (kindOf(store) === 'postgres') return () => undefined
  const path = store.slice('sqlite:'.length)
  const { holdForServer } = await import('./store/sqlite/engine.ts')
  const held = holdForServer(path)
  if (held !== undefined) return held.release
  // A server that was told of another data folder wrote its address there.
  const known = [home, dirname(path)].map((folder) => discover(folder))
  throw new CairnRefusal(inUse(known.find((server) => server?.store === storeName(store))))
}

function inUse(server: Discovered | undefined): Refusal {
  if (server === undefined) return refuse('in_use', 'Another server is using this store.', 'Use that one, or stop it.')
  const { pid, url } = server
  const message = `A server is already using this store: ${url} (pid ${pid}).`
  return refuse('in_use', message, 'Use that one, or stop it with cairn down.', { pid, url })
}

function accepted<Out>(given: Out | Refusal): Out {
  if (given instanceof Refusal) throw new CairnRefusal(given)
  return given
}
