import { question, questions } from '../log/questions.ts'
import { atMost, columnsOf } from '../log/sql/text.ts'
import { type ProcessIdentity, type SessionRow, sessions } from './tables.ts'

/** A session with the id of its root and the working directory that belongs to. */
export type SessionFound = SessionRow & { root_id: string; project: string | null }

/** A root with the time of its last event, up to the one that it is read at. */
export type RootFound = SessionFound & { active_at: number | null }

/** A fork, the root that it was forked from and after which event; of one that was removed nothing else is known. */
export type ForkFound = { root: number; origin: number; at: number } & {
  [Column in 'id' | 'name' | 'slug' | 'status' | 'topic' | 'updated_at']: SessionRow[Column] | null
}

/** A session and the process that it ends with. */
export type ProcessFound = ProcessIdentity & { session: string }

const unfinished = `s.status NOT IN ('completed', 'failed', 'cancelled', 'skipped')`

/** A session with the id of its root and the directory that belongs to, and more if wanted; `from` has `s`. */
function found(from: string, more = ''): string {
  return `SELECT ${columnsOf(sessions, 's.')}, r.id AS root_id, p.dir AS project${more} FROM ${from}
    JOIN roots r ON r.root = s.root LEFT JOIN root_projects p ON p.root = s.root`
}

/** The row of a root session as it was after an event, or at the end: its own rows are newer than all that it shares. */
function rootThen(at: string): string {
  const newest = `AND v.tbl = '${sessions.name}' AND v.place = '0' AND v.seq <= ${at} ORDER BY v.seq DESC LIMIT 1`
  return `COALESCE((SELECT v.row FROM row_versions v WHERE v.root = s.root ${newest}),
    (SELECT v.row FROM segments g JOIN row_versions v ON v.root = g.source AND v.seq > g.after AND v.seq <= g.upto
      WHERE g.root = s.root ${newest}))`
}

/** When an event happened, which a fork may have in the rows of those it came from. */
function timeOf(seq: string): string {
  return `COALESCE((SELECT e.at FROM events e WHERE e.root = s.root AND e.seq = ${seq}),
    (SELECT e.at FROM segments g JOIN events e ON e.root = g.source AND e.seq = ${seq}
      WHERE g.root = s.root AND g.after < ${seq} AND g.upto >= ${seq}))`
}

/** A root as it was after an event, or as it is where its log is shorter. */
function rootAt(at: string): string {
  const last = `CASE WHEN ${at} < r.seq THEN ${at} ELSE r.seq END`
  return found('sessions s', `, ${rootThen(at)} AS past_row, ${timeOf(last)} AS active_at`)
}

const named = found('session_names n JOIN sessions s ON s.root = n.root AND s.no = n.no')

/**
 * Ids that begin or end with a text of four or more characters, with or without what all ids begin with, or whose last eight, which
 * people are shown and type, begin with it; each way has an index.
 * What else is asked must not be found by another: SQLite would look through all sessions of a root.
 */
function edged(wanted: string, more = ''): string {
  const text = `CAST(${wanted} AS TEXT)`
  const from = (start: string) =>
    `SELECT * FROM (SELECT e.id FROM sessions e WHERE e.id >= ${start} AND e.id < ${start} || '~' ${more} ORDER BY e.id LIMIT 11) AS found`
  return `s.id IN (${from(text)} UNION ${from(`'sess_' || ${text}`)} UNION
    SELECT e.id FROM sessions e WHERE substr(e.id, length(e.id) - 3) = substr(${text}, length(${text}) - 3)
      AND substr(e.id, length(e.id) - length(${text}) + 1) = ${text} ${more} UNION
    SELECT e.id FROM sessions e WHERE substr(e.id, length(e.id) - 7, 4) = substr(${text}, 1, 4)
      AND substr(e.id, length(e.id) - 7, length(${text})) = ${text} ${more})`
}

/** A fork has the names of what it was forked from, which goes first; its number is negative. */
const originalsFirst = 'ORDER BY CASE WHEN s.root < 0 THEN 1 ELSE 0 END'

/** About the tree of sessions. */
export const aboutSessions = questions({
  session_by_id: question<SessionFound>(`${found('sessions s')} WHERE s.id = $1`),
  sessions_by_slug: question<SessionFound>(`${found('sessions s')} WHERE s.slug = $1 ${originalsFirst} LIMIT 11`),
  sessions_by_name: question<SessionFound>(`${named} WHERE n.folded = $1 ${originalsFirst} LIMIT 11`),
  session_numbered: question<SessionFound>(`${found('sessions s')} WHERE s.root = $1 AND s.no = $2`),
  session_slugged: question<SessionFound>(`${found('sessions s')} WHERE s.slug = $2 AND s.root = $1`),
  session_named: question<SessionFound>(`${named} WHERE n.root = $1 AND n.folded = $2`),
  sessions_by_edge: question<SessionFound>(`${found('sessions s')} WHERE ${edged('$1')} ORDER BY s.id LIMIT 11`),
  sessions_edged: question<SessionFound>(
    `${found('sessions s')} WHERE ${edged('$2', 'AND e.root + 0 = $1')} ORDER BY s.id LIMIT 11`,
  ),
  // What somebody may have meant who named a session that is not there: names of these are compared.
  sessions_newest: question<SessionFound>(`${found('sessions s')} ORDER BY s.id DESC LIMIT 500`),
  sessions_newest_in: question<SessionFound>(`${found('sessions s')} WHERE s.root = $1 ORDER BY s.no DESC LIMIT 500`),
  unfinished_roots: question<SessionFound>(
    `${found('sessions s')} WHERE s.no = 0 AND p.dir = $1 AND ${unfinished} ${originalsFirst}, s.id DESC LIMIT 11`,
  ),
  roots_newest_first: question<RootFound>(`${found('sessions s', `, ${timeOf('r.seq')} AS active_at`)}
    WHERE s.no = 0 AND s.id < $1 AND (CAST($2 AS TEXT) IS NULL OR p.dir = $2) AND ($3 = 1 OR ${unfinished})
    ORDER BY s.id DESC ${atMost(4)}`),
  root_at: question<RootFound & { past_row: string | null }>(`${rootAt('$2')} WHERE s.root = $1 AND s.no = 0`),
  roots_at: question<RootFound & { past_row: string | null }>(`${rootAt('$4')}
    WHERE s.no = 0 AND s.id < $1 AND (CAST($2 AS TEXT) IS NULL OR p.dir = $2) ORDER BY s.id DESC ${atMost(3)}`),
  sessions_of_root: question<SessionFound>(`${found('sessions s')} WHERE s.root = $1 ORDER BY s.no`),
  sessions_above: question<Pick<SessionRow, 'no'>>(`WITH RECURSIVE walk (parent_no) AS (
      SELECT parent_no FROM sessions WHERE root = $1 AND no = $2
      UNION
      SELECT s.parent_no FROM walk w JOIN sessions s ON s.root = $1 AND s.no = w.parent_no)
    SELECT parent_no AS no FROM walk WHERE parent_no IS NOT NULL`),
  // Those that were forked from this root, and from those; one that was removed has no session any more.
  forks_below: question<ForkFound>(`WITH RECURSIVE below (root, origin, at) AS (
      SELECT root, origin, after FROM segments WHERE origin = $1
      UNION ALL
      SELECT g.root, g.origin, g.after FROM below b JOIN segments g ON g.origin = b.root)
    SELECT b.root, b.origin, b.at, s.id, s.name, s.slug, s.status, s.topic, s.updated_at FROM below b
    LEFT JOIN sessions s ON s.root = b.root AND s.no = 0 ORDER BY b.at, b.root DESC`),
  // Asked whenever a store is opened: only sessions whose process may still run are in this index.
  processes_on_host:
    question<ProcessFound>(`SELECT p.host, p.boot, p.space, p.pid, p.started, s.id AS session FROM session_processes p
    JOIN sessions s ON s.root = p.root AND s.no = p.no WHERE p.host = $1`),
})
