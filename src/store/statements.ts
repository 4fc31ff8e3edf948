import { stateStream } from '../domain/log/event.ts'
import type { Parameter, Questions } from '../domain/log/questions.ts'
import {
  events,
  leases,
  projects,
  requests,
  roots,
  sessionNames,
  sessions,
  stateKeys,
  stateLapses,
  stateSchemas,
  stateVersions,
  streams,
  type Table,
  tokens,
  type VersionRow,
} from '../domain/log/tables.ts'

/** The one SQL text, for both engines: parameters are `$1`, `$2` …, and nothing in it belongs to one dialect. */

function columnsOf<Row extends object>(table: Table<Row>, alias = ''): string {
  return Object.keys(table.columns)
    .map((column) => alias + column)
    .join(', ')
}

const ofRoot = [
  'events',
  'streams',
  'sessions',
  'session_names',
  'state_keys',
  'state_versions',
  'state_lapses',
  'state_schemas',
  'leases',
  'tokens',
]
const session = columnsOf(sessions)
const labelColumns: readonly (keyof VersionRow)[] = ['version', 'kind', 'prior', 'at', 'session_no']
const unfinished = `status NOT IN ('completed', 'failed', 'cancelled', 'skipped')`
/** Of the value alone: the bytes of a conflict-free one count what it keeps inside. */
const shownBytes = `k.bytes - CASE WHEN substr(k.traits, 1, 8) = '{"crdt":' THEN octet_length(k.traits) ELSE 0 END`
const byName = 'LEFT JOIN sessions s ON s.root = v.root AND s.no = v'
const token = `SELECT ${columnsOf(tokens, 'v.')}, s.id AS session FROM tokens v ${byName}.session_no`

/** SQLite reads a bare parameter here to plan by it, and so plans anew at every call; it does not look through a cast. */
function atMost(parameter: number): string {
  return `LIMIT CAST($${parameter} AS BIGINT)`
}

/**
 * The last place up to which a condition on `w.seq + w.step` holds, found by halving: `$2` is a power of two above the last
 * place of the log.
 */
function lastPlace(condition: string): string {
  return `WITH RECURSIVE walk (seq, step) AS (
      SELECT CAST(0 AS BIGINT), CAST($2 AS BIGINT)
      UNION ALL
      SELECT CASE WHEN ${condition} THEN w.seq + w.step ELSE w.seq END, w.step / 2 FROM walk w WHERE w.step > 0)
    SELECT seq FROM walk WHERE step = 0`
}

/** Versions of a key, newest first. The floor, and when the key expires, come along: a page is then one question. */
function versionsMade(hasData: string): string {
  return `SELECT v.seq, v.version, v.kind, v.prior, v.at, e.type, e.actor, e.request, e.cause,
      CASE WHEN octet_length(v.body) <= $5 THEN v.body END AS body,
      CASE WHEN ${hasData} THEN e.data END AS data, s.id AS by, s.name AS by_name,
      (SELECT floor FROM streams WHERE root = $1 AND stream = '${stateStream}') AS floor,
      (SELECT expires_at FROM state_lapses WHERE root = $1 AND key = $2) AS expires_at
    FROM state_versions v JOIN events e ON e.root = v.root AND e.seq = v.seq ${byName}.session_no
    WHERE v.root = $1 AND v.key = $2 AND v.seq <= $3 ORDER BY v.seq DESC ${atMost(4)}`
}

export const statements: Readonly<Record<keyof Questions, string>> = {
  session_by_id: `SELECT ${session} FROM sessions WHERE id = $1`,
  sessions_by_slug: `SELECT ${session} FROM sessions WHERE slug = $1 LIMIT 11`,
  sessions_by_name: `SELECT ${columnsOf(sessions, 's.')} FROM session_names n
    JOIN sessions s ON s.root = n.root AND s.no = n.no WHERE n.folded = $1 LIMIT 11`,
  session_named: `SELECT ${columnsOf(sessions, 's.')} FROM session_names n
    JOIN sessions s ON s.root = n.root AND s.no = n.no WHERE n.root = $1 AND n.folded = $2`,
  sessions_by_edge: `SELECT ${session} FROM sessions
    WHERE substr(id, 1, $2) = $1 OR substr(id, 6, $2) = $1 OR substr(id, length(id) - $2 + 1) = $1 ORDER BY id LIMIT 11`,
  unfinished_roots: `SELECT ${session} FROM sessions WHERE no = 0 AND project = $1 AND ${unfinished} ORDER BY id DESC LIMIT 11`,
  roots_newest_first: `SELECT ${session} FROM sessions
    WHERE no = 0 AND id < $1 AND (CAST($2 AS TEXT) IS NULL OR project = $2) AND ($3 = 1 OR ${unfinished})
    ORDER BY id DESC ${atMost(4)}`,
  sessions_of_root: `SELECT ${session} FROM sessions WHERE root = $1 ORDER BY no`,
  sessions_above: `WITH RECURSIVE walk (parent_no) AS (
      SELECT parent_no FROM sessions WHERE root = $1 AND no = $2
      UNION ALL
      SELECT s.parent_no FROM walk w JOIN sessions s ON s.root = $1 AND s.no = w.parent_no)
    SELECT parent_no AS no FROM walk WHERE parent_no IS NOT NULL`,
  project: `SELECT ${columnsOf(projects)} FROM projects WHERE dir = $1`,
  token_by_id: `${token} WHERE v.id = $1`,
  tokens_meant: `${token} WHERE v.id = $1 OR v.name = $1 OR substr(v.id, length(v.id) - $2 + 1) = $1 ORDER BY v.id LIMIT 11`,
  tokens_newest_first: `${token} WHERE v.id < $1 ORDER BY v.id DESC ${atMost(2)}`,
  tokens_of_root: 'SELECT id FROM tokens WHERE root = $1',
  head: `SELECT ${columnsOf(roots)} FROM roots WHERE root = $1`,
  stream: `SELECT ${columnsOf(streams)} FROM streams WHERE root = $1 AND stream = $2`,
  streams_of_root: `SELECT ${columnsOf(streams)} FROM streams WHERE root = $1`,
  names_of_root: `SELECT ${columnsOf(sessionNames)} FROM session_names WHERE root = $1`,
  leases_of_root: `SELECT ${columnsOf(leases)} FROM leases WHERE root = $1 ORDER BY name`,
  schemas_of_root: `SELECT ${columnsOf(stateSchemas)} FROM state_schemas WHERE root = $1 ORDER BY target, prefix`,
  schemas_shown: `SELECT ${columnsOf(stateSchemas, 'v.')}, s.id AS by FROM state_schemas v ${byName}.updated_by
    WHERE v.root = $1 AND v.schema IS NOT NULL ORDER BY v.target, v.prefix`,
  keys_from: `SELECT ${columnsOf(stateKeys)} FROM state_keys WHERE root = $1 AND key >= $2 AND key < $3 ORDER BY key`,
  key_names: `SELECT key FROM state_keys
    WHERE root = $1 AND key >= $2 AND key < $3 AND type <> 'gone' ORDER BY key ${atMost(4)}`,
  keys_of_root: `SELECT ${columnsOf(stateKeys)} FROM state_keys WHERE root = $1 ORDER BY key`,
  lapses_of_root: `SELECT ${columnsOf(stateLapses)} FROM state_lapses
    WHERE root = $1 AND (owner IS NOT NULL OR expires_at IS NOT NULL)`,
  lapses_owned: `SELECT ${columnsOf(stateLapses)} FROM state_lapses WHERE root = $1 AND owner = $2`,
  lapses_due: `SELECT ${columnsOf(stateLapses)} FROM state_lapses
    WHERE root = $1 AND expires_at <= $2 ORDER BY expires_at LIMIT 500`,
  lapsed_count: 'SELECT count(*) AS count FROM state_lapses WHERE root = $1 AND expires_at <= $2',
  roots_with_due: 'SELECT DISTINCT root FROM state_lapses WHERE expires_at <= $1',
  versions_of_root: `SELECT ${columnsOf(stateVersions)} FROM state_versions
    WHERE root = $1 AND (key, seq) > ($2, $3) ORDER BY key, seq ${atMost(4)}`,
  // What makes up a version besides its key, place and body, as one text: reading it costs half of what the columns cost.
  version_labels: `SELECT key, seq, ${labelColumns.join(` || ' ' || `)} || ' ' || coalesce(traits, '') AS label, body
    FROM state_versions WHERE root = $1 AND (key, seq) > ($2, $3) ORDER BY key, seq ${atMost(4)}`,
  versions_of_key: `SELECT ${columnsOf(stateVersions)} FROM state_versions
    WHERE root = $1 AND key = $2 AND seq <= $3 ORDER BY seq`,
  version_links: 'SELECT seq, prior FROM state_versions WHERE root = $1 AND key = $2 ORDER BY seq',
  log_since: `SELECT ${columnsOf(events)} FROM events WHERE root = $1 AND seq > $2 ORDER BY seq ${atMost(3)}`,
  log_of_stream: `SELECT ${columnsOf(events)} FROM events
    WHERE root = $1 AND stream = $2 AND version > $3 AND seq <= $4 ORDER BY version ${atMost(5)}`,
  // Events that set one key, and those that carry a whole document.
  log_with_key: `SELECT ${columnsOf(events)} FROM events
    WHERE root = $1 AND data IS NOT NULL AND (key = $2 OR type IN ('init', 'full_replace', 'session_created'))`,
  moves_since: `SELECT seq, stream, key FROM events WHERE root = $1 AND seq > $2 ORDER BY seq ${atMost(3)}`,
  first_after: 'SELECT seq FROM events WHERE root = $1 AND at > $2 ORDER BY seq LIMIT 1',
  requests_before: 'SELECT count(*) AS count FROM requests WHERE at < $1',
  requests_of_root: `SELECT ${columnsOf(requests)} FROM requests WHERE root = $1`,
  requests_after: `SELECT ${columnsOf(requests, 'q.')}, r.root AS head FROM requests q LEFT JOIN roots r ON r.root = q.root
    WHERE (q.caller, q.id) > ($1, $2) ORDER BY q.caller, q.id ${atMost(3)}`,
  impossible_floors: `SELECT v.root, v.stream FROM streams v JOIN roots r ON r.root = v.root
    WHERE v.floor < 0 OR v.base < v.floor OR v.base > r.seq OR (v.base > 0 AND v.stream <> '${stateStream}')`,
  impossible_leases: `SELECT v.root, v.name FROM leases v JOIN roots r ON r.root = v.root ${byName}.session_no
    WHERE s.id IS NULL OR v.token < 1 OR v.ttl < 1 OR v.expires_at < 0`,
  impossible_projects: `SELECT ${columnsOf(projects)} FROM projects
    WHERE session IS NOT NULL AND session NOT IN (SELECT id FROM sessions)`,
  // The token of a reader has no root, and NULL NOT IN an empty list is true.
  orphans: ofRoot
    .map(
      (name) => `SELECT DISTINCT '${name}' AS name, root FROM ${name}
        WHERE root IS NOT NULL AND root NOT IN (SELECT root FROM roots)`,
    )
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
  chain_bytes: `WITH RECURSIVE walk (key, prior, bytes) AS (
      SELECT key, prior, octet_length(body) FROM state_versions WHERE root = $1 AND key = $2 AND seq = $3
      UNION ALL
      SELECT v.key, v.prior, octet_length(v.body) FROM walk w JOIN state_versions v
        ON v.root = $1 AND v.key = w.key AND v.seq = w.prior)
    SELECT CAST(sum(bytes) AS BIGINT) AS bytes FROM walk`,
  // What was done is shown of a version whose value is not at hand, and of one that is to be explained.
  versions_made: versionsMade('v.prior > 0 AND octet_length(e.data) <= $5'),
  reasons_made: versionsMade('octet_length(e.data) <= $5'),
  // The last place at which the key was not yet at a version.
  place_of_key_version: lastPlace(`COALESCE((SELECT v.version FROM state_versions v
    WHERE v.root = $1 AND v.key = $3 AND v.seq <= w.seq + w.step ORDER BY v.seq DESC LIMIT 1), 0) < $4`),
  place_at_time: lastPlace(
    'EXISTS (SELECT 1 FROM events v WHERE v.root = $1 AND v.seq = w.seq + w.step AND v.at <= $3)',
  ),
  // Those that have expired by $6 were changed too, though the log does not say so yet.
  keys_changed: `SELECT k.key AS key FROM state_keys k WHERE k.root = $1 AND k.key > $4 AND k.seq > $2 AND EXISTS (
      SELECT 1 FROM state_versions v WHERE v.root = $1 AND v.key = k.key AND v.seq > $2 AND v.seq <= $3)
    UNION SELECT l.key FROM state_lapses l WHERE l.root = $1 AND l.key > $4 AND l.expires_at <= $6
    ORDER BY key ${atMost(5)}`,
  newest_keys: `SELECT k.key, ${shownBytes} AS bytes FROM state_keys k
    WHERE k.root = $1 AND k.type <> 'gone' AND ${shownBytes} <= $2
    AND NOT EXISTS (SELECT 1 FROM state_lapses l WHERE l.root = k.root AND l.key = k.key AND l.expires_at <= $4)
    ORDER BY k.seq DESC, k.key ${atMost(3)}`,
  events_since: `SELECT ${columnsOf(events, 'v.')}, s.id AS by FROM events v ${byName}.session_no
    WHERE v.root = $1 AND v.seq > $2 ORDER BY v.seq ${atMost(3)}`,
  events_of_stream: `SELECT ${columnsOf(events, 'v.')}, s.id AS by FROM events v ${byName}.session_no
    WHERE v.root = $1 AND v.stream = $2 AND v.version > $3 AND v.seq > $4 ORDER BY v.version ${atMost(5)}`,
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
  // A session that stands below another root than the one whose log made it.
  outdate_holder:
    'UPDATE roots SET generation = generation + 1 WHERE root IN (SELECT root FROM sessions WHERE id = $1 AND root <> $2)',
  expel_session: 'DELETE FROM sessions WHERE id = $1 AND root <> $2',
  remove_names: 'DELETE FROM session_names WHERE root = $1',
  remove_keys: 'DELETE FROM state_keys WHERE root = $1',
  remove_versions: 'DELETE FROM state_versions WHERE root = $1',
  remove_schemas: 'DELETE FROM state_schemas WHERE root = $1',
  remove_lapses: 'DELETE FROM state_lapses WHERE root = $1',
  remove_leases: 'DELETE FROM leases WHERE root = $1',
  remove_tokens: 'DELETE FROM tokens WHERE root = $1',
  revoke_token: 'DELETE FROM tokens WHERE id = $1',
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
  return `SELECT ${columnsOf(table)} FROM ${table.name}${where} ORDER BY ${keys.join(', ')} ${atMost(1)}`
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
