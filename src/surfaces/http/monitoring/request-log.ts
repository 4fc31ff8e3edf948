import type { IncomingMessage } from 'node:http'

/** What became of a request. */
export interface Answered {
  readonly request: IncomingMessage
  readonly status: number
  readonly ms: number
  /** The path as it is in the table of routes: what stands in it, a name or a code, is nobody's business. */
  readonly route: string
  readonly id: string
  /** It was a wait that ran out: an answer like any other, whatever its status. */
  readonly ranOut: boolean
}

/**
 * One JSON document a line. It says nothing that a request carried: no header, no query, no body, no part of a path that is
 * not in the table of routes. Faults are always told, the rest where it is wanted.
 */
export class RequestLog {
  readonly #wanted: boolean
  readonly #write: (line: string) => void
  readonly #now: () => number

  constructor(wanted: boolean, write: (line: string) => void, now: () => number) {
    this.#wanted = wanted
    this.#write = write
    this.#now = now
  }

  answered({ request, status, ms, route, id, ranOut }: Answered): void {
    const level = status >= 500 && !ranOut ? 'error' : 'info'
    if (level === 'info' && !this.#wanted) return
    const from = request.socket.remoteAddress
    this.say(level, 'answered', { id, method: request.method ?? '', route, status, ms: Math.round(ms * 10) / 10, from })
  }

  say(level: 'info' | 'error', event: string, more: Readonly<Record<string, string | number | undefined>> = {}): void {
    this.#write(`${JSON.stringify({ at: new Date(this.#now()).toISOString(), level, event, ...more })}\n`)
  }
}
