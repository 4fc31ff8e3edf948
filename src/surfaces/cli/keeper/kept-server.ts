import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { elapsed } from '../../../clock.ts'
import type { StartReport } from '../server/serve.ts'
import { type Ended, howOf } from './ended.ts'
import type { ServerLog } from './server-log.ts'

/** A server as a process of its own, which goes on when its keeper is gone. */
export class KeptServer {
  /** What it says once it listens or is refused; undefined where it ends without a word. */
  readonly told: Promise<StartReport | undefined>
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  readonly #log: ServerLog
  readonly #loggedBytes: number
  readonly #begun = elapsed()

  constructor(command: readonly string[], log: ServerLog) {
    const file = opened(log)
    this.#log = log
    this.#loggedBytes = log.bytes()
    this.#child = spawn(process.execPath, command, { detached: true, stdio: ['ignore', file, file, 'ipc'] })
    if (file !== 'ignore') closeSync(file)
    const child = this.#child
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
      child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, failed: code ?? message })
      })
    })
    this.told = new Promise((resolve) => {
      child.once('message', (message) => resolve(message as StartReport))
      void this.ended.then(() => resolve(undefined))
    })
  }

  get ranMs(): number {
    return elapsed() - this.#begun
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  how(ended: Ended): string {
    return howOf(ended, this.#log.since(this.#loggedBytes))
  }

  stop(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}

/** A server without a log is better than none. */
function opened(log: ServerLog): number | 'ignore' {
  try {
    return log.open()
  } catch {
    return 'ignore'
  }
}
