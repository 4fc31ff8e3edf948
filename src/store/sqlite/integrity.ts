/** As much of a connection as is needed here. */
interface Asks {
  prepare(text: string): { get(): unknown; all(): unknown[] }
}

/** Faults named at most; the file is to be restored anyway. */
const faultsMax = 5

/** By far most rows are in this table. */
const largest = 'state_versions'

/**
 * What is wrong with the pages, the rows as such and the indexes. SQLite's own check looks up each row in each index; for the
 * largest table that is random access to most of the file, and comparing the rows of each key by sums takes half as long.
 * That its index leads to the right rows is shown by the check of the views, which reads them through it.
 */
export function faultsOf(db: Asks): string[] {
  const found = saidBy(db, 'quick_check', String(faultsMax))
  if (found.length > 0) return found
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]
  const others = tables
    .filter(({ name }) => name !== largest)
    .flatMap(({ name }) => saidBy(db, 'integrity_check', name))
  return [...others, ...unlikeIndex(db)].slice(0, faultsMax)
}

function saidBy(db: Asks, check: 'quick_check' | 'integrity_check', about: string): string[] {
  const lines = db.prepare(`PRAGMA ${check}(${about})`).all() as Record<string, string>[]
  return lines.map((line) => line[check] ?? '').filter((line) => line !== 'ok')
}

/** Keys of which the table has other rows than its index. */
function unlikeIndex(db: Asks): string[] {
  const rows = (how: string) =>
    `SELECT root, key, count(*), sum(seq), sum(rowid) FROM ${largest} ${how} GROUP BY root, key`
  const text = `${rows('NOT INDEXED')} EXCEPT ${rows('')} LIMIT ${faultsMax}`
  const unlike = db.prepare(text).all() as { root: string; key: string }[]
  return unlike.map(({ root, key }) => `${largest} ${key} of ${root} has other rows than the index`)
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
      return saidBy(this.#db, 'quick_check', '1').length === 0
    } catch {
      return false
    }
  }
}
