import { sessions } from '../../domain/sessions/tables.ts'
import { atMost, columnsOf } from './text.ts'

const unfinished = `s.status NOT IN ('completed', 'failed', 'cancelled', 'skipped')`

/** A session with the id of its root and the directory that belongs to; `from` has `s`. */
function found(from: string): string {
  return `SELECT ${columnsOf(sessions, 's.')}, r.id AS root_id, p.dir AS project FROM ${from}
    JOIN roots r ON r.root = s.root LEFT JOIN root_projects p ON p.root = s.root`
}

const named = found('session_names n JOIN sessions s ON s.root = n.root AND s.no = n.no')

/** About the tree of sessions. */
export const sessionQuestions = {
  session_by_id: `${found('sessions s')} WHERE s.id = $1`,
  sessions_by_slug: `${found('sessions s')} WHERE s.slug = $1 LIMIT 11`,
  sessions_by_name: `${named} WHERE n.folded = $1 LIMIT 11`,
  session_named: `${named} WHERE n.root = $1 AND n.folded = $2`,
  sessions_by_edge: `${found('sessions s')} WHERE substr(s.id, 1, $2) = $1 OR substr(s.id, 6, $2) = $1
    OR substr(s.id, length(s.id) - $2 + 1) = $1 ORDER BY s.id LIMIT 11`,
  unfinished_roots: `${found('sessions s')} WHERE s.no = 0 AND p.dir = $1 AND ${unfinished} ORDER BY s.id DESC LIMIT 11`,
  roots_newest_first: `${found('sessions s')}
    WHERE s.no = 0 AND s.id < $1 AND (CAST($2 AS TEXT) IS NULL OR p.dir = $2) AND ($3 = 1 OR ${unfinished})
    ORDER BY s.id DESC ${atMost(4)}`,
  sessions_of_root: `${found('sessions s')} WHERE s.root = $1 ORDER BY s.no`,
  sessions_above: `WITH RECURSIVE walk (parent_no) AS (
      SELECT parent_no FROM sessions WHERE root = $1 AND no = $2
      UNION ALL
      SELECT s.parent_no FROM walk w JOIN sessions s ON s.root = $1 AND s.no = w.parent_no)
    SELECT parent_no AS no FROM walk WHERE parent_no IS NOT NULL`,
}
