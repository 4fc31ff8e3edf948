/** Setting a timer for longer would fire it at once. */
const waitMsMax = 60_000

/** Lets one loop sleep until somebody wakes it, or a time has passed: what wakes it while it is awake is not lost. */
export class Wakeup {
  #isWoken = false
  #wake: (() => void) | undefined

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isWoken && ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(ms, waitMsMax))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#wake = undefined
    this.#isWoken = false
  }
}
