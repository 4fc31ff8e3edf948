import { createRequire as requireFrom } from 'node:module'
import { Worker } from 'node:worker_threads'

/** What the thread does: it has nothing of ours but the driver. It ends when it is told to, and closes its connection before. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require(workerData.driver)
const db = new DatabaseSync(workerData.path, { timeout: 0 })
parentPort.on('message', (told) => {
  if (told === 'end') {
    db.close()
    parentPort.close()
    return
  }
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Tried again when there is more.
  }
  parentPort.postMessage('copied')
})
`

/**
 * Copies the write-ahead log into the file on a thread and a connection of its own, while this process goes on reading and writing. It
 * starts when it is first needed, and keeps no process from ending.
 */
export class CheckpointThread {
  readonly #path: string
  readonly #copied: () => void
  #worker: Worker | undefined
  #isCopying = false

  /** `copied` is called each time that what was there has been copied. */
  constructor(path: string, copied: () => void) {
    this.#path = path
    this.#copied = copied
  }

  get isCopying(): boolean {
    return this.#isCopying
  }

  copy(): void {
    if (this.#isCopying) return
    this.#isCopying = true
    this.#worker ??= this.#start()
    this.#worker.postMessage('copy')
  }

  /** Its connection is closed by then. */
  async end(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    this.#worker = undefined
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage('end')
    await ended
  }

  #start(): Worker {
    const driver = requireFrom(import.meta.url).resolve('@photostructure/sqlite')
    const worker = new Worker(program, { eval: true, workerData: { path: this.#path, driver } })
    worker.unref()
    worker.on('message', () => {
      this.#isCopying = false
      if (this.#worker === worker) this.#copied()
    })
    // Such as for want of memory: then nothing is copied aside any more, and SQLite does it in its own way.
    worker.on('error', () => undefined)
    return worker
  }
}
