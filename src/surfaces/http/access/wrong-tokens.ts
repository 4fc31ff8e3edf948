import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { ExpiringMap } from './expiring-map.ts'

/** Wrong tokens that an address may send in a while: a person mistypes a few, a program that guesses sends many. */
const failuresMax = 20
const failuresMs = 60_000
const addressesMax = 10_000

/** Who sent wrong tokens, and how often. A right one is taken all the same: many share an address, and they did nothing. */
export class WrongTokens {
  readonly #counts: ExpiringMap<number>

  constructor(now: () => number) {
    this.#counts = new ExpiringMap(failuresMs, addressesMax, now)
  }

  /** Notes a wrong token, and says so, or that there were too many. */
  refuse(address: string, what: string, hint: string): Refusal {
    const count = (this.#counts.get(address) ?? 0) + 1
    this.#counts.put(address, count)
    if (count <= failuresMax) return refuse('unauthorized', `${what} is invalid or has expired.`, hint)
    const seconds = Math.ceil(this.#counts.left(address) / 1000)
    const message = `More than ${failuresMax} invalid tokens were sent from this address.`
    return refuse('rate_limited', message, `Wait ${seconds} seconds, then send a valid token.`, {
      retry_after: seconds,
    })
  }
}
