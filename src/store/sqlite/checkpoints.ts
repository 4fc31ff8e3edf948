import type { SqliteRows } from './rows.ts'

/** A log of so many pages is put into the file and started over; how often it is measured, in commits of this connection. */
const pagesMax = 1000
const commitsBetweenLooks = 16

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
  #commits = 0

  constructor(rows: SqliteRows) {
    this.#rows = rows
  }

  /** What was committed is safe whatever comes of this; a disk that fails is noticed by the next write. */
  committed(): void {
    this.#commits += 1
    if (this.#commits % commitsBetweenLooks !== 0) return
    try {
      if (this.#pages() < pagesMax) return
      for (const how of ['PASSIVE', 'RESTART']) this.#rows.all(`PRAGMA wal_checkpoint(${how})`)
    } catch {
      // Tried again after some more commits.
    }
  }

  /** Puts all of the log into the file and empties it. False where others hold it. */
  empty(): boolean {
    const [log] = this.#rows.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
    return log?.busy === 0
  }

  #pages(): number {
    const [found] = this.#rows.all<{ log: number }>('PRAGMA wal_checkpoint(NOOP)')
    return found?.log ?? 0
  }
}
