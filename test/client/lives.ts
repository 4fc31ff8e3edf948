// A server that is killed and started again at the same address, and a way to it that can be cut.
import { connect } from '../../src/client/connect.ts'
import type { Sandbox } from '../cli/sandbox.ts'
import { type RunningServer, startServer } from '../server/servers.ts'
import type { TestStore } from '../setup/stores.ts'
import { Cutting } from './cutting.ts'

export class Lives {
  readonly cutting: Cutting
  readonly #start: (port: string) => Promise<RunningServer>
  #server: RunningServer

  private constructor(start: (port: string) => Promise<RunningServer>, server: RunningServer, cutting: Cutting) {
    this.#start = start
    this.#server = server
    this.cutting = cutting
    cutting.leadTo(server.url)
  }

  static async of(sandbox: Sandbox, store: TestStore): Promise<Lives> {
    const place = store.options.store ?? `sqlite:${store.home}/cairn.db`
    const start = (port: string) => startServer(sandbox, ['--store', place, '--port', port])
    return new Lives(start, await start('0'), await new Cutting().listen())
  }

  get token(): string {
    return this.#server.token
  }

  /** A client of it, past what is cut. */
  direct(session?: string) {
    return connect({ url: this.#server.url, token: this.token, ...(session === undefined ? {} : { session }) })
  }

  async die(): Promise<void> {
    await this.#server.stop('SIGKILL')
  }

  async riseAgain(): Promise<void> {
    this.#server = await this.#start(new URL(this.#server.url).port)
  }

  async stop(): Promise<void> {
    await this.#server.stop()
  }
}
