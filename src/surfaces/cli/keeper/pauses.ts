/** A server that dies again and again is not started without end in a second: at most this many times the first pause lies between. */
const timesMax = 30
/** One that has served for so long is well: should it die, it is the first time again. */
const wellMs = 60_000

/** How long a keeper waits before it starts a server again: twice as long each time. */
export class Pauses {
  readonly #firstMs: number
  #nextMs: number

  constructor(firstMs: number) {
    this.#firstMs = firstMs
    this.#nextMs = firstMs
  }

  next(): number {
    const ms = this.#nextMs
    this.#nextMs = Math.min(2 * ms, timesMax * this.#firstMs)
    return ms
  }

  served(ms: number): void {
    if (ms >= wellMs) this.#nextMs = this.#firstMs
  }
}
