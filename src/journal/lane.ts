/** Calls that are answered together share one fsync; more than this in one group would make the first wait for the last. */
const groupMax = 256

/**
 * A queue whose waiting entries are taken as a group, one group at a time. While a group is being written, the next one
 * gathers: the busier the store, the larger the groups.
 */
export class Lane<Entry> {
  readonly #run: (group: Entry[]) => Promise<void>
  readonly #idle: () => void
  #waiting: Entry[] = []
  #draining: Promise<void> | undefined

  /** `run` must not reject; `idle` is called when nothing is left. */
  constructor(run: (group: Entry[]) => Promise<void>, idle: () => void) {
    this.#run = run
    this.#idle = idle
  }

  add(entry: Entry): void {
    this.#waiting.push(entry)
    this.#draining ??= this.#drain()
  }

  /** When all that waits now has been answered. */
  async settled(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Whoever asks in the same turn of the event loop goes into the same group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      await this.#run(this.#waiting.splice(0, groupMax))
      // Those who were just answered get to ask again before the next group starts.
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    this.#draining = undefined
    this.#idle()
  }
}
