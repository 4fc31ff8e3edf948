import type { Load, Parameter, Stretch } from '../domain/log/questions.ts'
import type { Range } from '../domain/log/rows.ts'
import { bytesText, columnsAs, columnsOf, past, type Text, textFor } from '../domain/log/sql/text.ts'
import type { AnyTable } from '../domain/log/tables.ts'

/** A statement with its parameters. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** Columns of its answer that are bytes in memory too; all other bytes are hex digits there. */
  readonly bytes?: readonly string[] | undefined
}

const bytesColumns = new Map<AnyTable, readonly string[] | undefined>()

/** The columns of a table that are bytes in memory; undefined, as of nearly all tables, where there are none. */
export function bytesIn(table: AnyTable): readonly string[] | undefined {
  if (!bytesColumns.has(table)) {
    const columns = Object.keys(table.columns).filter((column) => table.columns[column] === 'bytes')
    bytesColumns.set(table, columns.length === 0 ? undefined : columns)
  }
  return bytesColumns.get(table)
}

/** How something is asked of the store. */
export function statementOf(load: Load): Statement {
  if ('ask' in load) return { text: textFor(load.ask.text, load.with), parameters: load.with }
  if ('key' in load) {
    return { text: textFor(selectRow(load.table), load.key), parameters: load.key, bytes: bytesIn(load.table) }
  }
  if ('orphansOf' in load) return { text: orphansIn(load.orphansOf), parameters: [] }
  if ('placesIn' in load) return { text: placesInIndex(load.placesIn), parameters: [load.root] }
  if ('bytesIn' in load) return bytesInTable(load.bytesIn, load.within)
  return rangeOf(load.table, load.root, load.range)
}

const texts = new Map<AnyTable, Map<string, Text>>()

/** A text for a table is made once. */
function made(table: AnyTable, name: string, make: () => Text): Text {
  let known = texts.get(table)
  if (known === undefined) {
    known = new Map()
    texts.set(table, known)
  }
  const text = known.get(name) ?? make()
  known.set(name, text)
  return text
}

/** The whole key of a table's rows. */
function keyColumns(table: AnyTable): string[] {
  return table.ofRoot ? ['root', ...table.key] : [...table.key]
}

/** A row by its whole key; where a fork shares rows, those of all that it came from are its own. */
function selectRow(table: AnyTable): Text {
  return made(table, 'row', () => {
    const where = keyColumns(table).map((column, at) => `${column} = $${at + 1}`)
    if (!table.shared) return `SELECT ${columnsOf(table)} FROM ${table.name} WHERE ${where.join(' AND ')}`
    const rest = table.key.map((column, at) => `v.${column} = $${at + 2}`)
    return past(
      table.name,
      (p) => `SELECT ${columnsAs(p.root, table)} FROM ${p.from} WHERE ${[p.where(), ...rest].join(' AND ')}`,
    )
  })
}

function rangeOf(table: AnyTable, root: number, { column, from, to, most }: Range): Statement {
  const bounds = { from, to, most }
  const given = Object.entries(bounds).filter(([, value]) => value !== undefined)
  const name = [column, ...given.map(([bound]) => bound)].join()
  const text = made(table, name, () => selectRange(table, column, bounds))
  const parameters = [root, ...given.map(([, value]) => value as Parameter)]
  return { text: textFor(text, parameters), parameters, bytes: bytesIn(table) }
}

type Bounds = { readonly [Bound in 'from' | 'to' | 'most']: Range[Bound] | undefined }

/** Rows of a root, by a range of a column. */
function selectRange(table: AnyTable, column: string | undefined, { from, to, most }: Bounds): Text {
  let used = 1
  const next = () => `$${++used}`
  const [start, end] = [from === undefined ? undefined : next(), to === undefined ? undefined : next()]
  const order = (
    column === undefined ? table.key : [column, ...table.key.filter((each) => each !== column)]
  ) as string[]
  const by = order.length === 0 ? '' : ` ORDER BY ${order.map((each) => `v.${each}`).join(', ')}`
  const limit = most === undefined ? '' : ` LIMIT CAST(${next()} AS BIGINT)`
  const select = (root: string, source: string, where: readonly string[]) =>
    `SELECT ${columnsAs(root, table)} FROM ${source} WHERE ${where.join(' AND ')}${by}${limit}`
  const bounds = [...(start ? [`v.${column} >= ${start}`] : []), ...(end ? [`v.${column} < ${end}`] : [])]
  if (!table.shared) return select('v.root', `${table.name} v`, ['v.root = $1', ...bounds])
  if (column !== 'seq') return past(table.name, (p) => select(p.root, p.from, [p.where(), ...bounds]))
  const stretch = { after: start && `CAST(${start} AS BIGINT) - 1`, upto: end && `CAST(${end} AS BIGINT) - 1` }
  return past(table.name, (p) => select(p.root, p.from, [p.where(stretch)]))
}

/** A page of a table after a key, in the order of keys; the first page comes after nothing. */
export function selectPage(table: AnyTable, first: boolean): string {
  const keys = keyColumns(table)
  const after = keys.map((_, at) => `$${at + 2}`)
  const where = first ? '' : ` WHERE (${keys.join(', ')}) > (${after.join(', ')})`
  return `SELECT ${columnsOf(table)} FROM ${table.name}${where} ORDER BY ${keys.join(', ')} LIMIT CAST($1 AS BIGINT)`
}

/** The whole key of a row. */
export function keyOf(table: AnyTable, row: object): Parameter[] {
  return keyColumns(table).map((column) => (row as Record<string, Parameter>)[column] as Parameter)
}

/** Writes rows that come from `source` (a VALUES list or a SELECT). */
export function writeRows(table: AnyTable, source: string): string {
  const columns = Object.keys(table.columns)
  const insert = `INSERT INTO ${table.name} (${columns.join(', ')}) ${source}`
  if (table.appendOnly) return insert
  const keys = keyColumns(table)
  const changed = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`)
  const resolve = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.join(', ')}`
  return `${insert} ON CONFLICT (${keys.join(', ')}) DO ${resolve}`
}

/** One row by its whole key. */
export function removeRow(table: AnyTable): string {
  const where = keyColumns(table).map((column, at) => `${column} = $${at + 1}`)
  return `DELETE FROM ${table.name} WHERE ${where.join(' AND ')}`
}

/** All rows of a root in a table; where the table belongs to no root, those that name it. */
export function clearRows(table: AnyTable): string {
  return `DELETE FROM ${table.name} WHERE root = $1`
}

/** Gives another root ($2) the rows of a root ($1) after an event ($3) and up to another ($4). */
export function copyRows(table: AnyTable): string {
  const columns = Object.keys(table.columns).filter((column) => column !== 'root')
  return `INSERT INTO ${table.name} (root, ${columns.join(', ')}) SELECT CAST($2 AS BIGINT), ${columns.join(', ')}
    FROM ${table.name} WHERE root = $1 AND seq > $3 AND seq <= $4`
}

/** Takes out the rows of a root ($1) after an event ($2). */
export function cutRows(table: AnyTable): string {
  return `DELETE FROM ${table.name} WHERE root = $1 AND seq > $2`
}

/** Puts rows of a table ($1 root, after $2 and up to $3) into the one that finds them by other columns, in its order. */
export function fillIndex(table: AnyTable): string {
  const index = table.indexedBy as AnyTable
  const columns = columnsOf(index)
  const order = index.key.join(', ')
  return `INSERT INTO ${index.name} (${columns}) SELECT ${columns} FROM ${table.name}
    WHERE root = $1 AND seq > $2 AND seq <= $3 ORDER BY ${order}`
}

/** Takes a number of numbers ($2) of a kind ($1) that nobody else will take; answers with the last of them. */
export const drawNumbers = `INSERT INTO counters (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value RETURNING value`

/** What rows count against the disk space of their roots. */
function bytesInTable(table: AnyTable, within: Stretch | undefined): Statement {
  const sum = `SELECT root, CAST(sum(${bytesText(table, '')}) AS BIGINT) AS bytes FROM ${table.name}`
  if (within === undefined) return { text: `${sum} GROUP BY root`, parameters: [] }
  const { root, after, upto } = within
  return { text: `${sum} WHERE root = $1 AND seq > $2 AND seq <= $3 GROUP BY root`, parameters: [root, after, upto] }
}

/** How many places an index has of each value of its column, and the sum of those. */
function placesInIndex({ name, key: [column] }: AnyTable): string {
  return `SELECT ${column} AS value, count(*) AS count, CAST(sum(seq) AS BIGINT) AS sum FROM ${name} WHERE root = $1 GROUP BY ${column}`
}

/** Rows whose root has no head. */
function orphansIn(table: AnyTable): string {
  return `SELECT DISTINCT v.root FROM ${table.name} v WHERE v.root IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM roots r WHERE r.root = v.root)`
}

/** What upkeep does to rows without an event. Whoever does it holds the root and moves its generation. */
export const deeds = {
  remove_body: 'UPDATE events SET data = NULL, digest = $3 WHERE root = $1 AND seq = $2 AND data IS NOT NULL',
  forget_requests_before: 'DELETE FROM requests WHERE at < $1',
  blank_answer: 'UPDATE requests SET answer = $3 WHERE caller = $1 AND id = $2',
  leave_project: 'UPDATE projects SET session = NULL WHERE session IN (SELECT id FROM sessions WHERE root = $1)',
  // A session that stands below another root than the one whose log made it.
  outdate_holder:
    'UPDATE roots SET generation = generation + 1 WHERE root IN (SELECT root FROM sessions WHERE id = $1 AND root <> $2)',
  expel_session: 'DELETE FROM sessions WHERE id = $1 AND root <> $2',
  revoke_token: 'DELETE FROM tokens WHERE id = $1',
  // Whoever asks may be late: what a blob names stays.
  drop_content:
    'DELETE FROM blob_chunks WHERE content = $1 AND NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.content = $1)',
} as const

export type Deed = keyof typeof deeds
