/**
 * Sends the answers of one turn of the event loop together, at its end. Each answer wakes whoever waits for it, and waking a
 * process that has gone to sleep costs more than the rest of a read: those who are answered together are woken once.
 */
export class Outbox {
  #waiting: (() => void)[] = []

  add(send: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#empty())
    this.#waiting.push(send)
  }

  #empty(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const send of waiting) send()
  }
}
