// A way to a server that fails as it is told: each request that comes takes the next fault of the plan; those after them pass.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Where a request is lost, as the client sees it; or an answer of something in between. Each request has its own connection. */
export type Fault =
  | 'none'
  /** The connection is closed before anything of the request was read. */
  | 'connecting'
  /** The request was sent, and reaches nobody. */
  | 'before'
  /** The server has done it, and nobody hears the answer. */
  | 'after'
  /** The same, and from then on nobody listens at this address. */
  | 'last'
  /** The answer comes byte by byte, each in a piece of its own. */
  | 'crumbs'
  /** Half of the answer is heard. */
  | 'middle'
  /** Nothing is heard at all, and the connection stays. */
  | 'silent'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  /** The answer is cut off after so many bytes, if it has more. */
  | { readonly bytes: number }

export class Cutting {
  readonly plan: Fault[] = []
  /** The paths that were asked for. */
  readonly asked: string[] = []
  readonly #server = createServer((near, answer) => this.#pass(near, answer))
  readonly #open = new Set<Socket>()
  #target = new URL('http://127.0.0.1')

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  async listen(): Promise<this> {
    this.#server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.on('error', () => undefined).on('close', () => this.#open.delete(socket))
      if (this.plan[0] === 'connecting') {
        this.plan.shift()
        socket.destroy()
      }
    })
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      this.#server.close()
      this.cut()
    })
    return this
  }

  leadTo(url: string): void {
    this.#target = new URL(url)
  }

  /** Closes every connection there is. */
  cut(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #pass(near: IncomingMessage, answer: ServerResponse): void {
    const fault = this.plan.shift() ?? 'none'
    this.asked.push(near.url ?? '')
    answer.shouldKeepAlive = false
    if (fault === 'last') this.#server.close()
    if (fault === 'before') near.socket.destroy()
    else if (typeof fault === 'object' && 'status' in fault)
      answer.writeHead(fault.status, fault.headers).end(fault.body)
    else if (fault !== 'silent') this.#forward(near, answer, fault)
  }

  #forward(near: IncomingMessage, answer: ServerResponse, fault: Fault): void {
    const { hostname, port, host } = this.#target
    // One connection for each, so that a cut one is nobody else's.
    const options = { hostname, port, method: near.method, path: near.url, agent: false }
    const far = request({ ...options, headers: { ...near.headers, host } }, (heard) => {
      if (fault === 'none') {
        answer.writeHead(heard.statusCode ?? 500, heard.headers)
        heard.on('error', () => near.socket.destroy()).pipe(answer)
        answer.flushHeaders()
      } else if (fault === 'crumbs') void crumble(heard, answer)
      else cutOff(heard, near, answer, fault)
    })
    far.on('error', () => near.socket.destroy())
    answer.on('close', () => far.destroy())
    near.pipe(far)
  }
}

/** What is written in one turn of the event loop goes out in one piece. */
async function crumble(heard: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { 'content-length': _whole, ...headers } = heard.headers
  answer.writeHead(heard.statusCode ?? 500, headers)
  answer.flushHeaders()
  try {
    for await (const chunk of heard as AsyncIterable<Buffer>) {
      for (const byte of chunk) {
        answer.write(Buffer.of(byte))
        await nextTurn()
      }
    }
    answer.end()
  } catch {
    answer.destroy()
  }
}

function cutOff(heard: IncomingMessage, near: IncomingMessage, answer: ServerResponse, fault: Fault): void {
  heard.on('error', () => near.socket.destroy())
  if (typeof fault === 'object' && 'bytes' in fault) {
    let left = fault.bytes
    answer.writeHead(heard.statusCode ?? 500, heard.headers)
    answer.flushHeaders()
    heard.on('data', (chunk: Buffer) => {
      if (left > 0) answer.write(chunk.subarray(0, left))
      left -= chunk.length
      // What was written goes out first.
      if (left <= 0) setImmediate(() => near.socket.destroy())
    })
    heard.on('end', () => answer.end())
    return
  }
  const chunks: Buffer[] = []
  heard.on('data', (chunk: Buffer) => chunks.push(chunk))
  heard.on('end', () => {
    if (fault === 'after' || fault === 'last') near.socket.destroy()
    const whole = Buffer.concat(chunks)
    if (answer.destroyed) return
    answer.writeHead(heard.statusCode ?? 500, heard.headers)
    answer.write(whole.subarray(0, whole.length / 2), () => near.socket.destroy())
  })
}
