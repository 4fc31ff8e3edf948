import { elapsed, sleep } from '../../clock.ts'
import { isFull } from './errors.ts'

export const connectionTimeoutMillis = 5000
const fullRetryMs = 50

/** As much of a pool as is needed here. */
interface Lends<Client> {
  connect(): Promise<Client>
}

/** Connections to use, one at a time. */
export class Clients<Client extends { release(broken: boolean): void }> {
  readonly #pool: Lends<Client>

  constructor(pool: Lends<Client>) {
    this.#pool = pool
  }

  /** A connection that met an error is not given back: what state it is in is not known. */
  async use<Out>(use: (client: Client) => Promise<Out>): Promise<Out> {
    const client = await this.#connect()
    let failure: unknown = new Error('not finished')
    try {
      const out = await use(client)
      failure = undefined
      return out
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(failure !== undefined)
    }
  }

  /** While the server has no connection left, this waits for one; but not for ever. */
  async #connect(): Promise<Client> {
    const deadline = elapsed() + connectionTimeoutMillis
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!isFull(error) || elapsed() > deadline) throw error
      }
      await sleep(fullRetryMs)
    }
  }
}
