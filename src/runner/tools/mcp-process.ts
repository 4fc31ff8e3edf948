import { type ChildProcess, spawn } from 'node:child_process'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { Json, JsonObject } from '../../json/value.ts'

/** How long a server may take to say what it offers. */
const startMs = 30_000
/** How long one call of a tool may take. */
const callMs = 600_000
/** A server that goes on after the end of its input is ended. */
const graceMs = 1000
/** Characters of what a server says on stderr that go into a report. */
const saidMax = 400

export interface ServerCommand {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

interface Waiting {
  resolve(result: JsonObject): void
  reject(error: Error): void
}

/** The server ended, or said nothing for too long: whether what was asked was done, nobody knows. */
export class ServerLost extends Error {}

/** An MCP server that runs as a child of this process, on its stdin and stdout. */
export class McpProcess {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #said = ''
  #lost: Error | undefined

  constructor({ name, command, args, env }: ServerCommand) {
    this.#name = name
    this.#child = spawn(command, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.on('error', (error) =>
      this.#lose(`cannot be started (${(error as NodeJS.ErrnoException).code ?? error.message})`),
    )
    this.#child.on('close', (code) => this.#lose(`ended (${code ?? 'killed'})`))
    this.#child.stdin?.on('error', () => undefined)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-saidMax)
    })
    let unread = ''
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unread + text).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) this.#hear(line)
    })
  }

  /** Agrees on the protocol and gives the tools. Throws a refusal where that cannot be had. */
  async start(): Promise<JsonObject[]> {
    try {
      const client = { name: 'cairn agent', version: '1' }
      await this.#ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }, startMs)
      this.#send({ method: 'notifications/initialized' })
      return await this.#list()
    } catch (error) {
      const said = this.#said === '' ? '' : ` It said: ${this.#said.trim()}`
      const message = `The tool server ${this.#name} does not work: ${(error as Error).message}.${said}`
      throw new CairnRefusal(refuse('unavailable', message, 'Check its command in the file of --mcp.'))
    }
  }

  async #list(): Promise<JsonObject[]> {
    const tools: JsonObject[] = []
    let cursor: Json | undefined
    do {
      const page = await this.#ask('tools/list', cursor === undefined ? {} : { cursor }, startMs)
      tools.push(...((page.tools ?? []) as JsonObject[]))
      cursor = page.nextCursor
    } while (typeof cursor === 'string')
    return tools
  }

  call(tool: string, given: JsonObject): Promise<JsonObject> {
    return this.#ask('tools/call', { name: tool, arguments: given }, callMs)
  }

  async close(): Promise<void> {
    if (this.#lost !== undefined) return
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()))
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs)
    await closed.finally(() => clearTimeout(timer))
  }

  #ask(method: string, params: JsonObject, ms: number): Promise<JsonObject> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    const id = ++this.#last
    return new Promise<JsonObject>((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new ServerLost(`it did not answer within ${ms / 1000}s`))), ms)
      const settle = (then: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        then()
      }
      this.#waiting.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      })
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #hear(line: string): void {
    const message = messageIn(line)
    if (message === undefined) return
    const { id, method, result, error } = message
    // A server may ask whether its client is there; it gets no more than that.
    if (typeof method === 'string') {
      if (id !== undefined && method === 'ping') this.#send({ id, result: {} })
      else if (id !== undefined) this.#send({ id, error: { code: -32601, message: 'Method not found' } })
      return
    }
    const waiting = this.#waiting.get(Number(id))
    if (error !== undefined) waiting?.reject(new Error(String((error as JsonObject | null)?.message ?? 'it refused')))
    else waiting?.resolve((result ?? {}) as JsonObject)
  }

  #lose(why: string): void {
    this.#lost ??= new ServerLost(`it ${why}`)
    for (const { reject } of [...this.#waiting.values()]) reject(this.#lost)
  }
}

function messageIn(line: string): { [member: string]: Json | undefined } | undefined {
  try {
    const read = JSON.parse(line) as JsonObject | null
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}
