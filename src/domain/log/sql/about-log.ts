import type { EventToShow } from '../event.ts'
import { pastQuestion, question, questions } from '../questions.ts'
import {
  type EventRow,
  events,
  type RequestRow,
  type RootRow,
  type RowVersionRow,
  requests,
  roots,
  type SegmentRow,
  type StreamRow,
  segments,
} from '../tables.ts'
import { atMost, bytesText, columnsAs, columnsOf, joinSession, lastPlace, type Past, past } from './text.ts'

/** Sequences and versions are dense, so a page of a fork is known by its numbers: nothing has to be sorted for it. */
function pageOfLog(p: Past): string {
  if (p.isForked) return `${p.where({ after: '$2', upto: '$2 + $3' })} ORDER BY v.seq`
  return `${p.where({ after: '$2' })} ORDER BY v.seq ${atMost(3)}`
}

function pageOfStream(p: Past): string {
  const page = `${p.where({ upto: '$4' })} AND v.stream = $2 AND v.version > $3`
  if (p.isForked) return `${page} AND v.version <= $3 + $5 ORDER BY v.version`
  return `${page} ORDER BY v.version ${atMost(5)}`
}

/** Up to where bodies of the stream were removed, of an event that has none. */
function base(root: string): string {
  return `CASE WHEN v.data IS NULL THEN (SELECT t.base FROM streams t WHERE t.root = ${root} AND t.stream = v.stream) END AS base`
}

/** The rows that were kept of the root, among which another is the newest of its place. */
function versionsOf({ isForked }: Past): string {
  if (!isForked) return 'row_versions o WHERE o.root = $1'
  return 'segments h CROSS JOIN row_versions o WHERE h.root = $1 AND o.root = h.source AND o.seq > h.after AND o.seq <= h.upto'
}

/** About the log itself. */
export const aboutLog = questions({
  all_roots: question<RootRow>(`SELECT ${columnsOf(roots)} FROM roots WHERE hidden = 0 ORDER BY root`),
  disk_use: question<{ all: number; fullest: number }>(
    `SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) AS "all", coalesce(max(bytes), 0) AS fullest FROM roots WHERE hidden = 0`,
  ),
  root_by_id: question<RootRow>(`SELECT ${columnsOf(roots)} FROM roots WHERE id = $1`),
  // Roots that share rows of this one, with what they share.
  sharers: question<SegmentRow>(
    `SELECT ${columnsOf(segments)} FROM segments WHERE source = $1 AND root <> $1 ORDER BY root, after`,
  ),
  // What all those share who have rows in common with this root, or came from one another, in however many steps.
  segments_of_family: question<SegmentRow>(`WITH RECURSIVE family (root) AS (
      SELECT CAST($1 AS BIGINT)
      UNION
      SELECT p.b FROM family f JOIN (
        SELECT root AS a, source AS b FROM segments UNION SELECT source, root FROM segments
        UNION SELECT root, origin FROM segments WHERE origin IS NOT NULL
        UNION SELECT origin, root FROM segments WHERE origin IS NOT NULL) p ON p.a = f.root)
    SELECT ${columnsOf(segments, 'g.')} FROM segments g WHERE g.root IN (SELECT root FROM family) ORDER BY g.root, g.after`),
  forked_from: question<{
    id: string | null
    at: number
  }>(`SELECT r.id, g.after AS at FROM segments g LEFT JOIN roots r ON r.root = g.origin AND r.hidden = 0
    WHERE g.root = $1 AND g.origin IS NOT NULL`),
  log_since: question<EventRow>(
    past('events', (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from} WHERE ${pageOfLog(p)}`),
  ),
  log_of_stream: question<EventRow>(
    past('events', (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from} WHERE ${pageOfStream(p)}`),
  ),
  log_of_key: question<EventRow>(
    past(
      'events',
      (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from} WHERE ${p.where()} AND v.key = $2 ORDER BY v.seq`,
    ),
  ),
  moves_since: question<Pick<EventRow, 'seq' | 'stream' | 'key' | 'type' | 'at'>>(
    past('events', (p) => `SELECT v.seq, v.stream, v.key, v.type, v.at FROM ${p.from} WHERE ${pageOfLog(p)}`),
  ),
  first_after: question<Pick<EventRow, 'seq'>>(
    past(
      'events',
      (p) =>
        `SELECT v.seq FROM ${p.from} WHERE ${p.where()} AND v.at > $2 ORDER BY ${p.isForked ? 'g.after, ' : ''}v.seq LIMIT 1`,
    ),
  ),
  place_at_time: pastQuestion<Pick<EventRow, 'seq'>>(
    past('events', (p) =>
      lastPlace(`EXISTS (SELECT 1 FROM ${p.from} WHERE ${p.where()} AND v.seq = w.seq + w.step AND v.at <= $3)`),
    ),
  ),
  // Of a long text only its length is looked at, where the store keeps that.
  event_sizes: question<{ bytes: number }>(
    past('events', (p) => `SELECT coalesce(octet_length(v.data), 0) AS bytes FROM ${p.from} WHERE ${pageOfLog(p)}`),
  ),
  stream_event_sizes: question<{ bytes: number }>(
    past(
      'events',
      (p) => `SELECT coalesce(octet_length(v.data), 0) AS bytes FROM ${p.from}
      WHERE ${p.where()} AND v.stream = $2 AND v.version > $3 ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version ${atMost(4)}`,
    ),
  ),
  events_since: question<EventToShow>(
    past(
      'events',
      (
        p,
      ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${pageOfLog(p)}`,
    ),
  ),
  events_of_stream: question<EventToShow>(
    past(
      'events',
      (
        p,
      ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${p.where({ after: '$4' })} AND v.stream = $2 AND v.version > $3 ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version ${atMost(5)}`,
    ),
  ),
  events_of_version: question<EventToShow>(
    past(
      'events',
      (
        p,
      ) => `SELECT ${columnsAs(p.root, events)}, s.id AS by, ${base(p.root)} FROM ${p.from} ${joinSession(p.root, 'v.session_no')}
      WHERE ${p.where()} AND v.stream = $2 AND v.version = $3`,
    ),
  ),
  // Down the log, not down the stream: the newest event of a stream before N is rarely far from N.
  stream_at: question<Pick<EventRow, 'seq' | 'version' | 'at'>>(
    past(
      'events',
      (p) => `SELECT v.seq, v.version, v.at FROM ${p.from}
      WHERE ${p.where({ upto: '$3' })} AND v.stream || '' = $2 ORDER BY ${p.isForked ? 'g.after DESC, ' : ''}v.seq DESC LIMIT 1`,
    ),
  ),
  // The last version of a stream ($3) up to an event ($4): versions are dense, so it is found by halving.
  version_at: question<Pick<EventRow, 'seq'>>(
    past('events', (p) =>
      lastPlace(`EXISTS (SELECT 1 FROM ${p.from} WHERE ${p.where({ upto: '$4' })} AND v.stream = $3
      AND v.version = w.seq + w.step)`),
    ),
  ),
  rows_at: question<Pick<RowVersionRow, 'place' | 'row'>>(
    past('row_versions', (p) => {
      return `SELECT v.place, v.row FROM ${p.from} WHERE ${p.where()} AND v.tbl = $2 AND v.seq = (
      SELECT max(o.seq) FROM ${versionsOf(p)} AND o.tbl = $2 AND o.place = v.place AND o.seq <= $3) ORDER BY v.place`
    }),
  ),
  /** The rows of a table that were changed between two events ($3, $4), as they were then: what was changed last first; and how many. */
  rows_changed: question<Pick<RowVersionRow, 'place' | 'seq' | 'row'> & { total: number }>(
    past(
      'row_versions',
      (p) => `SELECT v.place, v.seq, v.row, count(*) OVER () AS total FROM ${p.from}
      WHERE ${p.where({ after: '$3', upto: '$4' })} AND v.tbl = $2 AND v.seq = (
      SELECT max(o.seq) FROM ${versionsOf(p)} AND o.tbl = $2 AND o.place = v.place AND o.seq <= $4)
      ORDER BY v.seq DESC, v.place ${atMost(5)}`,
    ),
  ),
  /** What became of a row after an event ($4) and up to another. */
  row_after: question<Pick<RowVersionRow, 'seq' | 'row'>>(
    past(
      'row_versions',
      (
        p,
      ) => `SELECT v.seq, v.row FROM ${p.from} WHERE ${p.where({ after: '$4', upto: '$5' })} AND v.tbl = $2 AND v.place = $3
      ORDER BY v.seq ${atMost(6)}`,
    ),
  ),
  /** When each session was last heard of between two events. */
  last_heard: question<Pick<EventRow, 'session_no' | 'at'>>(
    past(
      'events',
      (p) => `SELECT v.session_no, max(v.at) AS at FROM ${p.from}
      WHERE ${p.where({ after: '$2', upto: '$3' })} GROUP BY v.session_no`,
    ),
  ),
  /** The newest events of a type ($3) with versions of a stream after one and up to another. */
  of_type: question<EventRow>(
    past(
      'events',
      (p) => `SELECT ${columnsAs(p.root, events)} FROM ${p.from}
      WHERE ${p.where()} AND v.stream = $2 AND v.version > $4 AND v.version <= $5 AND v.type = $3
      ORDER BY v.version DESC ${atMost(6)}`,
    ),
  ),
  row_at: pastQuestion<Pick<RowVersionRow, 'row'>>(
    past(
      'row_versions',
      (p) => `SELECT v.row FROM ${p.from} WHERE ${p.where({ upto: '$4' })} AND v.tbl = $2 AND v.place = $3
      ORDER BY v.seq DESC LIMIT 1`,
    ),
  ),
  /** The places of a table whose rows were changed between two events, what was changed last first; and how many there are. */
  places_changed: question<Pick<RowVersionRow, 'place' | 'seq'> & { total: number }>(
    past(
      'row_versions',
      (p) => `SELECT v.place, max(v.seq) AS seq, count(*) OVER () AS total FROM ${p.from}
      WHERE ${p.where({ after: '$3', upto: '$4' })} AND v.tbl = $2 GROUP BY v.place ORDER BY 2 DESC, v.place ${atMost(5)}`,
    ),
  ),
  requests_before: question<{
    root: number
    count: number
    bytes: number
  }>(`SELECT root, count(*) AS count, CAST(sum(${bytesText(requests, '')}) AS BIGINT) AS bytes FROM requests
    WHERE at < $1 GROUP BY root ORDER BY root`),
  requests_of_root: question<RequestRow>(`SELECT ${columnsOf(requests)} FROM requests WHERE root = $1`),
  requests_after: question<
    RequestRow & { head: string | null }
  >(`SELECT ${columnsOf(requests, 'q.')}, r.id AS head FROM requests q LEFT JOIN roots r ON r.root = q.root
    WHERE (q.caller, q.id) > ($1, $2) ORDER BY q.caller, q.id ${atMost(3)}`),
  impossible_floors: question<
    Pick<StreamRow, 'stream'> & Pick<RootRow, 'id'>
  >(`SELECT r.id, v.stream FROM streams v JOIN roots r ON r.root = v.root
    WHERE v.floor < 0 OR v.base < v.floor OR v.base > r.seq`),
})
