import { lstatSync, statSync } from 'node:fs'
import { elapsed, sleep } from '../clock.ts'
import { CairnRefusal, refuse } from '../domain/log/refusal.ts'

/** A lock of the system on a small database: it ends with its process, however that ends. */
export interface FileLock {
  /** False while another process has it. */
  take(): boolean
  give(): void
  close(): void
}

export type OpenLock = (path: string) => Promise<FileLock>

/** A writer holds it for milliseconds; one that has it for longer hangs. */
const waitMsMax = 5000
const waitMs = [1, 6] as const
/** Connections that are kept open for folders that are written to again. */
const openMax = 64

interface Opened {
  readonly lock: FileLock
  /** Tells the file from one that was put in its place. */
  readonly ino: number
}

/** The locks of folders that this process writes to. A file is opened once: closing it twice would free the lock of the first. */
export class FolderLocks {
  readonly #open: OpenLock
  readonly #jitter: () => number
  readonly #opened = new Map<string, Opened>()

  constructor(open: OpenLock, jitter: () => number) {
    this.#open = open
    this.#jitter = jitter
  }

  /** Does something while nobody else writes into the folder. One at a time in this process, too: whoever calls sees to that. */
  async within<Out>(path: string, act: () => Promise<Out>): Promise<Out> {
    const lock = await this.#lock(path)
    const deadline = elapsed() + waitMsMax
    const [least, most] = waitMs
    while (!lock.take()) {
      if (elapsed() > deadline) throw new CairnRefusal(held(path))
      await sleep(least + this.#jitter() * (most - least))
    }
    try {
      return await act()
    } finally {
      lock.give()
    }
  }

  async #lock(path: string): Promise<FileLock> {
    const known = this.#opened.get(path)
    if (known !== undefined && known.ino === inoOf(path)) return known.lock
    this.#drop(path)
    const [oldest] = this.#opened.keys()
    if (this.#opened.size >= openMax && oldest !== undefined) this.#drop(oldest)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new CairnRefusal(isLink(path))
    const lock = await this.#open(path)
    this.#opened.set(path, { lock, ino: inoOf(path) ?? -1 })
    return lock
  }

  #drop(path: string): void {
    this.#opened.get(path)?.lock.close()
    this.#opened.delete(path)
  }

  close(): void {
    for (const path of [...this.#opened.keys()]) this.#drop(path)
  }
}

function inoOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function isLink(path: string) {
  return refuse('forbidden', `${path} is a link.`, 'Remove it: the lock is made anew.', { path })
}

function held(path: string) {
  const message = `Another process held ${path} for more than ${waitMsMax} ms.`
  return refuse('busy', message, 'Try again; if this persists, look for a hung process.', { path })
}
