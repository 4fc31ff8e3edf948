/** Does something again and again, never twice at a time, until it is stopped. What goes wrong is reported. */
export class Repeating {
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined

  constructor(act: () => Promise<void>, ms: number, report: (error: unknown) => void) {
    this.#timer = setInterval(() => {
      this.#running ??= act()
        .catch(report)
        .finally(() => {
          this.#running = undefined
        })
    }, ms)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async settled(): Promise<void> {
    await this.#running
  }
}
