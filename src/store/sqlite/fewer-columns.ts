import type { Layout } from '../layout.ts'
import { migrate, type Runs } from './migrate.ts'

/** As much of a connection as is needed here. */
interface Asks extends Runs {
  prepare(text: string): { all(): unknown[] }
}

/** Columns of all tables. */
const countStatement = "SELECT SUM(ncol) AS columns FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"

/** SQLite's words for a table or a column that is not there. */
const lacking = /^no such (?:column|table): /

/**
 * Whether a store that failed so is from before the first format: it then has fewer columns than its format says. Damage that
 * SQLite can still read turns one name into another.
 */
export function isFromBefore(error: unknown, db: Asks, layout: Layout, blank: () => Asks & { close(): void }): boolean {
  if (!(error instanceof Error) || !lacking.test(error.message)) return false
  const whole = blank()
  migrate(
    whole,
    layout,
    () => 0,
    () => undefined,
  )
  const isShort = columnsIn(db) < columnsIn(whole)
  whole.close()
  return isShort
}

function columnsIn(db: Asks): number {
  const [{ columns }] = db.prepare(countStatement).all() as [{ columns: number }]
  return columns
}
