// A process with the token of one agent that does its worst to a server, for as long as it is told to.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTasks } from './worker.ts'

export interface Attack {
  readonly name: AttackName
  readonly url: string
  readonly token: string
  /** The session of the token, which is a root. */
  readonly session: string
  /** What is done first takes as long as it takes; the attack itself so long. Without it, only the first part is done. */
  readonly ms?: number
}

export interface Attacked {
  /** Requests that were answered, by their status. */
  readonly answers: Readonly<Record<string, number>>
}

class Agent {
  readonly #attack: Attack
  readonly answers: Record<string, number> = {}
  readonly #sockets: Socket[] = []
  #until = 0

  constructor(attack: Attack) {
    this.#attack = attack
  }

  get session(): string {
    return this.#attack.session
  }

  async send(method: string, path: string, body?: string | Uint8Array, more: Record<string, string> = {}) {
    const headers = { authorization: `Bearer ${this.#attack.token}`, 'content-type': 'application/json', ...more }
    const response = await fetch(new URL(path, this.#attack.url), { method, headers, ...(body ? { body } : {}) })
    this.answers[response.status] = (this.answers[response.status] ?? 0) + 1
    return response
  }

  async call(operation: string, input: object | string): Promise<void> {
    const body = typeof input === 'string' ? input : JSON.stringify(input)
    const response = await this.send('POST', `/operations/${operation}`, body)
    const answer = await response.text()
    // An attack that was not prepared would be none.
    if (this.#until === 0 && !response.ok) throw new Error(`${operation}: ${answer.slice(0, 500)}`)
  }

  /** Again and again, so many at once, until the time is over. */
  async loops(atOnce: number, step: (at: number) => Promise<unknown>): Promise<void> {
    let at = 0
    const loop = async () => {
      while (performance.now() < this.#until) await step(at++).catch(() => undefined)
    }
    await Promise.all(Array.from({ length: atOnce }, loop))
  }

  /** Asks on new connections and reads nothing. */
  async unread(connections: number, path: string, each = 1): Promise<void> {
    const { port, host } = new URL(this.#attack.url)
    const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${this.#attack.token}\r\n\r\n`
    const open = async () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      this.#sockets.push(socket)
      socket.pause()
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      socket.write(request.repeat(each))
    }
    // More at a time would be turned away by the system.
    for (let at = 0; at < connections; at += 100) await Promise.all(Array.from({ length: 100 }, open))
  }

  async rest(): Promise<void> {
    await sleep(Math.max(0, this.#until - performance.now()))
  }

  begin(ms: number): void {
    this.#until = performance.now() + ms
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `member ${at}`)
const megabyte = 'x'.repeat(1_000_000)
const objects = `[${'{},'.repeat(240_000)}{}]`
const operations = (count: number, make: (at: number) => object) => Array.from({ length: count }, (_, at) => make(at))
const deep = `${'['.repeat(60)}0${']'.repeat(60)}`
const pointer = '/0'.repeat(60)

/** Of the tool calls that stand by themselves. */
const revision = '2026-07-28'
const _meta = { 'io.modelcontextprotocol/protocolVersion': revision }

interface Plan {
  before?(agent: Agent): Promise<void>
  during(agent: Agent): Promise<void>
}

async function setMany(agent: Agent, count: number, text: string): Promise<void> {
  for (let at = 0; at < count; at++) await agent.call('state.set', `{"key":"k${at}","value":${text}}`)
}

const large = JSON.stringify(Object.fromEntries(names(9000).map((name) => [name, 'v'.repeat(80)])))

const plans = {
  merges: {
    before: (agent) => setMany(agent, 1, large),
    during: (agent) =>
      agent.loops(4, (at) => {
        const merge = (member: number) => ({ op: 'merge', key: 'k0', patch: { [`member ${member}`]: at } })
        return agent.call('state.batch', { operations: operations(at % 2 === 0 ? 100 : 7, merge) })
      }),
  },
  sets: {
    before: (agent) => agent.call('state.setAdd', { key: 'set', items: names(20_000) }),
    during: (agent) =>
      agent.loops(4, (at) => {
        const add = (member: number) => ({ op: 'set_add', key: 'set', items: [`new ${at} ${member}`] })
        return agent.call('state.batch', { operations: operations(at % 2 === 0 ? 500 : 8, add), request_id: `r${at}` })
      }),
  },
  unread: {
    before: (agent) => setMany(agent, 20, JSON.stringify(megabyte)),
    during: async (agent) => {
      await agent.unread(100, `/sessions/${agent.session}/state`)
      await agent.rest()
    },
  },
  state: {
    before: (agent) => setMany(agent, 32, objects),
    during: (agent) =>
      agent.loops(4, async (at) => {
        if (at % 2 === 0) return agent.call('state.diff', { from: 1, to: 'now' })
        return (await agent.send('GET', `/sessions/${agent.session}/state`)).arrayBuffer()
      }),
  },
  tools: {
    before: (agent) => setMany(agent, 8, JSON.stringify(megabyte)),
    during: (agent) =>
      agent.loops(4, async (id) => {
        const asked = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'state_get', arguments: {}, _meta } }
        const headers = {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': 'state_get',
        }
        return (await agent.send('POST', '/mcp', JSON.stringify(asked), headers)).arrayBuffer()
      }),
  },
  waits: {
    during: async (agent) => {
      await agent.unread(100, `/sessions/${agent.session}/state/keys/never?wait=60`, 100)
      await agent.loops(2, () => agent.call('state.increment', { key: 'other' }))
    },
  },
  feeds: {
    during: async (agent) => {
      await agent.unread(1000, `/events?root=${agent.session}`)
      await agent.loops(2, () => agent.call('state.set', { key: 'k', value: megabyte }))
    },
  },
  bodies: {
    during: (agent) => {
      const size = 4 * 1024 * 1024 - 100
      const values = [`[${'{},'.repeat(size / 3)}{}]`, '['.repeat(size), `"${'\\u0041'.repeat(size / 6)}"`, objects]
      return agent.loops(4, (at) => agent.call('state.set', `{"key":"k","value":${values[at % values.length]}}`))
    },
  },
  schemas: {
    before: (agent) => setMany(agent, 8, JSON.stringify('a'.repeat(900_000))),
    during: (agent) => {
      const patterns = ['a{1000}b', '(a|a)*b', '(a*)*b', '(?:a?){200}a{200}b']
      return agent.loops(4, (at) =>
        agent.call('schema.set', { target: 'k', prefix: true, schema: { pattern: patterns[at % patterns.length] } }),
      )
    },
  },
  paths: {
    before: (agent) => setMany(agent, 4, deep),
    during: (agent) =>
      agent.loops(4, (at) => {
        const one = () => ({ op: 'replace', path: pointer, value: at })
        return agent.call('state.jsonPatch', { key: `k${at % 4}`, operations: operations(400, one) })
      }),
  },
  sessions: {
    during: (agent) =>
      agent.loops(16, (at) => agent.call('session.create', { topic: `child ${at}`, parent: agent.session })),
  },
  blobs: {
    during: (agent) =>
      agent.loops(4, async (at) => {
        const bytes = Buffer.alloc(8 * 1024 * 1024, String(at))
        const type = { 'content-type': 'application/octet-stream' }
        return (await agent.send('POST', `/sessions/${agent.session}/blobs`, bytes, type)).arrayBuffer()
      }),
  },
  unknown: {
    before: (agent) =>
      Promise.all(
        operations(200, (at) => agent.call('session.create', { topic: `${at}`, parent: agent.session })),
      ).then(() => undefined),
    during: (agent) => agent.loops(16, (at) => agent.call('state.get', { session: `nobody ${at}`, key: 'k' })),
  },
  leases: {
    during: (agent) =>
      agent.loops(16, (at) => agent.call('lease.claim', { name: `lease ${at % 50}`, ttl: '1h', reclaim: true })),
  },
} satisfies Record<string, Plan>

export type AttackName = keyof typeof plans

async function perform(attack: Attack): Promise<Attacked> {
  const agent = new Agent(attack)
  const plan: Plan = plans[attack.name]
  try {
    if (attack.ms === undefined) await plan.before?.(agent)
    else {
      agent.begin(attack.ms)
      await plan.during(agent)
    }
    return { answers: agent.answers }
  } finally {
    agent.end()
  }
}

answerTasks(perform)
