import type { ServerResponse } from 'node:http'

/** What stands between may cut a connection on which nothing happens. */
const heartbeatMs = 15_000
/** A reader that leaves so much unread is cut off: it holds memory that all share. */
const unreadBytesMax = 4 * 1024 * 1024

/** Messages to a client over a response that stays open. */
export class MessageStream {
  readonly #response: ServerResponse
  readonly #timer: NodeJS.Timeout

  constructor(response: ServerResponse) {
    this.#response = response
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    response.flushHeaders()
    this.#timer = setInterval(() => this.#write(': heartbeat\n\n'), heartbeatMs)
    this.#timer.unref()
    response.once('close', () => clearInterval(this.#timer))
  }

  send(message: object): void {
    this.#send(JSON.stringify(message))
  }

  /** Sends messages that are JSON already, and nothing after them. */
  sendAll(texts: readonly string[]): void {
    for (const text of texts) this.#send(text)
    this.end()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#response.end()
  }

  #send(text: string): void {
    this.#write(`event: message\ndata: ${text}\n\n`)
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    if (this.#response.writableLength > unreadBytesMax) this.#response.destroy()
    else this.#response.write(text)
  }
}
