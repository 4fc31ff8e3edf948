import type { Parameter, Questions } from '../domain/questions.ts'
import {
  events,
  leases,
  projects,
  requests,
  roots,
  sessionNames,
  sessions,
  stateKeys,
  stateVersions,
  streams,
  type Table,
} from '../domain/tables.ts'

/** The one SQL text, for both engines: parameters are `$1`, `$2` …, and nothing in it belongs to one dialect. */

function columnsOf<Row extends object>(table: Table<Row>, alias = ''): string {
  return Object.keys(table.columns)
    .map((column) => alias + column)
    .join(', ')
}

const ofRoot = ['events', 'streams', 'sessions', 'session_names', 'state_keys', 'state_versions', 'leases']
const session = columnsOf(sessions)
const unfinished = `status NOT IN ('completed', 'failed', 'cancelled', 'skipped')`
const byName = 'LEFT JOIN sessions s ON s.root = v.root AND s.no = v'

export const statements: Readonly<Record<keyof Questions, string>> = {
  session_by_id: `SELECT ${session} FROM sessions WHERE id = $1`,
  sessions_by_slug: `SELECT ${session} FROM sessions WHERE slug = $1 LIMIT 11`,
  sessions_by_name: `SELECT ${columnsOf(sessions, 's.')} FROM session_names n
    JOIN sessions s ON s.root = n.root AND s.no = n.no WHERE n.folded = $1 LIMIT 11`,
  sessions_by_edge: `SELECT ${session} FROM sessions
    WHERE substr(id, 1, $2) = $1 OR substr(id, 6, $2) = $1 OR substr(id, length(id) - $2 + 1) = $1 ORDER BY id LIMIT 11`,
  unfinished_roots: `SELECT ${session} FROM sessions WHERE no = 0 AND project = $1 AND ${unfinished} ORDER BY id DESC LIMIT 11`,
  roots_newest_first: `SELECT ${session} FROM sessions
    WHERE no = 0 AND id < $1 AND (CAST($2 AS TEXT) IS NULL OR project = $2) AND ($3 = 1 OR ${unfinished})
    ORDER BY id DESC LIMIT $4`,
  sessions_of_root: `SELECT ${session} FROM sessions WHERE root = $1 ORDER BY no`,
  project: `SELECT ${columnsOf(projects)} FROM projects WHERE dir = $1`,
  head: `SELECT ${columnsOf(roots)} FROM roots WHERE root = $1`,
  stream: `SELECT ${columnsOf(streams)} FROM streams WHERE root = $1 AND stream = $2`,
  streams_of_root: `SELECT ${columnsOf(streams)} FROM streams WHERE root = $1`,
  names_of_root: `SELECT ${columnsOf(sessionNames)} FROM session_names WHERE root = $1`,
  leases_of_root: `SELECT ${columnsOf(leases)} FROM leases WHERE root = $1 ORDER BY name`,
  keys_of_root: `SELECT ${columnsOf(stateKeys)} FROM state_keys WHERE root = $1 ORDER BY key`,
  versions_of_root: `SELECT ${columnsOf(stateVersions)} FROM state_versions
    WHERE root = $1 AND (key, seq) > ($2, $3) ORDER BY key, seq LIMIT $4`,
  versions_of_key: `SELECT ${columnsOf(stateVersions)} FROM state_versions
    WHERE root = $1 AND key = $2 AND seq <= $3 ORDER BY seq`,
  version_links: 'SELECT seq, prior FROM state_versions WHERE root = $1 AND key = $2 ORDER BY seq',
  log_since: `SELECT ${columnsOf(events)} FROM events WHERE root = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
  log_of_stream: `SELECT ${columnsOf(events)} FROM events
    WHERE root = $1 AND stream = $2 AND version > $3 AND seq <= $4 ORDER BY version LIMIT $5`,
  // Events that set one key, and those that carry a whole document.
  log_with_key: `SELECT ${columnsOf(events)} FROM events
    WHERE root = $1 AND data IS NOT NULL AND (key = $2 OR type IN ('init', 'full_replace', 'session_created'))`,
  first_after: 'SELECT seq FROM events WHERE root = $1 AND at > $2 ORDER BY seq LIMIT 1',
  requests_before: 'SELECT count(*) AS count FROM requests WHERE at < $1',
  requests_of_root: `SELECT ${columnsOf(requests)} FROM requests WHERE root = $1`,
  orphans: ofRoot
    .map((name) => `SELECT DISTINCT '${name}' AS name, root FROM ${name} WHERE root NOT IN (SELECT root FROM roots)`)
    .join(' UNION ALL '),
  all_roots: `SELECT ${columnsOf(roots)} FROM roots ORDER BY root`,
  key_now: `SELECT ${columnsOf(stateKeys, 'v.')}, s.id AS by FROM state_keys v ${byName}.updated_by
    WHERE v.root = $1 AND v.key = $2 AND v.type <> 'gone'`,
  keys_now: `SELECT ${columnsOf(stateKeys, 'v.')}, s.id AS by FROM state_keys v ${byName}.updated_by
    WHERE v.root = $1 AND v.key >= $2 AND v.key < $3 AND v.type <> 'gone' ORDER BY v.key`,
  key_at: `SELECT ${columnsOf(stateVersions, 'v.')}, s.id AS by FROM state_versions v ${byName}.session_no
    WHERE v.root = $1 AND v.key = $2 AND v.seq <= $3 ORDER BY v.seq DESC LIMIT 1`,
  keys_at: `SELECT ${columnsOf(stateVersions, 'v.')}, s.id AS by FROM state_keys k
    JOIN state_versions v ON v.root = k.root AND v.key = k.key AND v.seq = (
      SELECT max(o.seq) FROM state_versions o WHERE o.root = $1 AND o.key = k.key AND o.seq <= $4)
    ${byName}.session_no
    WHERE k.root = $1 AND k.key >= $2 AND k.key < $3 ORDER BY k.key`,
  // Joined to the row before and not to the parameters: else SQLite would look at all versions of the key at each step.
  chain: `WITH RECURSIVE walk AS (
      SELECT ${columnsOf(stateVersions)} FROM state_versions WHERE root = $1 AND key = $2 AND seq = $3
      UNION ALL
      SELECT ${columnsOf(stateVersions, 'v.')} FROM walk w JOIN state_versions v
        ON v.root = w.root AND v.key = w.key AND v.seq = w.prior WHERE v.version > $4)
    SELECT ${columnsOf(stateVersions)} FROM walk`,
  events_since: `SELECT ${columnsOf(events, 'v.')}, s.id AS by FROM events v ${byName}.session_no
    WHERE v.root = $1 AND v.seq > $2 ORDER BY v.seq LIMIT $3`,
  events_of_stream: `SELECT ${columnsOf(events, 'v.')}, s.id AS by FROM events v ${byName}.session_no
    WHERE v.root = $1 AND v.stream = $2 AND v.version > $3 AND v.seq > $4 ORDER BY v.version LIMIT $5`,
  events_of_version: `SELECT ${columnsOf(events, 'v.')}, s.id AS by FROM events v ${byName}.session_no
    WHERE v.root = $1 AND v.stream = $2 AND v.version = $3`,
  // Down the log, not down the stream: the newest event of a stream before N is rarely far from N.
  stream_at: `SELECT seq, version, at FROM events WHERE root = $1 AND stream || '' = $2 AND seq <= $3 ORDER BY seq DESC LIMIT 1`,
}

/** What upkeep does to rows without an event. Whoever does it holds the root and moves its generation. */
export const deeds = {
  remove_body: 'UPDATE events SET data = NULL, digest = $3 WHERE root = $1 AND seq = $2 AND data IS NOT NULL',
  remove_version: 'DELETE FROM state_versions WHERE root = $1 AND key = $2 AND seq = $3',
  forget_requests_before: 'DELETE FROM requests WHERE at < $1',
  blank_answer: 'UPDATE requests SET answer = $3 WHERE caller = $1 AND id = $2',
  leave_project: 'UPDATE projects SET session = NULL WHERE session IN (SELECT id FROM sessions WHERE root = $1)',
  remove_events: 'DELETE FROM events WHERE root = $1',
  remove_head: 'DELETE FROM roots WHERE root = $1',
  remove_streams: 'DELETE FROM streams WHERE root = $1',
  remove_sessions: 'DELETE FROM sessions WHERE root = $1',
  remove_names: 'DELETE FROM session_names WHERE root = $1',
  remove_keys: 'DELETE FROM state_keys WHERE root = $1',
  remove_versions: 'DELETE FROM state_versions WHERE root = $1',
  remove_leases: 'DELETE FROM leases WHERE root = $1',
  remove_requests: 'DELETE FROM requests WHERE root = $1',
} as const

export type Deed = keyof typeof deeds

/** The whole key of a table's rows. */
function keyColumns(table: Table<never>): string[] {
  return table.ofRoot ? ['root', ...table.key] : [...table.key]
}

/** A page of a table after a key, in the order of keys; the first page comes after nothing. */
export function selectPage(table: Table<never>, first: boolean): string {
  const keys = keyColumns(table)
  const after = keys.map((_, at) => `$${at + 2}`)
  const where = first ? '' : ` WHERE (${keys.join(', ')}) > (${after.join(', ')})`
  return `SELECT ${columnsOf(table)} FROM ${table.name}${where} ORDER BY ${keys.join(', ')} LIMIT $1`
}

/** The whole key of a row. */
export function keyOf(table: Table<never>, row: object): Parameter[] {
  return keyColumns(table).map((column) => (row as Record<string, Parameter>)[column] as Parameter)
}

export function selectRow(table: Table<never>): string {
  const where = keyColumns(table).map((column, at) => `${column} = $${at + 1}`)
  return `SELECT ${columnsOf(table)} FROM ${table.name} WHERE ${where.join(' AND ')}`
}

/** Writes rows that come from `source` (a VALUES list or a SELECT). */
export function writeRows(table: Table<never>, source: string): string {
  const columns = Object.keys(table.columns)
  const insert = `INSERT INTO ${table.name} (${columns.join(', ')}) ${source}`
  if (table.appendOnly) return insert
  const keys = keyColumns(table)
  const changed = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`)
  return `${insert} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changed.join(', ')}`
}
