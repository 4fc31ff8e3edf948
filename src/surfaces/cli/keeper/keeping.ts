import { existsSync } from 'node:fs'
import { sleep, systemClock } from '../../../clock.ts'
import { discover } from '../../../home/discovery.ts'
import { type Keeper, recordKeeper, removeKeeper } from '../../../home/keeper-file.ts'
import { lifeOf } from '../../../home/process-life.ts'
import type { StartReport } from '../server/serve.ts'
import { wasTold } from './ended.ts'
import { KeptServer } from './kept-server.ts'
import { Pauses } from './pauses.ts'
import type { ServerLog } from './server-log.ts'

export interface KeepingOptions {
  readonly home: string
  /** The program and its words, as the server is started each time. */
  readonly command: readonly string[]
  /** How long after its death it is started again, the first time. */
  readonly firstMs: number
  readonly log: ServerLog
}

/** Keeps one server of a data folder running, from its first start until it is told to end, or another one has taken the folder. */
export class Keeping {
  readonly #options: KeepingOptions
  readonly #log: ServerLog
  readonly #pauses: Pauses
  readonly #stopping = new AbortController()
  #server: KeptServer | undefined

  constructor(options: KeepingOptions) {
    this.#options = options
    this.#log = options.log
    this.#pauses = new Pauses(options.firstMs)
  }

  /** The server is to end, and then this. */
  stop(signal: NodeJS.Signals): void {
    this.#stopping.abort()
    this.#server?.stop(signal)
  }

  /** Done when there is nothing left to keep. What became of the first start is told to whoever waits for it. */
  async run(report: (told: StartReport | undefined) => void): Promise<void> {
    const first = this.#start()
    const told = await first.told
    if (told === undefined || 'refused' in told) {
      this.#say('error', `The server did not start: ${told?.refused.message ?? first.how(await first.ended)}`)
      return report(told)
    }
    const keeper: Keeper = { pid: process.pid, life: lifeOf(process.pid), url: told.serving.url }
    this.#record(keeper)
    report(told)
    await this.#keep(first, keeper)
    removeKeeper(this.#options.home, keeper)
  }

  async #keep(first: KeptServer, keeper: Keeper): Promise<void> {
    for (let server: KeptServer | undefined = first; server !== undefined; ) {
      const ended = await server.ended
      if (this.#isOver || wasTold(ended)) return
      const [at, how] = [new Date(systemClock().now()).toISOString(), server.how(ended)]
      this.#pauses.served(server.ranMs)
      if (!this.#record({ ...keeper, died: { at, how } })) return
      server = await this.#back(`The server (pid ${server.pid}) died: ${how}.`)
    }
  }

  /** The server that serves again; undefined where there is to be none. */
  async #back(why: string): Promise<KeptServer | undefined> {
    let said = why
    while (await this.#mayStart(said)) {
      const server = this.#start()
      const told = await server.told
      if (told !== undefined && 'serving' in told) {
        this.#say('info', `The server serves again: ${told.serving.url} (pid ${told.serving.pid}).`)
        return server
      }
      const ended = await server.ended
      if (wasTold(ended)) return undefined
      said = `The server could not be started again: ${told?.refused.message ?? `${server.how(ended)}.`}`
    }
    return undefined
  }

  async #mayStart(why: string): Promise<boolean> {
    const ms = this.#pauses.next()
    this.#say('error', `${why} The next start is in ${ms / 1000} s.`)
    await sleep(ms, this.#stopping.signal)
    return !(this.#isOver || this.#isFolderGone || this.#isTaken)
  }

  /** Says whether this is the keeper of the data folder. On a full disk nothing can be written down: it is that all the same. */
  #record(keeper: Keeper): boolean {
    try {
      const isRecorded = recordKeeper(this.#options.home, keeper)
      if (!isRecorded) this.#say('info', 'Another keeper has this data folder: this one starts nothing again.')
      return isRecorded
    } catch {
      return !this.#isFolderGone
    }
  }

  #start(): KeptServer {
    const { command, log } = this.#options
    this.#server = new KeptServer(command, log)
    return this.#server
  }

  get #isOver(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A data folder that was removed is nobody's any more. */
  get #isFolderGone(): boolean {
    return !existsSync(this.#options.home)
  }

  /** Whoever started another server meanwhile wants that one. */
  get #isTaken(): boolean {
    const other = discover(this.#options.home)
    if (other === undefined) return false
    this.#say('info', `Another server has this data folder: ${other.url} (pid ${other.pid}). Its keeper ends.`)
    return true
  }

  #say(level: 'info' | 'error', message: string): void {
    this.#log.say(level, message)
  }
}
