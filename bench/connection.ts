import { connect, type Socket } from 'node:net'

/** A request as it stands on the wire; `headers` without those that every request has. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const headEnd = '\r\n\r\n'

/**
 * One connection that asks and is answered, again and again. It knows just as much of HTTP as answers with a length need: on
 * two cores a whole client would cost more than the server that it measures.
 */
export class Connection {
  readonly #socket: Socket
  #unread = ''
  #settle: { resolve(body: string): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => this.#hear(part))
    socket.on('error', (error) => this.#settle?.reject(error))
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')))
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** The body of the answer; one that is no success throws. */
  ask(wire: string): Promise<string> {
    if (!this.#socket.writable) return Promise.reject(new Error('the server closed the connection'))
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(wire, 'latin1')
    })
  }

  close(): void {
    this.#settle = undefined
    this.#socket.destroy()
  }

  #hear(part: string): void {
    const text = this.#unread + part
    this.#unread = text
    const head = text.indexOf(headEnd)
    if (head < 0) return
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1]
    const start = head + headEnd.length
    if (length !== undefined && text.length < start + Number(length)) return
    this.#unread = ''
    const settle = this.#settle
    this.#settle = undefined
    if (length !== undefined && text.startsWith('HTTP/1.1 2')) settle?.resolve(text.slice(start))
    else settle?.reject(new Error(`the answer is no success, or has no length: ${text.slice(0, 500)}`))
  }
}

export function wireOf(url: string, { method, path, headers, body }: Request): string {
  const sized = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
  const lines = Object.entries({ host: new URL(url).host, ...headers, ...sized })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`
}
