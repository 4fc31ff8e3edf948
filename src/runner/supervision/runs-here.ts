/** How often runs are looked at: what was started by this process tells of its end by itself. */
const lookMs = 200

/** All runs that this process watches, whichever root they belong to: one timer looks at all of them. */
export class RunsHere {
  readonly #runs = new Map<object, () => void>()
  #timer: ReturnType<typeof setInterval> | undefined

  /** From now on `look` is called now and then. */
  add(run: object, look: () => void): void {
    this.#runs.set(run, look)
    this.#timer ??= setInterval(() => this.#lookAtAll(), lookMs)
  }

  drop(run: object): void {
    this.#runs.delete(run)
    if (this.#runs.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #lookAtAll(): void {
    for (const look of [...this.#runs.values()]) look()
  }
}
