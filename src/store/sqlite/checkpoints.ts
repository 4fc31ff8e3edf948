import { CheckpointThread } from './checkpoint-thread.ts'
import type { SqliteRows } from './rows.ts'

/** A log of so many pages is put into the file and started over; how often it is measured, in commits of this connection. */
const pagesMax = 1000
const commitsBetweenLooks = 16

/** So many pages are copied at once: it takes no longer than a commit. */
const restMax = 200
/** So often the thread goes on before that is done whatever is left. */
const passesMax = 4

/** SQLite's own way is for processes that commit too seldom to look, such as single commands. */
export const checkpointSettings = `PRAGMA wal_autocheckpoint = ${16 * pagesMax}`

/**
 * Keeps the write-ahead log short. Left to itself SQLite copies it into the file after every commit above a length, and starts it
 * over only where all was copied when the next writer comes. Where several processes write, somebody always has added to it by
 * then: it grows for ever, and every commit pays for a copy. Here that is done seldom: most is copied while others write, and the rest
 * while nobody can, unless somebody has just begun to.
 */
export class SqliteCheckpoints {
  readonly #rows: SqliteRows
  readonly #thread: CheckpointThread | undefined
  #commits = 0
  /** How often the thread has copied since it was asked to, and what it has left. */
  #passes = 0
  #left = 0

  /** With `aside`, the file of a process that others are served by: most is copied on a thread, and they need not stand still. */
  constructor(rows: SqliteRows, aside: string | undefined) {
    this.#rows = rows
    this.#thread = aside === undefined ? undefined : new CheckpointThread(aside, () => this.#copied())
  }

  /** What was committed is safe whatever comes of this; a disk that fails is noticed by the next write. */
  committed(): void {
    this.#commits += 1
    if (this.#commits % commitsBetweenLooks !== 0) return
    try {
      if (this.#pages().log < pagesMax) return
      if (this.#thread !== undefined) this.#begin(this.#thread)
      else for (const how of ['PASSIVE', 'RESTART']) this.#rows.all(`PRAGMA wal_checkpoint(${how})`)
    } catch {
      // Tried again after some more commits.
    }
  }

  #begin(thread: CheckpointThread): void {
    if (thread.isCopying) return
    this.#passes = 0
    this.#left = Number.POSITIVE_INFINITY
    thread.copy()
  }

  /**
   * What came while the thread was copying is little, and is copied here so that the log is started over. Where it is much, the thread goes
   * on, unless somebody reads an old moment, before which nothing more can be copied.
   */
  #copied(): void {
    try {
      this.#passes += 1
      const { log, checkpointed } = this.#pages()
      const [left, before] = [log - checkpointed, this.#left]
      this.#left = left
      if (log < pagesMax) return
      if (left > restMax && left < before && this.#passes < passesMax) this.#thread?.copy()
      else if (left <= restMax || this.#passes === passesMax) this.#rows.all('PRAGMA wal_checkpoint(RESTART)')
    } catch {
      // Tried again after some more commits.
    }
  }

  /** Lets go of the file. */
  async end(): Promise<void> {
    await this.#thread?.end()
  }

  /** Puts all of the log into the file and empties it. False where others hold it. */
  empty(): boolean {
    const [log] = this.#rows.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
    return log?.busy === 0
  }

  #pages(): { log: number; checkpointed: number } {
    const [found] = this.#rows.all<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
    return found ?? { log: 0, checkpointed: 0 }
  }
}
