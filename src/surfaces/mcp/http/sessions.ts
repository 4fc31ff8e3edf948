import { newSecret } from '../../../clock.ts'
import type { Caller } from '../../../log/access/caller.ts'
import { Conversation } from '../conversation.ts'
import type { Offer } from '../method-call.ts'
import type { MessageStream } from './message-stream.ts'

/** A client that says nothing for so long is gone; one that is not begins anew. */
const idleMsMax = 30 * 60_000
/** How often those are looked for. */
const sweepMs = 60_000
/** So many clients one caller may have at a time, and all together. */
const ofCallerMax = 256
const sessionsMax = 4096

/** What a client that was told of changes while it did not listen is told when it does. */
type Waiting = Map<string, object>

/** One client over HTTP, from its `initialize` on. */
export class HttpSession {
  readonly id = newSecret()
  readonly conversation: Conversation
  readonly holder: string
  readonly #waiting: Waiting = new Map()
  #line: MessageStream | undefined
  usedAt: number

  /** Called once, at its end. */
  ended: () => void = () => undefined

  constructor(offer: Offer, caller: Caller, now: number) {
    this.holder = holderOf(caller)
    this.usedAt = now
    this.conversation = new Conversation(offer, (message) => this.#announce(message))
  }

  /** Listened to, or busy. */
  get isInUse(): boolean {
    return this.#line !== undefined || this.conversation.isBusy
  }

  /** Whoever listens anew takes the place of whoever did before: that is the same client, whose connection was lost. */
  listen(line: MessageStream): void {
    this.#line?.end()
    this.#line = line
    for (const message of this.#waiting.values()) line.send(message)
    this.#waiting.clear()
  }

  leave(line: MessageStream): void {
    if (this.#line === line) this.#line = undefined
  }

  /** Tells nothing more; what was asked is still answered. */
  hush(): void {
    this.conversation.unfollow()
    this.#line?.end()
  }

  close(): void {
    this.hush()
    this.conversation.close()
    this.ended()
  }

  /** That something has changed needs to be said once, however often it did. */
  #announce(message: object): void {
    if (this.#line === undefined) this.#waiting.set(JSON.stringify(message), message)
    else this.#line.send(message)
  }
}

/** Who a session belongs to: its id alone is of no use to anybody else. */
function holderOf({ principal, scope }: Caller): string {
  return JSON.stringify([principal, scope])
}

/** The clients of a server. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>()
  readonly #now: () => number
  readonly #sweep: NodeJS.Timeout

  constructor(now: () => number) {
    this.#now = now
    this.#sweep = setInterval(() => this.#dropIdle(), sweepMs)
    this.#sweep.unref()
  }

  /** Undefined where there are too many. */
  begin(offer: Offer, caller: Caller): HttpSession | undefined {
    const own = [...this.#sessions.values()].filter(({ holder }) => holder === holderOf(caller))
    if (own.length >= ofCallerMax && !this.#dropOldest(own)) return undefined
    if (this.#sessions.size >= sessionsMax) return undefined
    const session = new HttpSession(offer, caller, this.#now())
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session, for whom it belongs to. */
  find(id: unknown, caller: Caller): HttpSession | undefined {
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined
    if (session === undefined || session.holder !== holderOf(caller)) return undefined
    session.usedAt = this.#now()
    return session
  }

  end(session: HttpSession): void {
    if (this.#sessions.delete(session.id)) session.close()
  }

  /** When the server stops. */
  hush(): void {
    clearInterval(this.#sweep)
    for (const session of this.#sessions.values()) session.hush()
  }

  #dropIdle(): void {
    const before = this.#now() - idleMsMax
    for (const session of [...this.#sessions.values()]) {
      if (session.usedAt < before && !session.isInUse) this.end(session)
    }
  }

  /** Of too many of one caller the one that was silent longest goes; false where all are in use. */
  #dropOldest(own: readonly HttpSession[]): boolean {
    const [oldest] = own.filter(({ isInUse }) => !isInUse).sort((a, b) => a.usedAt - b.usedAt)
    if (oldest !== undefined) this.end(oldest)
    return oldest !== undefined
  }
}
