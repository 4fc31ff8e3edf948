/** A root whose log has moved, and where it ends now. */
export interface Committed {
  readonly root: number
  readonly rootId: string
  readonly seq: number
}

/** Told where logs end now. A commit that follows soon is told together with it. */
export type AfterCommit = (moved: readonly Committed[]) => void | Promise<void>

/**
 * Tells others what was committed here. They are called behind the writes and one call at a time: whatever they do, no write waits for
 * them or fails by them, and what is committed meanwhile is told in one go.
 */
export class Commits {
  readonly #subscribers = new Set<Subscriber>()

  /** `report` is told what went wrong in `tell`. Gives the way to stop it. */
  subscribe(tell: AfterCommit, report: (error: unknown) => void): () => void {
    const subscriber = new Subscriber(tell, report)
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
      subscriber.stop()
    }
  }

  moved(moved: readonly Committed[]): void {
    for (const subscriber of this.#subscribers) subscriber.add(moved)
  }

  /** When all was told that was committed so far. */
  async settled(): Promise<void> {
    await Promise.all([...this.#subscribers].map((each) => each.settled()))
  }
}

class Subscriber {
  readonly #tell: AfterCommit
  readonly #report: (error: unknown) => void
  readonly #waiting = new Map<number, Committed>()
  #telling: Promise<void> | undefined
  #stopped = false

  constructor(tell: AfterCommit, report: (error: unknown) => void) {
    this.#tell = tell
    this.#report = report
  }

  add(moved: readonly Committed[]): void {
    for (const each of moved) this.#waiting.set(each.root, each)
    if (this.#waiting.size > 0) this.#telling ??= this.#run()
  }

  stop(): void {
    this.#stopped = true
  }

  async settled(): Promise<void> {
    await this.#telling
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      // Those who wrote are answered first.
      await new Promise<void>((resolve) => setImmediate(resolve))
      const moved = [...this.#waiting.values()]
      this.#waiting.clear()
      if (!this.#stopped) await this.#told(moved)
    }
    this.#telling = undefined
  }

  async #told(moved: readonly Committed[]): Promise<void> {
    try {
      await this.#tell(moved)
    } catch (error) {
      try {
        this.#report(error)
      } catch {
        // Whoever cannot even hear of it has nobody left to tell.
      }
    }
  }
}
