import { hash } from 'node:crypto'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import { canonical, type Json, type JsonObject } from '../../json/value.ts'
import type { ToolCalled, ToolOffered } from '../model/turn.ts'
import { McpProcess, type ServerCommand, ServerLost } from './mcp-process.ts'

/** What providers take as the name of a tool. */
const nameUnitsMax = 64
/** Request ids have a limit of their own. */
const requestUnitsMax = 200

export interface ToolServer extends ServerCommand {
  /** Cairn's own: what it is asked twice under one name takes effect once. */
  readonly isOwn: boolean
}

interface Conversation {
  readonly instanceId: string
  readonly fence: string | undefined
}

interface Tool extends ToolOffered {
  readonly server: string
  readonly process: McpProcess
  /** What its server calls it. */
  readonly called: string
  readonly isOwn: boolean
  readonly isReadOnly: boolean
}

/** The tools that an agent has, of all its servers. */
export class ToolSet {
  readonly #processes: readonly McpProcess[]
  readonly #tools: ReadonlyMap<string, Tool>

  private constructor(processes: readonly McpProcess[], tools: readonly Tool[]) {
    this.#processes = processes
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
  }

  static async start(servers: readonly ToolServer[]): Promise<ToolSet> {
    const processes = servers.map((server) => new McpProcess(server))
    try {
      const lists = await Promise.all(processes.map((each) => each.start()))
      const tools = lists.flatMap((list, at) =>
        list.map((tool) => toolOf(tool, servers[at] as ToolServer, processes[at] as McpProcess)),
      )
      return new ToolSet(processes, withOwnNames(tools))
    } catch (error) {
      await Promise.all(processes.map((each) => each.close()))
      throw error
    }
  }

  get offered(): ToolOffered[] {
    return [...this.#tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  }

  /** Tells whether the list has changed. */
  get hash(): string {
    return hash('sha256', canonical(this.offered as unknown as Json), 'hex')
  }

  /** Whether a call may be made again when nobody knows whether it was made. */
  isRepeatable(name: string): boolean {
    return this.#tools.get(name)?.isOwn ?? false
  }

  /**
   * What a tool answers, as text; also what is wrong with the call. `conversation` tells its calls from those of others, and its fence
   * ends what a writer may change that was taken over from; one that the model holds itself counts instead.
   */
  async call({ id, name, input }: ToolCalled, { instanceId, fence }: Conversation): Promise<string> {
    const tool = this.#tools.get(name)
    if (tool === undefined) return `Unknown tool ${name}. Available: ${[...this.#tools.keys()].join(', ')}.`
    if (input === undefined) return 'The arguments are not a JSON object. Call again with valid JSON.'
    const isChange = tool.isOwn && !tool.isReadOnly
    const named = isChange ? { request_id: requestId(instanceId, id), call: id } : {}
    const fenced = isChange && fence !== undefined ? { fence } : {}
    try {
      return textOf(await tool.process.call(tool.called, { ...fenced, ...input, ...named }))
    } catch (error) {
      // What Cairn itself was asked can be asked again when the agent is resumed.
      if (!(error instanceof ServerLost)) return `Error: ${(error as Error).message}`
      if (tool.isOwn) throw new CairnRefusal(serverLost(error))
      return `outcome unknown: the tool server ${tool.server} was lost: ${error.message}`
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.close()))
  }
}

function toolOf(given: JsonObject, { name: server, isOwn }: ToolServer, process: McpProcess): Tool {
  const called = String(given.name)
  const { readOnlyHint } = (given.annotations ?? {}) as JsonObject
  return {
    name: named(called),
    description: String(given.description ?? ''),
    inputSchema: (given.inputSchema ?? { type: 'object', properties: {} }) as JsonObject,
    server,
    process,
    called,
    isOwn,
    isReadOnly: readOnlyHint === true,
  }
}

function named(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, nameUnitsMax)
}

/** Cairn's own tools keep their names; of others, those that collide are called by their server too. */
function withOwnNames(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>()
  const sorted = [...tools].sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
  return sorted.map((tool) => {
    const collides = tools.some((other) => other !== tool && other.name === tool.name)
    const base = collides && !tool.isOwn ? named(`${tool.server}_${tool.called}`) : tool.name
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base.slice(0, nameUnitsMax - 4)}_${number}`
    taken.add(name)
    return { ...tool, name }
  })
}

/** Ids of calls are unique in their conversation only. */
function requestId(conversation: string, call: string): string {
  const id = `${conversation}/${call}`
  return id.length <= requestUnitsMax ? id : `${conversation}/${hash('sha256', call, 'hex')}`
}

function serverLost({ message }: Error): Refusal {
  const hint = 'Nothing is lost: go on with cairn agent --resume and the id of the session.'
  return refuse('unavailable', `The tools of Cairn were lost: ${message}.`, hint)
}

function textOf({ content, structuredContent }: JsonObject): string {
  const blocks = Array.isArray(content) ? (content as JsonObject[]) : []
  const texts = blocks.map((block) => (block.type === 'text' ? String(block.text) : placeholder(block)))
  const text = texts.join('\n')
  return text !== '' ? text : structuredContent === undefined ? '(no output)' : JSON.stringify(structuredContent)
}

function placeholder(block: JsonObject): string {
  const { type, mimeType } = block
  return typeof mimeType === 'string' ? `[${String(type)} ${mimeType}]` : JSON.stringify(block)
}
