// Readers of the feed, over WebSocket and as server-sent events.
import { get, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { owner } from './served.ts'

export type Heard = { readonly type: string; readonly seq: number } & { readonly [name: string]: unknown }

/** One who follows. Everything it was told is in `heard`. */
export interface Follower {
  readonly heard: Heard[]
  /** When it was told something like this. */
  until(isIt: (message: Heard) => boolean): Promise<Heard>
  /** The code and the last word it was closed with. */
  readonly closed: Promise<{ code: number; end: Heard | undefined }>
  /** Reads no more, or goes on. */
  pause(): void
  resume(): void
  send(data: string | Buffer): void
  close(): void
}

class Ears {
  readonly heard: Heard[] = []
  readonly #waiting = new Set<() => void>()

  hear(text: string): void {
    this.heard.push(JSON.parse(text) as Heard)
    for (const look of this.#waiting) look()
  }

  until(isIt: (message: Heard) => boolean): Promise<Heard> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.heard.find(isIt)
        if (found === undefined) return
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }

  end(): Heard | undefined {
    return this.heard.find(({ type }) => type === 'end')
  }
}

/** Rejects with the status of a refusal. */
export function follow(port: number, query: string, headers: Record<string, string> = owner): Promise<Follower> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`, { headers })
  const ears = new Ears()
  socket.on('message', (data) => ears.hear(String(data)))
  const closed = new Promise<{ code: number; end: Heard | undefined }>((resolve) =>
    socket.on('close', (code) => resolve({ code, end: ears.end() })),
  )
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      reject(new Error(`refused with ${response.statusCode}`))
    })
    socket.on('open', () =>
      resolve({
        heard: ears.heard,
        until: (isIt) => ears.until(isIt),
        closed,
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        send: (data) => socket.send(data),
        close: () => socket.terminate(),
      }),
    )
  })
}

export interface Listening {
  readonly heard: Heard[]
  /** Everything that was sent, as it was sent. */
  text(): string
  until(isIt: (message: Heard) => boolean): Promise<Heard>
  readonly ended: Promise<void>
  close(): void
}

/** The same through `GET /events`. */
export function listen(port: number, query: string, headers: Record<string, string> = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path: `/events${query}`, headers: { ...owner, ...headers } })
    request.on('error', reject)
    request.on('response', (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        response.resume()
        reject(new Error(`refused with ${response.statusCode}`))
        return
      }
      const ears = new Ears()
      let text = ''
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data !== undefined) ears.hear(data)
        }
      })
      const ended = new Promise<void>((done) => response.on('close', () => done()))
      response.on('error', () => undefined)
      const close = () => request.destroy()
      resolve({ heard: ears.heard, text: () => text, until: (isIt) => ears.until(isIt), ended, close })
    })
  })
}
