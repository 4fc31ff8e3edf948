import type { FeedEvent } from '../../../domain/log/event.ts'
import type { Told } from './messages.ts'

/** What is kept for readers who have nearly caught up: so many events, and so much of their text. */
const recentMax = 1000
const recentBytesMax = 4 * 1024 * 1024

export type Member = (told: Told) => void

/**
 * The live end of a log, read once for all who follow it: each event is fetched and put into words one time, however many
 * listen. Its position goes up by one with each event: in the log of one root it is the sequence.
 */
export class Tail {
  readonly #members = new Set<Member>()
  readonly #recent: Told[] = []
  readonly #ending = new AbortController()
  #recentBytes = 0
  #position: number
  /** How many hold it; without them it is ended. */
  holders = 0
  /** Settles when nothing more will come: it was ended, the store was closed, or the log is not what it was. */
  readonly ended: Promise<void>

  constructor(
    position: number,
    follow: (signal: AbortSignal) => AsyncIterable<FeedEvent>,
    tell: (event: FeedEvent) => Promise<Told>,
  ) {
    this.#position = position
    this.ended = this.#run(follow(this.#ending.signal), tell)
  }

  get position(): number {
    return this.#position
  }

  async #run(events: AsyncIterable<FeedEvent>, tell: (event: FeedEvent) => Promise<Told>) {
    for await (const event of events) {
      const told = await tell(event)
      this.#keep(told)
      this.#position += 1
      for (const member of this.#members) member(told)
    }
  }

  #keep(told: Told): void {
    this.#recent.push(told)
    this.#recentBytes += told.bytes
    while (this.#recent.length > recentMax || this.#recentBytes > recentBytesMax) {
      this.#recentBytes -= this.#recent.shift()?.bytes ?? 0
    }
  }

  /** What came after a position; undefined when that is not known here any more, or not yet. */
  recentAfter(position: number): readonly Told[] | undefined {
    const missed = this.#position - position
    if (missed < 0 || missed > this.#recent.length) return undefined
    return missed === 0 ? [] : this.#recent.slice(-missed)
  }

  join(member: Member): void {
    this.#members.add(member)
  }

  leave(member: Member): void {
    this.#members.delete(member)
  }

  end(): void {
    this.#ending.abort()
  }
}
