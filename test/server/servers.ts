// Servers as processes of their own, on any free port, each with the data folder of a sandbox.
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Document, Sandbox } from '../cli/sandbox.ts'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export class RunningServer {
  readonly #home: string
  readonly #child: ChildProcess
  readonly url: string
  readonly login: string
  readonly pid: number
  /** What it wrote on stderr so far. */
  err = ''
  readonly ended: Promise<Ended>

  constructor(home: string, child: ChildProcess, { url, login, pid }: Document) {
    this.#home = home
    this.#child = child
    this.url = url
    this.login = login
    this.pid = pid
    this.ended = endOf(child)
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.err += text
    })
  }

  /** The token of the owner. */
  get token(): string {
    return readFileSync(join(this.#home, 'token'), 'utf8').trim()
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal)
    return this.ended
  }

  /** A request of the owner. */
  send(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
    return fetch(new URL(path, this.url), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** The answer to an operation that must not be refused. */
  async call(operation: string, input: object): Promise<Document> {
    const response = await this.send('POST', `/operations/${operation}`, input)
    const answer: Document = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
}

function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
}

/** On a busy machine a server is late as well, and is to serve agents all the same. */
const patient = { CAIRN_LIMIT_LAG_MS: '600000' }

/** Starts `cairn serve` and waits until it listens. It is killed at the end of the test, if it still runs. */
export async function startServer(
  sandbox: Sandbox,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<RunningServer> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  return listening(sandbox, sandbox.spawn(['serve', '--json', ...port, ...args], { env: { ...patient, ...env } }))
}

/** A server that was started with `--json`, however that was done. */
export async function listening(sandbox: Sandbox, child: ChildProcess): Promise<RunningServer> {
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await firstLine(child)
  return new RunningServer(sandbox.home, child, JSON.parse(line))
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part) => {
      text += part
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} and said ${text}`)))
  })
}
