import type { LeaseTime } from '../../domain/log/lease-time.ts'

/** A smaller difference may be an answer that came late. */
const gapMsMin = 5000

/**
 * The database's clock, beside one of this process that only goes forward: where the first gets ahead of the second, it was
 * set, or the machine slept.
 */
export class LeaseClock {
  #last: { readonly ms: number; readonly elapsed: number } | undefined
  #gap: LeaseTime['gap']

  /** What the database says, and when this process heard it by its own clock. */
  at(ms: number, elapsed: number): LeaseTime {
    const due = this.#last === undefined ? ms : this.#last.ms + elapsed - this.#last.elapsed
    if (ms - due > gapMsMin) this.#gap = { before: due, after: ms }
    this.#last = { ms, elapsed }
    return { ms, boot: '', gap: this.#gap }
  }
}
