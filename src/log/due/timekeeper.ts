import { type Clock, elapsed, sleep } from '../../clock.ts'
import type { Feed } from '../read/feed.ts'
import type { DueTimes } from './due-times.ts'

/** However long nothing is due, it looks again after this: clocks are put forward, and machines sleep. */
const lookMsMax = 60_000

/** Commits come by the thousand, and each may have brought forward what is due next: it looks no more often than this. */
const lookMsMin = 50

/** After a look that came to nothing, because the store could not be asked. */
const againMs = 5000

/** Acts when something is due, as long as the store is open: it sleeps until then, or until somebody commits what is due earlier. */
export class Timekeeper {
  readonly #due: DueTimes
  readonly #clock: Clock
  readonly #feed: Feed
  readonly #report: (error: unknown) => void
  /** When it has come to its end, which it does when the feed is closed. */
  readonly ended: Promise<void>

  constructor(due: DueTimes, clock: Clock, feed: Feed, report: (error: unknown) => void) {
    this.#due = due
    this.#clock = clock
    this.#feed = feed
    this.#report = report
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    const closing = new AbortController()
    const sleeper = this.#feed.enter(undefined, undefined, () => closing.abort())
    while (!sleeper.ended) {
      sleeper.moved = false
      const ms = await this.#look()
      const until = elapsed() + ms
      const timer = setTimeout(() => sleeper.wake(), ms)
      await sleeper.sleep()
      clearTimeout(timer)
      const left = until - elapsed()
      if (left > 0 && !sleeper.ended) await sleep(Math.min(left, lookMsMin), closing.signal)
    }
    this.#feed.leave(sleeper)
  }

  /** Records what is due; says how long it may sleep. */
  async #look(): Promise<number> {
    try {
      const next = await this.#due.next()
      if (next === undefined) return lookMsMax
      const left = next - this.#clock.now()
      if (left > 0) return Math.min(left, lookMsMax)
      // What this clock finds due may not be due for the one that decides: then there is nothing to do but to wait.
      return (await this.#due.fall()) > 0 ? 0 : againMs
    } catch (error) {
      this.#report(error)
      return againMs
    }
  }
}
