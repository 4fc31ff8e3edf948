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

/** Refusals that come by the thousand are told of no more often than this. */
const quietMs = 1000

/**
 * One JSON document a line. It says nothing that a request carried: no header, no query, no body, no part of a path that is
 * not in the table of routes. Faults are always told, the rest where it is wanted.
 */
export class RequestLog {
  readonly #wanted: boolean
  readonly #write: (line: string) => void
  readonly #now: () => number
  /** When each status was last told, and how often it was given since. */
  readonly #refused = new Map<number, { at: number; count: number }>()

  constructor(wanted: boolean, write: (line: string) => void, now: () => number) {
    this.#wanted = wanted
    this.#write = write
    this.#now = now
  }

  answered({ request, status, ms, route, id, ranOut }: Answered): void {
    const isTurnedAway = status === 429 || status === 503
    if (isTurnedAway && !this.#wanted) this.#turnedAway(status)
    const level = isTurnedAway || ranOut || status < 500 ? 'info' : 'error'
    if (level === 'info' && !this.#wanted) return
    const from = request.socket.remoteAddress
    this.say(level, 'answered', { id, method: request.method ?? '', route, status, ms: Math.round(ms * 10) / 10, from })
  }

  /** What protects the server is no fault, and whoever brings it about must not fill the log: each status is told once a second. */
  #turnedAway(status: number): void {
    const told = this.#refused.get(status) ?? { at: Number.NEGATIVE_INFINITY, count: 0 }
    this.#refused.set(status, told)
    told.count += 1
    if (this.#now() - told.at < quietMs && this.#now() >= told.at) return
    this.say('warning', 'refused', { status, count: told.count })
    told.at = this.#now()
    told.count = 0
  }

  say(
    level: 'info' | 'warning' | 'error',
    event: string,
    more: Readonly<Record<string, string | number | undefined>> = {},
  ): void {
    this.#write(`${JSON.stringify({ at: new Date(this.#now()).toISOString(), level, event, ...more })}\n`)
  }
}
