/** The exit code that shells give a program that was interrupted. */
const interruptedExit = 130

/** Ctrl-C while a workflow runs: the first asks agents to stop, the second leaves at once. */
export class Interruption {
  readonly asked = new AbortController()
  readonly #onSignal = (): void => {
    if (this.asked.signal.aborted) process.exit(interruptedExit)
    this.asked.abort()
  }

  constructor() {
    process.on('SIGINT', this.#onSignal)
    process.on('SIGTERM', this.#onSignal)
  }

  get isAsked(): boolean {
    return this.asked.signal.aborted
  }

  close(): void {
    process.off('SIGINT', this.#onSignal)
    process.off('SIGTERM', this.#onSignal)
  }
}
