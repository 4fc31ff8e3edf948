// Just as much of a client of MCP as asking and being answered needs: over stdio line by line, over HTTP as a request.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Request } from './connection.ts'
import type { Context } from './scenario.ts'
import type { ServedStore } from './served.ts'

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'benchmark', version: '1' },
}

function message(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** `cairn mcp` as a process; one question at a time. */
export class StdioClient {
  readonly #child: ChildProcess
  #unread = ''
  #asked = 0
  #heard: (line: string) => void = () => undefined

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#unread += text
      const end = this.#unread.indexOf('\n')
      if (end < 0) return
      const line = this.#unread.slice(0, end)
      this.#unread = this.#unread.slice(end + 1)
      this.#heard(line)
    })
  }

  /** Started, and answered for the first time. */
  static async start(env: NodeJS.ProcessEnv): Promise<StdioClient> {
    const stdio = ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit']
    const client = new StdioClient(
      spawn(process.execPath, ['bin/cairn', 'mcp'], { env: { ...process.env, ...env }, stdio }),
    )
    await client.ask('initialize', hello)
    return client
  }

  call(name: string, given: object): Promise<string> {
    return this.ask('tools/call', { name, arguments: given })
  }

  async ask(method: string, params: object): Promise<string> {
    const answered = new Promise<string>((resolve) => {
      this.#heard = resolve
    })
    this.#child.stdin?.write(`${message(++this.#asked, method, params)}\n`)
    const line = await answered
    if (line.includes('"error"') || line.includes('"isError"')) throw new Error(`${method} was answered with ${line}`)
    return line
  }

  end(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
    this.#child.kill('SIGKILL')
    return ended
  }
}

export async function startStdioClient(context: Context, env: NodeJS.ProcessEnv): Promise<StdioClient> {
  const client = await StdioClient.start(env)
  context.atEnd(() => client.end())
  return client
}

/** A call of a tool as a request of a client that has introduced itself to a server. */
export async function toolRequest(served: ServedStore, session: string, name: string, given: object): Promise<Request> {
  const headers = {
    ...served.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-agent-session-id': session,
  }
  const greeting = { method: 'POST', headers, body: message(0, 'initialize', hello) }
  const response = await fetch(new URL('/mcp', served.url), greeting)
  const id = response.headers.get('mcp-session-id')
  if (!response.ok || id === null) throw new Error(`initialize was answered with ${response.status}`)
  await response.text()
  const { 'content-type': _, ...rest } = headers
  const body = message(1, 'tools/call', { name, arguments: given })
  return { method: 'POST', path: '/mcp', headers: { ...rest, 'mcp-session-id': id }, body }
}
