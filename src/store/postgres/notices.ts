import type { Moved } from '../engine.ts'

/** As much of a pool as is needed here. */
interface Sends {
  query(text: string, values: string[]): Promise<unknown>
}

/** As much of a connection as is needed here. */
interface Listens {
  on(event: 'error' | 'end', listener: () => void): unknown
  on(event: 'notification', listener: (notice: { payload?: string | undefined }) => void): unknown
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  end(): Promise<void>
}

const channel = 'cairn_moved'

/** A payload may have 8000 bytes; more roots than this are announced as "some". */
const rootsNamedMax = 100

/** How long until a broken listener tries again, and how often it looks by itself in case a notice got lost. */
const reconnectMs = 500
const pollMs = 5000

/** Tells other processes which roots moved: after the commit, and as few statements as it takes. */
export class Notices {
  readonly #pool: Sends
  readonly #waiting = new Set<number>()
  #sending: Promise<void> | undefined

  constructor(pool: Sends) {
    this.#pool = pool
  }

  add(roots: readonly number[]): void {
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
export function listen(newClient: () => Listens, moved: Moved): { stop(): void } {
  let stopped = false
  let client: Listens | undefined
  let retry: NodeJS.Timeout | undefined
  const poll = setInterval(() => moved(undefined), pollMs)

  const connect = async () => {
    const next = newClient()
    client = next
    next.on('error', () => undefined)
    next.on('end', again)
    next.on('notification', ({ payload }) => moved(payload ? payload.split(',').map(Number) : undefined))
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
