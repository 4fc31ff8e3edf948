import { setImmediate } from 'node:timers/promises'
import { elapsed } from '../../../clock.ts'
import type { FeedEvent } from '../../../domain/log/event.ts'
import type { KeyChanges } from './key-changes.ts'
import { isOfState, type Told, tell, tellChange } from './messages.ts'

/** What is kept for readers who have nearly caught up: so many events, and so much of their text. */
const recentMax = 1000
const recentBytesMax = 4 * 1024 * 1024

/** So long readers are told of one event before others get their turn. */
const sliceMs = 20

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
  /** How many of them want to know of shared state more than the events: without them nothing more is read. */
  wholeHolders = 0
  readonly #changes: KeyChanges
  /** Settles when nothing more will come: it was ended, the store was closed, or the log is not what it was. */
  readonly ended: Promise<void>

  constructor(position: number, follow: (signal: AbortSignal) => AsyncIterable<FeedEvent>, changes: KeyChanges) {
    this.#position = position
    this.#changes = changes
    this.ended = this.#run(follow(this.#ending.signal))
  }

  get position(): number {
    return this.#position
  }

  async #run(events: AsyncIterable<FeedEvent>) {
    for await (const event of events) {
      // Whoever comes from here on and wants it whole has it whole: one who is told the event alone is told it at once.
      const isWhole = this.wholeHolders > 0 && isOfState(event)
      const told = isWhole ? tellChange(event, await this.#changes.of(event)) : tell(event)
      this.#keep(told)
      this.#position += 1
      await this.#tellAll(told)
    }
  }

  /** Whoever joins on the way has it from what was kept. */
  async #tellAll(told: Told): Promise<void> {
    let since = elapsed()
    for (const member of [...this.#members]) {
      if (this.#members.has(member)) member(told)
      if (elapsed() - since < sliceMs) continue
      await setImmediate()
      since = elapsed()
    }
  }

  #keep(told: Told): void {
    this.#recent.push(told)
    this.#recentBytes += told.bytes
    while (this.#recent.length > recentMax || this.#recentBytes > recentBytesMax) {
      this.#recentBytes -= this.#recent.shift()?.bytes ?? 0
    }
  }

  /** What came after a position; undefined when that is not known here any more, or not yet, or not as whole as it is wanted. */
  recentAfter(position: number, isWhole: boolean): readonly Told[] | undefined {
    const missed = this.#position - position
    if (missed < 0 || missed > this.#recent.length) return undefined
    const recent = missed === 0 ? [] : this.#recent.slice(-missed)
    return isWhole && !recent.every((told) => told.isWhole) ? undefined : recent
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
