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
  #busy = false

  /** `run` must not reject; `idle` is called when nothing is left. */
  constructor(run: (group: Entry[]) => Promise<void>, idle: () => void = () => undefined) {
    this.#run = run
    this.#idle = idle
  }

  add(entry: Entry): void {
    this.#waiting.push(entry)
    if (this.#busy) return
    this.#busy = true
    setImmediate(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#run(this.#waiting.splice(0, groupMax))
      // Those who were just answered get to ask again before the next group starts.
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    this.#busy = false
    this.#idle()
  }
}
