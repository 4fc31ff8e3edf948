/** As much of a connection as is needed here. */
interface Asks {
  prepare(text: string): { get(): unknown; all(): unknown[] }
}

/** Faults named at most; the file is to be restored anyway. */
const faultsMax = 5

/** Asks what is wrong with the pages, the rows as such and the indexes. */
export const faultsStatement = `PRAGMA integrity_check(${faultsMax})`

/** What it was answered, or is. */
export function faultsOf(
  db: Asks,
  answered: readonly object[] = db.prepare(faultsStatement).all() as object[],
): string[] {
  return linesOf(answered, 'integrity_check')
}

function linesOf(answered: readonly object[], check: string): string[] {
  return (answered as Record<string, string>[]).map((line) => line[check] ?? '').filter((line) => line !== 'ok')
}

/** For so long a file that was found to be in order is not looked through again. */
const wholeForMs = 60_000

/** Says whether the file is in order: not as thorough as `faultsOf`, and several times as fast. */
export class Wholeness {
  readonly #db: Asks
  readonly #now: () => number
  /** When it was last found to be. */
  #at = Number.NEGATIVE_INFINITY

  constructor(db: Asks, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** A bug that shows again and again must not cost a look at the whole file each time. */
  holds(): boolean {
    const now = this.#now()
    if (Math.abs(now - this.#at) < wholeForMs) return true
    if (!this.#isWhole()) return false
    this.#at = now
    return true
  }

  #isWhole(): boolean {
    try {
      return linesOf(this.#db.prepare('PRAGMA quick_check(1)').all() as object[], 'quick_check').length === 0
    } catch {
      return false
    }
  }
}
