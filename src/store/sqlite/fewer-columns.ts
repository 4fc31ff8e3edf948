import type { Refusal } from '../../domain/log/refusal.ts'
import type { Layout } from '../layout.ts'
import { tooOld } from '../migrations.ts'
import { type Asks, migrate } from './migrate.ts'

/** Columns of all tables. */
const countStatement = "SELECT SUM(ncol) AS columns FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"

/** SQLite's words for a table or a column that is not there. */
const lacking = /^no such (?:column|table): /

/**
 * The refusal of a store that failed so because it is from before the first format: it then has fewer columns than its format says.
 * Damage that SQLite can still read turns one name into another.
 */
export function refusedAsOld(
  error: unknown,
  path: string,
  db: Asks,
  layout: Layout,
  blank: () => Asks & { close(): void },
): Refusal | undefined {
  if (!(error instanceof Error) || !lacking.test(error.message)) return undefined
  const whole = blank()
  migrate(whole, layout, () => undefined)
  const isShort = columnsIn(db) < columnsIn(whole)
  whole.close()
  return isShort ? tooOld(path, error.message) : undefined
}

function columnsIn(db: Asks): number {
  const [{ columns }] = db.prepare(countStatement).all() as [{ columns: number }]
  return columns
}
