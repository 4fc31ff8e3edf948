import { type AnyTable, rowOverhead } from '../tables.ts'

/**
 * The one SQL text for both engines: parameters are `$1`, `$2` …, and nothing in it belongs to one dialect. What asks about the past
 * of a root has `$1` for the root, and two texts: a fork's past is in the rows of those it came from, as `segments` says.
 */
export type Text = string | { readonly plain: string; readonly forked: string }

/** The text for these parameters. The number of a fork is negative: no other root pays for there being forks. */
export function textFor(text: Text, parameters: readonly unknown[]): string {
  if (typeof text === 'string') return text
  return Number(parameters[0]) < 0 ? text.forked : text.plain
}

export function columnsOf(table: AnyTable, alias = ''): string {
  return Object.keys(table.columns)
    .map((column) => alias + column)
    .join(', ')
}

/** Rows of a fork's past are shown as its own. */
export function columnsAs(root: string, table: AnyTable, alias = 'v.'): string {
  const rest = Object.keys(table.columns).filter((column) => column !== 'root')
  return [`${root} AS root`, ...rest.map((column) => alias + column)].join(', ')
}

/** What a row counts against the disk space of its root, as `diskBytesOf` has it. */
export function bytesText({ counted = [], columns }: AnyTable, alias = 'v.'): string {
  const each = (counted as readonly string[]).map((column) =>
    columns[column] === 'integer' ? alias + column : `coalesce(octet_length(${alias}${column}), 0)`,
  )
  return [rowOverhead, ...each].join(' + ')
}

/** SQLite reads a bare parameter here to plan by it, and so plans anew at every call; it does not look through a cast. */
export function atMost(parameter: number): string {
  return `LIMIT CAST($${parameter} AS BIGINT)`
}

/** Where rows of the past are read, and what the root that was asked for is called there. */
export interface Past {
  /** The tables to read from; `v` has the rows. */
  readonly from: string
  /** The condition that they are of the root, and within a stretch of its log where one is meant. */
  readonly where: (stretch?: Stretch) => string
  readonly root: string
  readonly isForked: boolean
}

export interface Stretch {
  readonly after?: string | undefined
  readonly upto?: string | undefined
}

/** A text about rows `v` of a table in log order. The loop over the few segments is the outer one. */
export function past(table: string, build: (past: Past) => string): Text {
  return {
    plain: build({ from: `${table} v`, where: ofPlain, root: 'v.root', isForked: false }),
    forked: build({ from: `segments g CROSS JOIN ${table} v`, where: ofFork, root: 'g.root', isForked: true }),
  }
}

function ofPlain({ after, upto }: Stretch = {}): string {
  return ['v.root = $1', after && `v.seq > ${after}`, upto && `v.seq <= ${upto}`].filter(Boolean).join(' AND ')
}

/** Each end is said once: of two conditions SQLite takes the first to search by, and looks through a whole segment for the other. */
function ofFork({ after, upto }: Stretch = {}): string {
  const start = after === undefined ? 'g.after' : `CASE WHEN g.after > ${after} THEN g.after ELSE ${after} END`
  const end = upto === undefined ? 'g.upto' : `CASE WHEN g.upto < ${upto} THEN g.upto ELSE ${upto} END`
  return `g.root = $1 AND v.root = g.source AND v.seq > ${start} AND v.seq <= ${end}`
}

/** The session that a row names, of the root that was asked for. */
export function joinSession(root: string, no: string): string {
  return `LEFT JOIN sessions s ON s.root = ${root} AND s.no = ${no}`
}

/**
 * The last place up to which a condition on `w.seq + w.step` holds, found by halving: `$2` is a power of two above the last
 * place of the log.
 */
export function lastPlace(condition: string): string {
  return `WITH RECURSIVE walk (seq, step) AS (
      SELECT CAST(0 AS BIGINT), CAST($2 AS BIGINT)
      UNION ALL
      SELECT CASE WHEN ${condition} THEN w.seq + w.step ELSE w.seq END, w.step / 2 FROM walk w WHERE w.step > 0)
    SELECT seq FROM walk WHERE step = 0`
}
