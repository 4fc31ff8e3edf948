// Sequences of requests by three agents' tokens of two roots, who know each other's sessions, leases and secrets.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Document, Sandbox } from '../cli/sandbox.ts'
import type { Fuzzed } from '../http/fuzz.ts'
import { type RunningServer, startServer } from '../server/servers.ts'
import { seedOf } from '../setup/seed.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { type Agent, type Root, ThreeAgents } from './three-agents.ts'

const requests = process.env.CAIRN_LONG === undefined ? 450 : 50_000
/** Agents that ended themselves, and roots that are full, are left for others. */
const roundRequests = 75
const rootDiskBytes = 400_000
/** Longer than a round takes. */
const leaseMs = 3_600_000

async function newAgent(server: RunningServer, root: string, name: string): Promise<Agent> {
  const { session_id: session } = await server.call('session.create', { topic: name, parent: root, name })
  const { token, id: tokenId } = await server.call('token.create', { kind: 'agent', session, name })
  const claimed = { name: `only-${session}`, ttl: '1h' }
  const { token: lease } = await as(server, token, 'lease.claim', claimed)
  const { token: key } = await as(server, token, 'state.claim', { key: `mine-${session}`, ttl: '1h' })
  return {
    ...{ name, root, session, token, tokenId },
    lease: { name: claimed.name, token: lease },
    key: { name: `mine-${session}`, token: key },
    conversation: await initialized(server, token),
  }
}

/** The id of a conversation over MCP with this token. */
async function initialized(server: RunningServer, token: string): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const response = await fetch(new URL('mcp', server.url), { method: 'POST', headers, body })
  await response.text()
  return response.headers.get('mcp-session-id') ?? expect.fail('no conversation was begun')
}

async function as(server: RunningServer, token: string, operation: string, input: object): Promise<Document> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify(input) }
  const response = await fetch(new URL(`operations/${operation}`, server.url), asked)
  expect(response.status).toBe(200)
  return response.json()
}

async function newRoot(server: RunningServer, secret: string): Promise<Root> {
  const { session_id: id } = await server.call('session.create', { topic: 'attacked' })
  await server.call('state.set', { session: id, key: 'secret', value: secret })
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'text/plain' }
  const stored = await fetch(new URL(`sessions/${id}/blobs`, server.url), { method: 'POST', headers, body: secret })
  const { hash } = (await stored.json()) as { hash: string }
  return { id, secret, blob: hash }
}

/** What is there of a root that nobody else may change: how far its log has come, and who holds what for how long. */
async function seen(server: RunningServer, { id }: Root) {
  const { last_seq: last } = await server.call('log.list', { session: id, limit: 1 })
  const { leases } = await server.call('lease.list', { session: id })
  return { last, leases: leases as { name: string; epoch: number; holder: string; ttl_ms: number; held: boolean }[] }
}

interface Sent {
  readonly agent: Agent
  readonly request: Fuzzed
  readonly status: number
  readonly text: string
}

async function send(server: RunningServer, agent: Agent, request: Fuzzed): Promise<Sent> {
  const { method, path, headers, body, type } = request
  const conversation = path === '/mcp' ? { 'mcp-session-id': agent.conversation } : {}
  const sent = { authorization: `Bearer ${agent.token}`, 'content-type': type, ...conversation, ...headers }
  const mayHaveBody = method !== 'GET' && body !== undefined
  const response = await fetch(server.url.replace(/\/$/, '') + path, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(mayHaveBody && { body }),
  })
  return { agent, request, status: response.status, text: await response.text() }
}

/** Whether something was done, by REST or by a tool. */
function isDone({ status, text, request }: Sent): boolean {
  if (request.path === '/mcp') return status === 200 && !text.includes('"isError":true') && !text.includes('"error":{')
  return status < 300
}

/** What an answer says or does that it must not. */
function faultsIn(sent: Sent, agents: readonly Agent[], roots: readonly Root[]): string[] {
  const { agent, request, status, text } = sent
  const isVainWait = status === 504 && text.includes('"timeout"')
  const foreign = roots.filter(({ id }) => id !== agent.root)
  const asked = `${request.path} ${request.body}`
  const borrowed = agents
    .filter((other) => other !== agent)
    .some(({ lease, key }) => asked.includes(lease.token) || asked.includes(key.token))
  const isRead = request.method === 'GET' || request.path === '/operations/log.list'
  return [
    ...(status >= 500 && !isVainWait ? [`answered ${status}`] : []),
    ...foreign.filter(({ secret }) => text.includes(secret)).map(() => "told another root's secret"),
    ...(borrowed && !isRead && isDone(sent) ? ['did something with the lease of another'] : []),
  ]
}

interface Moved {
  readonly before: Awaited<ReturnType<typeof seen>>
  readonly after: Awaited<ReturnType<typeof seen>>
  readonly events: readonly Document[]
}

/** What a request of an agent did to a root that it may not. */
function faultsOf(agent: Agent, root: Root, agents: readonly Agent[], { before, after, events }: Moved): string[] {
  // Keys that lapse do so by themselves.
  const made = events.filter(({ type, actor }) => `${type} ${actor}` !== 'lapsed cairn')
  if (root.id !== agent.root && made.length > 0) return ['wrote to another root']
  const forged = made.filter(({ actor }) => actor !== `agent:${agent.name}`)
  const others = agents.filter((other) => other !== agent && other.root === root.id)
  // What an agent gave up may be claimed by others, and what was claimed for a moment is over by itself.
  const touched = others
    .flatMap(({ name: holder, lease, key }) => [lease.name, `key/${key.name}`].map((name) => ({ name, holder })))
    .filter(({ name, holder }) => {
      const [was, is] = [before, after].map(({ leases }) => leases.find((each) => each.name === name))
      const isItsOwn = was?.held && was.holder === holder && was.ttl_ms === leaseMs
      return isItsOwn && (is?.epoch !== was.epoch || !is.held)
    })
    .map(({ name }) => name)
  return [
    ...forged.map(({ type, actor }) => `${type} is said to be of ${actor}`),
    ...touched.map((name) => `the lease ${name} of another was touched`),
  ]
}

/** One round: two roots, three agents, so many requests; gives what was wrong and how often each status came. */
async function round(server: RunningServer, fuzz: ThreeAgents, no: number, statuses: Map<number, number>) {
  const names = [`one-${no}`, `two-${no}`, `three-${no}`] as const
  fuzz.roots = [await newRoot(server, `secret-a-${no}-secret`), await newRoot(server, `secret-b-${no}-secret`)]
  const [first, second] = fuzz.roots as [Root, Root]
  fuzz.agents = [
    await newAgent(server, first.id, names[0]),
    await newAgent(server, first.id, names[1]),
    await newAgent(server, second.id, names[2]),
  ]
  const faults: string[] = []
  let now = await Promise.all(fuzz.roots.map((root) => seen(server, root)))
  for (let at = 0; at < roundRequests; at++) {
    const { agent, request } = fuzz.nextOf()
    const sent = await send(server, agent, request)
    statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
    const before = now
    now = await Promise.all(fuzz.roots.map((root) => seen(server, root)))
    const found = faultsIn(sent, fuzz.agents, fuzz.roots)
    for (const [place, root] of fuzz.roots.entries()) {
      const moved = { before: before[place], after: now[place] } as Omit<Moved, 'events'>
      const since = { session: root.id, since: moved.before.last }
      const isMoved = moved.after.last !== moved.before.last
      const events = isMoved ? (await server.call('log.list', since)).events : []
      found.push(...faultsOf(agent, root, fuzz.agents, { ...moved, events }))
    }
    const what = `${agent.name}: ${request.method} ${request.path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 400)}`
    faults.push(...found.map((fault) => `${fault} (${what}) → ${sent.status} ${sent.text.slice(0, 200)}`))
  }
  return faults
}

for (const kind of STORES) {
  describe(`three agents on ${kind.name}`, () => {
    const store = freshStore(kind)

    it(`U53 ${requests} requests: nothing crosses roots, no author is forged, no lease of another touched, all bounded`, async () => {
      const seed = seedOf(1313)
      const sandbox = new Sandbox()
      const folder = mkdtempSync(join(tmpdir(), 'cairn-three-'))
      onTestFinished(() => {
        sandbox.remove()
        rmSync(folder, { recursive: true, force: true })
      })
      const { store: url } = store().options
      const server = await startServer(sandbox, [], {
        CAIRN_LIMIT_ROOT_DISK_BYTES: String(rootDiskBytes),
        ...(url && { CAIRN_STORE: url }),
      })
      const fuzz = new ThreeAgents(seed)
      fuzz.doomed = { token: 'install', slug: 'attacked', folder }
      const statuses = new Map<number, number>()
      for (let no = 0; no < requests / roundRequests; no++) {
        expect(await round(server, fuzz, no, statuses), `seed ${seed}`).toEqual([])
        for (const { id } of fuzz.roots) {
          const { root_disk: disk } = await server.call('session.show', { session: id })
          expect(disk.bytes).toBeLessThanOrEqual(rootDiskBytes)
        }
      }
      // Agents that are only ever refused, or never, would find nothing.
      for (const status of [200, 201, 400, 403, 404, 409, 422])
        expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0)
      expect(readdirSync(folder), 'an agent wrote a file').toEqual([])
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
      expect(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024).toBeLessThan(512 * 1024 * 1024)
      const { checks } = await server.call('store.doctor', {})
      expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
      expect(await server.stop()).toEqual({ code: 0, signal: null })
    }, 3_600_000)
  })
}
