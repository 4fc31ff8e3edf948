import { events, requests, roots } from '../../domain/log/tables.ts'
import { atMost, columnsAs, columnsOf, joinSession, lastPlace, type Past, past } from './text.ts'

/** Sequences and versions are dense, so a page of a fork is known by its numbers: nothing has to be sorted for it. */
function pageOf(number: string, after: number, most: number, { isForked }: Past): string {
  const page = `${number} > $${after}`
  if (isForked) return `${page} AND ${number} <= $${after} + $${most} ORDER BY ${number}`
  return `${page} ORDER BY ${number} ${atMost(most)}`
}

/** Up to where bodies of the stream were removed, of an event that has none. */
function base(root: string): string {
  return `CASE WHEN v.data IS NULL THEN (SELECT t.base FROM streams t WHERE t.root = ${root} AND t.stream = v.stream) END AS base`
}

/** About the log itself. */
export const logQuestions = {
  all_roots: `SELECT ${columnsOf(roots)} FROM roots WHERE hidden = 0 ORDER BY root`,
  // Roots that share rows of this one, with what they share.
  sharers: 'SELECT root, source, after, upto FROM segments WHERE source = $1 AND root <> $1 ORDER BY root, after',
  // Removed roots of which nobody shares any row, once this root is gone.
  unshared: `SELECT r.root FROM roots r WHERE r.hidden = 1 AND NOT EXISTS (
    SELECT 1 FROM segments g WHERE g.source = r.root AND g.root <> $1)`,
  // Those that were forked from this root itself, and where.
  forks_of: `SELECT g.root, g.upto AS at FROM segments g JOIN segments o ON o.root = g.root AND o.source = g.root
    AND o.after = g.upto AND o.upto = ${Number.MAX_SAFE_INTEGER} WHERE g.source = $1 AND g.root <> $1 ORDER BY g.upto, g.root DESC`,
  log_since: past(
    'events',
    (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from} WHERE ${p.where} AND ${pageOf('v.seq', 2, 3, p)}`,
  ),
  log_of_stream: past(
    'events',
    (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from}
      WHERE ${p.where} AND v.stream = $2 AND v.seq <= $4 AND ${pageOf('v.version', 3, 5, p)}`,
  ),
  moves_since: past(
    'events',
    (p) => `SELECT v.seq, v.stream, v.key FROM ${p.from} WHERE ${p.where} AND ${pageOf('v.seq', 2, 3, p)}`,
  ),
  first_after: past(
    'events',
    (p) =>
      `SELECT v.seq FROM ${p.from} WHERE ${p.where} AND v.at > $2 ORDER BY ${p.isForked ? 'g.after, ' : ''}v.seq LIMIT 1`,
  ),
  place_at_time: past('events', (p) =>
    lastPlace(`EXISTS (SELECT 1 FROM ${p.from} WHERE ${p.where} AND v.seq = w.seq + w.step AND v.at <= $3)`),
  ),
  events_since: past(
    'events',
    (
      p,
    ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${p.where} AND ${pageOf('v.seq', 2, 3, p)}`,
  ),
  events_of_stream: past(
    'events',
    (
      p,
    ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${p.where} AND v.stream = $2 AND v.version > $3 AND v.seq > $4 ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version ${atMost(5)}`,
  ),
  events_of_version: past(
    'events',
    (
      p,
    ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${p.where} AND v.stream = $2 AND v.version = $3`,
  ),
  // Down the log, not down the stream: the newest event of a stream before N is rarely far from N.
  stream_at: past(
    'events',
    (p) => `SELECT v.seq, v.version, v.at FROM ${p.from}
      WHERE ${p.where} AND v.stream || '' = $2 AND v.seq <= $3 ORDER BY ${p.isForked ? 'g.after DESC, ' : ''}v.seq DESC LIMIT 1`,
  ),
  // The last version of a stream ($3) up to an event ($4): versions are dense, so it is found by halving.
  version_at: past('events', (p) =>
    lastPlace(`EXISTS (SELECT 1 FROM ${p.from} WHERE ${p.where} AND v.stream = $3
      AND v.version = w.seq + w.step AND v.seq <= $4)`),
  ),
  rows_at: past('row_versions', (p) => {
    const newer = p.isForked
      ? `segments h CROSS JOIN row_versions o WHERE h.root = $1 AND o.root = h.source AND o.seq > h.after AND o.seq <= h.upto`
      : 'row_versions o WHERE o.root = $1'
    return `SELECT v.place, v.row FROM ${p.from} WHERE ${p.where} AND v.tbl = $2 AND v.seq = (
      SELECT max(o.seq) FROM ${newer} AND o.tbl = $2 AND o.place = v.place AND o.seq <= $3) ORDER BY v.place`
  }),
  requests_before: 'SELECT count(*) AS count FROM requests WHERE at < $1',
  requests_of_root: `SELECT ${columnsOf(requests)} FROM requests WHERE root = $1`,
  requests_after: `SELECT ${columnsOf(requests, 'q.')}, r.id AS head FROM requests q LEFT JOIN roots r ON r.root = q.root
    WHERE (q.caller, q.id) > ($1, $2) ORDER BY q.caller, q.id ${atMost(3)}`,
  impossible_floors: `SELECT r.id, v.stream FROM streams v JOIN roots r ON r.root = v.root
    WHERE v.floor < 0 OR v.base < v.floor OR v.base > r.seq`,
}
