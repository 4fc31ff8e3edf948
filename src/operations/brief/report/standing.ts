import { contextStream } from '../../../domain/conversations/facts.ts'
import type { ReportParked, ReportRunning } from '../../../domain/journal/report/report.ts'
import type { JournalSeen } from '../../../domain/journal/seen.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { versionAt } from '../../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../../domain/log/questions.ts'
import { aboutLog } from '../../../domain/log/sql/about-log.ts'
import { streams } from '../../../domain/log/tables.ts'
import { sittingId } from '../../../domain/runs/shown-sitting.ts'
import { sessions } from '../../../domain/sessions/tables.ts'
import type { AgentParked } from '../../../domain/workflow/facts.ts'
import type { Standing } from '../../../domain/workflow/questions.ts'
import { most, type Span } from './span.ts'

/** Events of the log that are looked through for whoever was last heard of; further back only its conversation is asked. */
const heardEvents = 1000

/** Somebody who works, before it is known when it was last heard of. */
type Working = Omit<ReportRunning, 'wrote_at'> & { readonly no: number }

/** Those who work, with when each was last heard of: agents and other sessions, then whoever sits at work besides. */
export function* runningThere(span: Span, rows: readonly Standing[], journal: JournalSeen): Asking<ReportRunning[]> {
  const { root, last } = span
  const below = rows.map((row) => workingOf(row, span.until))
  const working = [...below, ...(yield* sittingThere(span, rows, journal))].slice(0, most.running)
  if (working.length === 0) return []
  const recent = yield* ask(aboutLog.last_heard, root, Math.max(0, last - heardEvents), last)
  const heard = new Map(recent.map(({ session_no: no, at }) => [no, Number(at)]))
  const running: ReportRunning[] = []
  for (const { no, ...each } of working) {
    const wrote = heard.get(no) ?? (yield* lastSaid(span, no))
    running.push({ ...each, wrote_at: wrote === undefined ? null : isoTime(wrote) })
  }
  return running
}

function workingOf(row: Standing, until: number): Working {
  const { no, id, name, agent } = row
  const began = row.run_at ?? row.updated_at
  return {
    no,
    what: agent === null ? 'session' : 'agent',
    name: agent ?? name,
    session_id: id,
    since: isoTime(began),
    ran_ms: Math.max(0, (row.paused_at ?? until) - began - (row.paused_ms ?? 0)),
  }
}

/** Sittings that are open, of sessions that do not run by themselves: people and their programs at the root. */
function* sittingThere({ root, until }: Span, rows: readonly Standing[], journal: JournalSeen): Asking<Working[]> {
  const known = new Set(rows.map(({ no }) => no))
  const open = (yield* journal.sittings(most.running)).filter((row) => row.open !== null && !known.has(row.no))
  const working: Working[] = []
  for (const { no, sitting, started_at: at } of open) {
    const session_id = (yield* askRow(sessions, root, no))?.id ?? ''
    const ran_ms = Math.max(0, until - at)
    working.push({ no, what: 'sitting', name: sittingId(sitting), session_id, since: isoTime(at), ran_ms })
  }
  return working
}

/** When the newest message of its conversation was recorded. */
function* lastSaid({ root, last }: Span, no: number): Asking<number | undefined> {
  const stream = contextStream(no)
  const now = (yield* askRow(streams, root, stream))?.version ?? 0
  const version = now === 0 ? 0 : yield* versionAt(root, stream, now, last)
  if (version === 0) return undefined
  const [event] = yield* ask(aboutLog.events_of_version, root, stream, version)
  return event?.at
}

export function parkedThere(rows: readonly Standing[]): ReportParked[] {
  return rows.map(({ agent, name, id, status, updated_at, parked, wake_at }) => ({
    name: agent ?? name,
    session_id: id,
    status,
    since: isoTime(updated_at),
    waits_for: parked === null || status === 'paused' ? null : (JSON.parse(parked) as AgentParked).why,
    wake_at: wake_at === null ? null : isoTime(wake_at),
  }))
}
