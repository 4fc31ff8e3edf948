// Requests that three agents of two roots send, each with what it found out of the others: their sessions, leases and secrets.
import type { Json } from '../../src/json/value.ts'
import type { Part } from '../http/documented.ts'
import { Fuzz, type Fuzzed } from '../http/fuzz.ts'

export interface Agent {
  readonly name: string
  readonly root: string
  readonly session: string
  readonly token: string
  /** The id of its token. */
  readonly tokenId: string
  /** A lease that only it may touch, and what shows that one has it. */
  readonly lease: { readonly name: string; readonly token: string }
  /** The id of its conversation over MCP. */
  readonly conversation: string
  /** A key that it has claimed. */
  readonly key: { readonly name: string; readonly token: string }
}

/** What is in the values of a root and nowhere else. */
export interface Root {
  readonly id: string
  readonly secret: string
  readonly blob: string
}

/** Whom an agent says it is, in headers that are not for it to set. */
const disguises = (others: readonly Agent[]): Record<string, string>[] => [
  {},
  {},
  {},
  { 'x-cairn-actor': 'owner' },
  ...others.map(({ session }) => ({ 'x-agent-session-id': session })),
  ...others.map(({ root }) => ({ 'x-agent-root-session-id': root })),
]

export class ThreeAgents extends Fuzz {
  agents: readonly Agent[] = []
  roots: readonly Root[] = []

  /** The next request, and whose it is. */
  nextOf(): { agent: Agent; request: Fuzzed } {
    const agent = this.one(this.agents)
    this.session = this.chance(0.6) ? agent.session : this.one(this.agents).session
    const request = this.chance(0.15) ? this.#toolCall() : this.next()
    return { agent, request: { ...request, headers: { ...request.headers, ...this.one(disguises(this.agents)) } } }
  }

  /** Over MCP: a session that is meant stands in the arguments. */
  #toolCall(): Fuzzed {
    const { key } = this.one(this.agents)
    const [name, input] = this.one<[string, { [member: string]: Json }]>([
      ['state_get', { key: 'secret' }],
      ['state_set', { key: key.name, value: 1 }],
      ['state_set', { key: 'n', value: 1, fence: this.#fence() }],
      ['state_claim', { action: 'claim', key: key.name, ttl: '1h' }],
      ['state_claim', { action: 'release', key: key.name, token: key.token }],
      ['state_increment', { key: 'n' }],
      ['session_status', {}],
    ])
    const params = { name, arguments: this.chance(0.5) ? input : { session: this.session, ...input } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = { accept: 'application/json, text/event-stream' }
    return { method: 'POST', path: '/mcp', headers, body, type: 'application/json' }
  }

  #fence(): string {
    const { lease } = this.one(this.agents)
    return `${lease.name}:${lease.token}`
  }

  protected override value(schema: Part, name: string, depth: number): Json {
    if (name === 'value' && this.chance(0.1)) return 'much '.repeat(this.below(8000))
    return super.value(schema, name, depth)
  }

  protected override text(name: string): string {
    const other = this.one(this.agents)
    if (this.chance(0.1)) return super.text(name)
    switch (name) {
      case 'session':
      case 'session_id':
      case 'parent':
      case 'parent_session_id':
        return this.session
      case 'from':
      case 'to':
      case 'root':
        return this.chance(0.5) ? other.root : super.text(name)
      case 'name':
        return other.lease.name
      case 'key':
        return this.chance(0.3) ? other.key.name : this.chance(0.2) ? 'secret' : super.text(name)
      case 'token':
        return this.chance(0.5) ? other.lease.token : other.key.token
      case 'fence':
        return this.#fence()
      case 'hash':
      case 'sha256':
        return this.one(this.roots).blob
      case 'id':
        return other.tokenId
      default:
        return super.text(name)
    }
  }
}
