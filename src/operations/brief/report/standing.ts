import { contextStream } from '../../../domain/conversations/facts.ts'
import type { ReportParked, ReportRunning } from '../../../domain/journal/report/report.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { versionAt } from '../../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../../domain/log/questions.ts'
import { aboutLog } from '../../../domain/log/sql/about-log.ts'
import { streams } from '../../../domain/log/tables.ts'
import type { AgentParked } from '../../../domain/workflow/facts.ts'
import type { Standing } from '../../../domain/workflow/questions.ts'
import type { Span } from './span.ts'

/** Events of the log that are looked through for whoever was last heard of; further back only its conversation is asked. */
const heardEvents = 1000

/** Those who work, with when each was last heard of. */
export function* runningThere(span: Span, rows: readonly Standing[]): Asking<ReportRunning[]> {
  const { root, last, until } = span
  if (rows.length === 0) return []
  const recent = yield* ask(aboutLog.last_heard, root, Math.max(0, last - heardEvents), last)
  const heard = new Map(recent.map(({ session_no: no, at }) => [no, Number(at)]))
  const running: ReportRunning[] = []
  for (const row of rows) {
    const wrote = heard.get(row.no) ?? (yield* lastSaid(span, row.no))
    const began = row.run_at ?? row.updated_at
    running.push({
      name: row.agent ?? row.name,
      session_id: row.id,
      since: isoTime(began),
      ran_ms: Math.max(0, (row.paused_at ?? until) - began - (row.paused_ms ?? 0)),
      wrote_at: wrote === undefined ? null : isoTime(wrote),
    })
  }
  return running
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
