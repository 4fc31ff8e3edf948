import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Told } from './messages.ts'
import type { SubscriptionRequest } from './subscription-request.ts'
import type { Tail } from './tail.ts'

/** One who is told. */
export interface Listener {
  /** False when it wants no more. */
  take(told: Told, texts: readonly string[]): boolean
  /** When it has room for more of the past. */
  room(): Promise<void>
}

interface Parts {
  readonly tail: Tail
  /** The last that was seen. */
  readonly since: number
  /** Everything after a sequence, from the store; without it only what is to come can be had. */
  readonly past: ((since: number, signal: AbortSignal) => AsyncIterable<Told>) | undefined
  readonly wanted: SubscriptionRequest
  /** The number of the only session whose doing is wanted. */
  readonly only: number | undefined
  drop(): void
}

/** What somebody follows: first the past, then the live end of the log, without a gap and without a repeat. */
export class Subscription {
  readonly #parts: Parts
  #isDropped = false
  #position: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#position = this.isOfOneLog ? parts.since : 0
  }

  /** From where one goes on who has been told all so far, whether or not it wanted the last of it. */
  get position(): number {
    return this.#position
  }

  /** Whether a sequence alone says where to go on. */
  get isOfOneLog(): boolean {
    return this.#parts.past !== undefined
  }

  drop(): void {
    if (this.#isDropped) return
    this.#isDropped = true
    this.#parts.drop()
  }

  /** Tells until the signal, or until the listener or the log has an end. Throws a refusal where it cannot go on. */
  async follow(listener: Listener, signal: AbortSignal): Promise<void> {
    const hear = (told: Told): boolean => {
      const texts = this.#textsFor(told)
      if (texts.length > 0 && !listener.take(told, texts)) return false
      this.#position = told.seq
      return true
    }
    const recent = await this.#catchUp(hear, listener, signal)
    if (recent === undefined || signal.aborted) return
    if (!recent.every(hear)) return
    await this.#listen(hear, signal)
  }

  /** Reads the past from the store until the tail has the rest, which it answers; undefined when it ended on the way. */
  async #catchUp(hear: (told: Told) => boolean, listener: Listener, signal: AbortSignal) {
    const { tail, since, past } = this.#parts
    const recent = tail.recentAfter(since)
    if (recent !== undefined) return recent
    if (past === undefined) throw new CairnRefusal(tooLate())
    for await (const told of past(since, signal)) {
      if (!hear(told)) return undefined
      const rest = tail.recentAfter(told.seq)
      if (rest !== undefined) return rest
      await listener.room()
    }
    return undefined
  }

  async #listen(hear: (told: Told) => boolean, signal: AbortSignal): Promise<void> {
    const { tail } = this.#parts
    let end: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    const member = (told: Told): void => {
      if (!hear(told)) end()
    }
    signal.addEventListener('abort', end, { once: true })
    tail.join(member)
    await Promise.race([over, tail.ended]).finally(() => tail.leave(member))
  }

  #textsFor({ event, messages }: Told): string[] {
    const { only, wanted } = this.#parts
    if (only !== undefined && event.session_no !== only) return []
    if (wanted.stream !== undefined && event.stream !== wanted.stream) return []
    const all = wanted.type === undefined || wanted.type === event.type
    return messages.filter((message) => all || message.type === wanted.type).map((message) => message.text)
  }
}

function tooLate() {
  return refuse('busy', 'More happened than is kept while this connection was opened.', 'Connect again.')
}
