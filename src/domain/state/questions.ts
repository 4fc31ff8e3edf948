import { pastQuestion, question, questions } from '../log/questions.ts'
import { atMost, bytesText, columnsAs, columnsOf, joinSession, lastPlace, past, type Text } from '../log/sql/text.ts'
import { type EventRow, events, type RootRow } from '../log/tables.ts'
import { stateStream } from './facts.ts'
import { type KeyRow, type SchemaRow, stateKeys, stateSchemas, stateVersions, type VersionRow } from './tables.ts'

/** A key with the id of the session that wrote it. */
export type KeyShown = KeyRow & { by: string | null }

/** A version with the id of the session that wrote it. */
export type VersionShown = VersionRow & { by: string | null }

/** A version of a key with the event and the session that made it; a body or data above a size is left out. */
export type VersionMade = Pick<VersionRow, 'seq' | 'version' | 'kind' | 'prior' | 'at' | 'body'> &
  Pick<EventRow, 'type' | 'actor' | 'request' | 'cause' | 'data' | 'session_no'> & {
    by: string | null
    by_name: string | null
    /** Of the state: null before its first write. */
    floor: number | null
    /** When the key, as it is now, goes by itself. */
    expires_at: number | null
  }

/** A version that an event made, without a body above a size; the floor is that of the state. */
export type VersionChanged = Pick<VersionRow, 'seq' | 'key' | 'version' | 'kind' | 'prior' | 'body'> & { floor: number }

/** Of the value alone: the bytes of a conflict-free one count what it keeps inside. */
const shownBytes = `k.bytes - CASE WHEN substr(k.traits, 1, 8) = '{"crdt":' THEN octet_length(k.traits) ELSE 0 END`

/** Versions lie in the order of the log; up to here an index by key has been filled behind them. */
const indexed = `COALESCE((SELECT upto FROM indexing WHERE root = $1 AND name = '${stateVersions.name}'), 0)`

/** How versions are found: those of a plain root are its own, those of a fork also in its segments. */
interface Found {
  /** The place of the newest version of a key up to a place, of those that the index has. */
  newest(key: string, upto: string): string
  /** The places of a key up to a place, newest first, of those that the index has; not more than a parameter says. */
  places(key: string, upto: string, most: string): string
  /** Whether the index has a version of a key after one place and up to another. */
  changed(key: string, after: string, upto: string): string
  /**
   * Where version `v` is read, after what has its place: in this order, which SQLite would turn round, because it thinks that a
   * root has few versions.
   */
  readonly version: string
  /** The condition that it is the one of a place and key. */
  is(seq: string, key: string): string
}

const plain: Found = {
  newest: (key, upto) =>
    `(SELECT max(i.seq) FROM state_places i WHERE i.root = $1 AND i.key = ${key} AND i.seq <= ${upto})`,
  places: (key, upto, most) => `SELECT i.seq FROM state_places i
    WHERE i.root = $1 AND i.key = ${key} AND i.seq <= ${upto} ORDER BY i.seq DESC ${most}`,
  changed: (key, after, upto) => `EXISTS (SELECT 1 FROM state_places i
    WHERE i.root = $1 AND i.key = ${key} AND i.seq > ${after} AND i.seq <= ${upto})`,
  version: 'CROSS JOIN state_versions v',
  is: (seq, key) => `v.root = $1 AND v.seq = ${seq} AND v.key = ${key}`,
}

const forked: Found = {
  newest: (key, upto) => `(SELECT max((SELECT max(i.seq) FROM state_places i WHERE i.root = g.source AND i.key = ${key}
      AND i.seq > g.after AND i.seq <= CASE WHEN g.upto < ${upto} THEN g.upto ELSE ${upto} END))
    FROM segments g WHERE g.root = $1)`,
  places: (key, upto, most) => `SELECT i.seq FROM segments g CROSS JOIN state_places i
    WHERE g.root = $1 AND i.root = g.source AND i.key = ${key} AND i.seq > g.after
      AND i.seq <= CASE WHEN g.upto < ${upto} THEN g.upto ELSE ${upto} END
    ORDER BY g.after DESC, i.seq DESC ${most}`,
  changed: (key, after, upto) => `EXISTS (SELECT 1 FROM segments g CROSS JOIN state_places i
    WHERE g.root = $1 AND i.root = g.source AND i.key = ${key} AND i.seq > g.after AND i.seq <= g.upto
      AND i.seq > ${after} AND i.seq <= ${upto})`,
  version: 'CROSS JOIN segments g CROSS JOIN state_versions v',
  is: (seq, key) => `g.root = $1 AND g.after < ${seq} AND g.upto >= ${seq}
    AND v.root = g.source AND v.seq = ${seq} AND v.key = ${key}`,
}

function found(build: (found: Found) => string): Text {
  return { plain: build(plain), forked: build(forked) }
}

/** The place of the newest version of a key up to a place. What the index does not have yet is looked through. */
function newest({ newest }: Found, key: string, upto: string): string {
  return `COALESCE((SELECT max(o.seq) FROM state_versions o
    WHERE o.root = $1 AND o.seq > ${indexed} AND o.seq <= ${upto} AND o.key = ${key}), ${newest(key, upto)})`
}

/** The places of a key up to a place, newest first. */
function places({ places }: Found, key: string, upto: string, most: string): string {
  return `SELECT seq FROM (SELECT o.seq FROM state_versions o
      WHERE o.root = $1 AND o.seq > ${indexed} AND o.seq <= ${upto} AND o.key = ${key} ORDER BY o.seq DESC ${most}) behind
    UNION ALL SELECT seq FROM (${places(key, upto, most)}) filled ORDER BY seq DESC ${most}`
}

/** Versions of a key, newest first. The floor, and when the key expires, come along: a page is then one question. */
function versionsMade(hasData: string): Text {
  return found(
    (f) => `SELECT v.seq, v.version, v.kind, v.prior, v.at, e.type, e.actor, e.request, e.cause, e.session_no,
      CASE WHEN octet_length(v.body) <= $5 THEN v.body END AS body,
      CASE WHEN ${hasData} THEN e.data END AS data, s.id AS by, s.name AS by_name,
      (SELECT floor FROM streams WHERE root = $1 AND stream = '${stateStream}') AS floor,
      (SELECT expires_at FROM state_lapses WHERE root = $1 AND key = $2) AS expires_at
    FROM (${places(f, '$2', '$3', atMost(4))}) m ${f.version}
    JOIN events e ON e.root = v.root AND e.seq = v.seq ${joinSession('$1', 'v.session_no')}
    WHERE ${f.is('m.seq', '$2')} ORDER BY v.seq DESC`,
  )
}

/** About shared state. */
export const aboutState = questions({
  schemas_shown: question<
    SchemaRow & { by: string | null }
  >(`SELECT ${columnsOf(stateSchemas, 'v.')}, s.id AS by FROM state_schemas v ${joinSession('v.root', 'v.updated_by')}
    WHERE v.root = $1 AND v.schema IS NOT NULL ORDER BY v.target, v.prefix`),
  key_names: question<Pick<KeyRow, 'key'>>(`SELECT key FROM state_keys
    WHERE root = $1 AND key >= $2 AND key < $3 AND type <> 'gone' ORDER BY key ${atMost(4)}`),
  lapsed_count: question<{ count: number }>(
    'SELECT count(*) AS count FROM state_lapses WHERE root = $1 AND expires_at <= $2',
  ),
  next_lapse: question<{
    at: number
  }>(`SELECT l.expires_at AS at FROM state_lapses l JOIN roots r ON r.root = l.root AND r.hidden = 0
    WHERE l.expires_at IS NOT NULL ORDER BY l.expires_at LIMIT 1`),
  next_lapse_of: question<{ at: number | null }>(
    'SELECT min(expires_at) AS at FROM state_lapses WHERE root = $1 AND expires_at IS NOT NULL',
  ),
  roots_with_due: question<
    Pick<RootRow, 'root' | 'id'>
  >(`SELECT r.root, r.id FROM roots r WHERE r.hidden = 0 AND EXISTS (
    SELECT 1 FROM state_lapses l WHERE l.root = r.root AND l.expires_at <= $1)`),
  versions_of_key: question<VersionRow>(
    found(
      (f) => `SELECT ${columnsAs('$1', stateVersions)}
    FROM (${places(f, '$2', '$3', '')}) m ${f.version} WHERE ${f.is('m.seq', '$2')} ORDER BY v.seq`,
    ),
  ),
  version_links: question<Pick<VersionRow, 'seq' | 'prior'> & { bytes: number }>(
    found(
      (f) => `SELECT v.seq, v.prior, ${bytesText(stateVersions)} AS bytes
    FROM (${places(f, '$2', String(Number.MAX_SAFE_INTEGER), '')}) m ${f.version}
    WHERE ${f.is('m.seq', '$2')} ORDER BY v.seq`,
    ),
  ),
  // Events that set one key, and those that carry a whole document.
  log_with_key: question<EventRow>(
    past(
      'events',
      (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from}
      WHERE ${p.where()} AND v.data IS NOT NULL AND (v.key = $2 OR v.type IN ('init', 'full_replace'))`,
    ),
  ),
  key_now:
    question<KeyShown>(`SELECT ${columnsOf(stateKeys, 'v.')}, s.id AS by FROM state_keys v ${joinSession('v.root', 'v.updated_by')}
    WHERE v.root = $1 AND v.key = $2 AND v.type <> 'gone'`),
  keys_now:
    question<KeyShown>(`SELECT ${columnsOf(stateKeys, 'v.')}, s.id AS by FROM state_keys v ${joinSession('v.root', 'v.updated_by')}
    WHERE v.root = $1 AND v.key >= $2 AND v.key < $3 AND v.type <> 'gone' ORDER BY v.key`),
  key_at: pastQuestion<VersionShown>(
    found(
      (f) => `SELECT ${columnsAs('$1', stateVersions)}, s.id AS by
    FROM (SELECT ${newest(f, '$2', '$3')} AS seq) m ${f.version} ${joinSession('$1', 'v.session_no')}
    WHERE ${f.is('m.seq', '$2')}`,
    ),
  ),
  // A key that has not changed since is where it is now; what the index does not have yet is gathered once for all keys.
  keys_at: question<VersionShown>(
    found(
      (f) => `SELECT ${columnsAs('$1', stateVersions)}, s.id AS by FROM (
      SELECT k.key, CASE WHEN k.seq <= $4 THEN k.seq ELSE COALESCE(o.seq, ${f.newest('k.key', '$4')}) END AS seq
      FROM state_keys k LEFT JOIN (SELECT key, max(seq) AS seq FROM state_versions
        WHERE root = $1 AND seq > ${indexed} AND seq <= $4 GROUP BY key) o ON o.key = k.key
      WHERE k.root = $1 AND k.key >= $2 AND k.key < $3) m
    ${f.version} ${joinSession('$1', 'v.session_no')} WHERE ${f.is('m.seq', 'm.key')} ORDER BY m.key`,
    ),
  ),
  // Joined to the row before and not to the parameters: else SQLite would look at all versions of the key at each step.
  chain: pastQuestion<VersionRow>(
    found(
      (f) => `WITH RECURSIVE walk AS (
      SELECT ${columnsAs('CAST($1 AS BIGINT)', stateVersions)} FROM (SELECT CAST($3 AS BIGINT) AS seq) m ${f.version}
      WHERE ${f.is('m.seq', '$2')}
      UNION ALL
      SELECT ${columnsAs('CAST($1 AS BIGINT)', stateVersions)} FROM walk w ${f.version}
      WHERE ${f.is('w.prior', 'w.key')} AND v.version > $4)
    SELECT ${columnsOf(stateVersions)} FROM walk`,
    ),
  ),
  chain_bytes: question<{ bytes: number }>(
    found(
      (f) => `WITH RECURSIVE walk (key, prior, bytes) AS (
      SELECT v.key, v.prior, octet_length(v.body) FROM (SELECT CAST($3 AS BIGINT) AS seq) m ${f.version}
      WHERE ${f.is('m.seq', '$2')}
      UNION ALL
      SELECT v.key, v.prior, octet_length(v.body) FROM walk w ${f.version} WHERE ${f.is('w.prior', 'w.key')})
    SELECT CAST(sum(bytes) AS BIGINT) AS bytes FROM walk`,
    ),
  ),
  versions_after: question<VersionChanged>(
    past(
      'state_versions',
      (
        p,
      ) => `SELECT v.seq, v.key, v.version, v.kind, v.prior, CASE WHEN octet_length(v.body) <= $3 THEN v.body END AS body,
      (SELECT floor FROM streams WHERE root = $1 AND stream = '${stateStream}') AS floor
    FROM ${p.from} WHERE ${p.where({ after: '$2' })} ORDER BY ${p.isForked ? 'g.after, ' : ''}v.seq, v.key ${atMost(4)}`,
    ),
  ),
  // What was done is shown of a version whose value is not at hand, and of one that is to be explained.
  versions_made: question<VersionMade>(versionsMade('v.prior > 0 AND octet_length(e.data) <= $5')),
  reasons_made: question<VersionMade>(versionsMade('octet_length(e.data) <= $5')),
  // The last place at which the key was not yet at a version.
  place_of_key_version: question<Pick<EventRow, 'seq'>>(
    found((f) =>
      lastPlace(`COALESCE((SELECT v.version FROM (SELECT ${newest(f, '$3', 'w.seq + w.step')} AS seq) m
      ${f.version} WHERE ${f.is('m.seq', '$3')}), 0) < $4`),
    ),
  ),
  // Those that have expired by $6 were changed too, though the log does not say so yet.
  keys_changed: question<Pick<KeyRow, 'key'>>(
    found(
      (f) => `SELECT k.key AS key FROM state_keys k WHERE k.root = $1 AND k.key > $4 AND k.seq > $2 AND (
      ${f.changed('k.key', '$2', '$3')} OR k.key IN (SELECT o.key FROM state_versions o
        WHERE o.root = $1 AND o.seq > ${indexed} AND o.seq > $2 AND o.seq <= $3))
    UNION SELECT l.key FROM state_lapses l WHERE l.root = $1 AND l.key > $4 AND l.expires_at <= $6
    ORDER BY key ${atMost(5)}`,
    ),
  ),
  newest_keys: question<Pick<KeyRow, 'key' | 'bytes'>>(`SELECT k.key, ${shownBytes} AS bytes FROM state_keys k
    WHERE k.root = $1 AND k.type <> 'gone' AND ${shownBytes} <= $2
    AND NOT EXISTS (SELECT 1 FROM state_lapses l WHERE l.root = k.root AND l.key = k.key AND l.expires_at <= $4)
    ORDER BY k.seq DESC, k.key ${atMost(3)}`),
})
