/**
 * Lets one at a time go on, each in a turn of the event loop of its own: of many who ask for much at once, others are heard between any
 * two, those too who have only just connected.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return this.#last
  }
}
