// A client of `cairn mcp` that writes what it is told and reads line by line, so that it can also say what no SDK would.
import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { Document, RunOptions, Sandbox } from '../cli/sandbox.ts'
import type { Ended } from '../server/servers.ts'

/** What a tool gave: its document, and whether it is a refusal. */
export interface Called {
  readonly isError: boolean
  readonly document: Document
}

/** The newest revision that is agreed on at the start. */
export const revision = '2025-11-25'

export class Peer {
  readonly #child: ChildProcess
  readonly #waiting = new Map<string | number, (message: Document) => void>()
  #unread = ''
  #asked = 0
  /** All that came on stdout, line by line. */
  readonly lines: string[] = []
  /** Messages that answer nothing that `ask` asked. */
  readonly others: Document[] = []
  err = ''
  readonly ended: Promise<Ended>

  constructor(child: ChildProcess) {
    this.#child = child
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    child.stdin?.on('error', () => undefined)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Closes its stdin, as a client does that is done. */
  end(): Promise<Ended> {
    this.#child.stdin?.end()
    return this.ended
  }

  /** A line as it is, or a message. */
  write(line: string | object): void {
    this.#child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  }

  /** The answer to a request; one of the protocol's errors is an answer too. */
  ask(method: string, params: object = {}, id: string | number = `own-${++this.#asked}`): Promise<Document> {
    return this.answerTo(id, { jsonrpc: '2.0', id, method, params })
  }

  /** Writes a line, and gives what comes back with this id. */
  answerTo(id: string | number, line: string | object): Promise<Document> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve)
      this.write(line)
      this.ended.then(({ code }) => reject(new Error(`it ended with ${code} before it answered: ${this.err}`)))
    })
  }

  async initialize(protocolVersion: string = revision): Promise<Document> {
    const clientInfo = { name: 'peer', version: '1' }
    const { result } = await this.ask('initialize', { protocolVersion, capabilities: {}, clientInfo })
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return result
  }

  async call(name: string, given: object = {}, id?: string | number): Promise<Called> {
    return called(await this.ask('tools/call', { name, arguments: given }, id))
  }

  #hear(text: string): void {
    const lines = (this.#unread + text).split('\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) {
      this.lines.push(line)
      const message: Document = JSON.parse(line)
      const settle = message.method === undefined ? this.#waiting.get(message.id) : undefined
      this.#waiting.delete(message.id)
      if (settle === undefined) this.others.push(message)
      else settle(message)
    }
  }
}

/** The document of an answered call; an error of the protocol throws. */
export function called({ result, error }: Document): Called {
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return { isError: result.isError === true, document: JSON.parse(result.content[0].text) }
}

/** Starts `cairn mcp`; it is killed at the end of the test, if it still runs. */
export function startPeer(sandbox: Sandbox, options: RunOptions = {}, args: readonly string[] = []): Peer {
  const child = sandbox.spawn(['mcp', ...args], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Peer(child)
}

/** The same for a session, once it is agreed how to speak. */
export async function greetedPeer(
  sandbox: Sandbox,
  session: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Peer> {
  const peer = startPeer(sandbox, { env: { AGENT_SESSION_ID: session, ...env } }, args)
  await peer.initialize()
  return peer
}
