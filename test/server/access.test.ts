// Every door of a server: who is let in without a token, and how far the token of an agent reaches.
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { methodsOf, type OpenedLog } from '../../src/open.ts'
import { dashboard } from '../../src/surfaces/http/dashboard/dashboard-endpoints.ts'
import { documents } from '../../src/surfaces/http/openapi/reader-endpoints.ts'
import { type Route, routes } from '../../src/surfaces/http/rest/routes.ts'
import { follow } from '../http/followers.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { type Family, newFamily, relatives } from '../tokens/family.ts'
import { mayAgent, type Row, rows } from '../tokens/reaches.ts'
import { requestOf, send } from './asking.ts'

/** What is served without a token: a sign of life, the pages, and the exchange of a link, which has a code of its own. */
const open = [
  '/',
  '/ui',
  '/ui/',
  '/health',
  '/openapi.json',
  '/docs',
  '/docs/page.js',
  '/docs/page.css',
  '/docs/icon.svg',
  '/login',
]

/** What is served beside the operations, as it stands in the code: one that is added there is walked here. */
const besides = [
  ...documents('').map(([name]) => name),
  ...dashboard({ folder: '', version: '', store: '', startedAt: '', edits: false }).map(([name]) =>
    name.replace('{path*}', ''),
  ),
  ...[...readFileSync('src/serve.ts', 'utf8').matchAll(/\['([A-Z]+ \/[^']*)'/g)].map(([, name]) => name as string),
]

async function served(store: TestStore) {
  const opened = await store.openLog()
  const serving = await serveHere({ ...store.options, port: 0 })
  onTestFinished(() => serving.stop())
  const { url } = serving.discovered
  const token = new InstallTokenFile(store.home).text()
  /** Of sessions that the server has met: it remembers where they are, and must not tell everybody. */
  const metFamily = async () => {
    const family = await newFamily(opened)
    const met = relatives.map((relative) => statusOf(url, `/sessions/${family[relative]}`, token))
    expect(new Set(await Promise.all(met))).toEqual(new Set([200]))
    return family
  }
  return { opened, url, token, metFamily }
}

/** The status with which an upgrade is answered. */
function upgrade(url: string, path: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode as number)
    })
    socket.on('error', reject)
  })
}

/** The answer, or only its head where it has no end. */
async function statusOf(url: string, path: string, token: string): Promise<number> {
  const response = await send(url, { method: 'GET', path, headers: {} }, token)
  await response.body?.cancel()
  return response.status
}

const rowOf = (route: Route) => rows[route.operation as keyof typeof rows] as Row
const nameOf = ({ method, path, when, type }: Route) => [method, path, when, type].filter(Boolean).join(' ')

/** Reads, and what is for the owner only, leave a family as it is. */
const leavesTraces = (route: Route) => rowOf(route).writes && rowOf(route).reach !== 'owner'

/** These need the secret of a lease that the agent holds itself; test/leases/tokens.test.ts has them done. */
const withSecrets = ['lease.heartbeat', 'lease.release', 'state.heartbeat', 'state.release']

/** What an agent is refused though it may: the state is there already, there is no such run, and nothing was said that could be compacted. */
const refusedWithin = [
  'state.init',
  'run.report',
  'run.end',
  'context.compact',
  // No plan, no journal, no workflow and no folder yet.
  ...['phase.done', 'checkpoint.start', 'checkpoint.complete'],
  ...['progress', 'done', 'reset'].map((verb) => `task.${verb}`),
  ...['blocker.bypass', 'blocker.resolve', 'journal.answer', 'sitting.end'],
  ...['session.spawn', 'workflow.checkpoint', 'workflow.extend', 'workflow.recovery'],
  ...['folder.list', 'folder.read'],
]

/** An agent tries a route on each of its relatives, itself last, and says in headers that it is somebody else. */
async function checkRoute(url: string, opened: OpenedLog, family: Family, route: Route): Promise<number> {
  const owner = methodsOf(opened)
  const { token } = await owner.token.create({ kind: 'agent', session: family.self })
  const logOf = async (session: string) => (await owner.log.list({ session, limit: 1000 })).events
  const pretending = { 'x-agent-session-id': family.other, 'x-cairn-actor': 'owner', 'x-cairn-project': '/elsewhere' }
  const foreign = (await logOf(family.other)).length
  let length = (await logOf(family.parent)).length
  let done = 0
  for (const relative of relatives) {
    const request = requestOf(route, rowOf(route).input(family[relative], '/nowhere'))
    const { status } = await send(url, { ...request, headers: { ...request.headers, ...pretending } }, token)
    const what = [nameOf(route), relative]
    expect([...what, status === 403]).toEqual([...what, !mayAgent(rowOf(route), relative)])
    expect(status === 401 || status >= 500, what.join(' ')).toBe(false)
    if (status < 300) done += 1
    const log = await logOf(family.parent)
    const written = log.slice(length).map(({ session_id, actor }) => [session_id, actor])
    length = log.length
    if (status >= 300) expect([...what, written]).toEqual([...what, []])
    for (const author of written) expect([...what, ...author]).toEqual([...what, family.self, 'agent'])
  }
  expect((await logOf(family.other)).length, nameOf(route)).toBe(foreign)
  return done
}

describe.each(STORES)('a server on $name', (kind) => {
  const store = sharedStore(kind)

  it('U1 nothing but what is named is there for those without a token, wherever they put it', async () => {
    const { url, token } = await served(store())
    const ways = [...routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, 'x')}`), ...besides]
    const letIn: string[] = []
    for (const way of new Set([...ways, 'GET /', 'GET /nothing', 'POST /health', 'OPTIONS /sessions'])) {
      const [method, path] = way.split(' ') as [string, string]
      // A token counts in the header for it only: addresses stand in logs and histories.
      const query = `?token=${token}&access_token=${token}&authorization=Bearer%20${token}`
      const answer = await send(url, { method, path: path + query, headers: { cookie: `token=${token}` } })
      await answer.body?.cancel()
      const alone = await send(url, { method, path, headers: {} })
      if (alone.status === 401) expect(await alone.json()).toMatchObject({ error: 'unauthorized' })
      else letIn.push(way)
      if (alone.status === 401) expect([way, answer.status]).toEqual([way, 401])
    }
    // The exchange of a link is open, and refuses whoever has no code.
    expect(letIn.sort()).toEqual(
      open
        .filter((path) => path !== '/login')
        .map((path) => `GET ${path}`)
        .sort(),
    )
    expect(besides).toContain('GET /login')
    for (const path of ['/ws', '/ws?root=x', `/ws?token=${token}`, '/events', '/nothing']) {
      expect([path, await upgrade(url, path)]).toEqual([path, 401])
    }
    expect(await upgrade(url, '/ws', token)).toBe(101)
  })

  it('U2 U4 S0-27 every route with the token of an agent: outside of its root nothing, within it in its own name', async () => {
    const { url, opened, metFamily } = await served(store())
    const untouched = await metFamily()
    const left = routes.values()
    const never: Route[] = []
    const walk = async () => {
      for (const route of left) {
        const family = leavesTraces(route) ? await metFamily() : untouched
        // A walk that is refused for other reasons would show nothing.
        if ((await checkRoute(url, opened, family, route)) === 0) never.push(route)
      }
    }
    // A few at a time: a hundred families at once are more than a busy machine makes before a database counts as silent.
    await Promise.all(Array.from({ length: 8 }, walk))
    const within = never.filter((route) => rowOf(route).reach !== 'owner').map(({ operation }) => operation)
    expect(new Set(within)).toEqual(new Set([...refusedWithin, ...withSecrets]))
  })

  it('U2 every route with a token that reads: reads, and nothing else', async () => {
    const { url, opened } = await served(store())
    const owner = methodsOf(opened)
    const { other } = await newFamily(opened)
    const { token } = await owner.token.create({ kind: 'reader' })
    const before = (await owner.log.list({ session: other, limit: 1000 })).last_seq
    for (const route of routes) {
      const { status } = await send(url, requestOf(route, rowOf(route).input(other, store().home)), token)
      expect([nameOf(route), status === 403]).toEqual([nameOf(route), rowOf(route).writes])
    }
    expect((await owner.log.list({ session: other, limit: 1000 })).last_seq).toBe(before)
  })

  it('U2 U55 the feed with the token of an agent is that of its own root', async () => {
    const { url, opened, metFamily } = await served(store())
    const owner = methodsOf(opened)
    const family = await metFamily()
    const { token } = await owner.token.create({ kind: 'agent', session: family.self })
    for (const relative of relatives) {
      const query = `?root=${family[relative]}&since=0`
      const [socket, events] = [await upgrade(url, `/ws${query}`, token), await statusOf(url, `/events${query}`, token)]
      expect([relative, socket, events]).toEqual(relative === 'other' ? [relative, 403, 403] : [relative, 101, 200])
    }
    expect(await upgrade(url, `/ws?session=${family.other}`, token)).toBe(403)
    expect(await statusOf(url, `/events?session=${family.other}`, token)).toBe(403)
    // Who names no root means its own.
    const { port } = new URL(url)
    const reader = await follow(Number(port), '?type=event', { authorization: `Bearer ${token}` })
    for (const session of [family.other, family.parent]) await owner.state.set({ session, key: 'told', value: 1 })
    await reader.until(({ type }) => type === 'event')
    expect(reader.heard).toMatchObject([{ type: 'event', root_session_id: family.parent }])
    reader.close()
  })
})
