import pg from 'pg'
import type { Moved } from './engine.ts'

const channel = 'cairn_moved'

/** A payload may have 8000 bytes; more roots than this are announced as "some". */
const rootsNamedMax = 100

/** How long until a broken listener tries again, and how often it looks by itself in case a notice got lost. */
const reconnectMs = 500
const pollMs = 5000

/** Tells other processes which roots moved: after the commit, and as few statements as it takes. */
export class Notices {
  readonly #pool: pg.Pool
  readonly #waiting = new Set<string>()
  #sending: Promise<void> | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  add(roots: readonly string[]): void {
    for (const root of roots) this.#waiting.add(root)
    this.#sending ??= this.#send()
  }

  async sent(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const roots = [...this.#waiting]
      this.#waiting.clear()
      const payload = roots.length > rootsNamedMax ? '' : roots.join(',')
      // A notice that cannot be sent is no loss: listeners look by themselves now and then.
      await this.#pool.query('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
    }
    this.#sending = undefined
  }
}

/** Listens on a connection of its own, and goes on after it broke. */
export function listen(url: string, moved: Moved): { stop(): void } {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const poll = setInterval(() => moved(undefined), pollMs)

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: reconnectMs * 10 })
    client = next
    next.on('error', () => undefined)
    next.on('end', again)
    next.on('notification', ({ payload }) => moved(payload ? payload.split(',') : undefined))
    try {
      await next.connect()
      await next.query(`LISTEN ${channel}`)
      // Whatever was committed while nobody listened.
      moved(undefined)
    } catch {
      again()
    }
  }
  const again = () => {
    if (stopped || retry !== undefined) return
    retry = setTimeout(() => {
      retry = undefined
      void connect()
    }, reconnectMs)
  }
  void connect()
  return {
    stop: () => {
      stopped = true
      clearInterval(poll)
      clearTimeout(retry)
      void client?.end().catch(() => undefined)
    },
  }
}
