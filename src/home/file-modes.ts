import { chmodSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OwnFiles } from '../log/upkeep/doctor.ts'

const othersMay = 0o077
const ownerOnly = 0o700

/** Whether it is a file of the user of this process that nobody else may read or write. */
export function isOwnersAlone(found: Stats): boolean {
  return found.isFile() && found.uid === process.getuid?.() && (found.mode & othersMay) === 0
}

/** The files of a data folder and of its store: nobody but their owner may read or write them. */
export class FileModes implements OwnFiles {
  readonly #home: string
  readonly #store: string | undefined

  /** `store` is `sqlite:PATH`, or the address of a database elsewhere. */
  constructor(home: string, store: string) {
    this.#home = home
    this.#store = store.startsWith('sqlite:') ? store.slice('sqlite:'.length) : undefined
  }

  /** Those that others may use. */
  open(): string[] {
    const store = this.#store === undefined ? [] : ['', '-wal', '-shm'].map((rest) => this.#store + rest)
    const folders = this.#store === undefined ? [this.#home] : [this.#home, dirname(this.#store)]
    const files = filesIn(this.#home).map((name) => join(this.#home, name))
    return [...new Set([...folders, ...files, ...store])].filter((path) => (modeOf(path) & othersMay) !== 0)
  }

  /** Takes from others what they may do; says to which files. A folder that only the store is in may be there for others too. */
  close(): string[] {
    return this.open().filter((path) => {
      if (this.#store !== undefined && path === dirname(this.#store) && path !== this.#home) return false
      try {
        chmodSync(path, modeOf(path) & ownerOnly)
        return true
      } catch {
        // Somebody else's: it is still open, and told of as that.
        return false
      }
    })
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return 0
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  } catch {
    return []
  }
}
