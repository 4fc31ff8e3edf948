import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../clock.ts'

/** A folder whose time is younger than this may have been changed again within the same tick of the file system's clock. */
const settledMs = 100

const orNothing = { throwIfNoEntry: false } as const

/**
 * Whether the files of a store still bear their names: what is written to one that lost its name is gone when it is closed.
 * Asking for the times of a file makes its next write dearer (the system has to note a new one), so before each commit the
 * folder is asked, which no commit changes, and the files only when something happened in it.
 */
export class SqliteNames {
  readonly #path: string
  readonly #folder: string
  readonly #clock: Clock
  readonly #files: string
  #folderTime: number | undefined

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#folder = dirname(path)
    this.#clock = clock
    this.#files = filesOf(path)
  }

  hold(): boolean {
    const time = statSync(this.#folder, orNothing)?.mtimeMs
    if (time !== undefined && time === this.#folderTime) return true
    if (filesOf(this.#path) !== this.#files) return false
    if (time !== undefined && this.#clock.now() - time > settledMs) this.#folderTime = time
    return true
  }
}

function filesOf(path: string): string {
  const [file, log] = [path, `${path}-wal`].map((each) => statSync(each, orNothing))
  return `${file?.dev} ${file?.ino} ${log?.ino}`
}
