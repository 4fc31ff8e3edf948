import type { Event } from '../log/event.ts'
import { isoTime } from '../log/identity.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { type RunEnded, type RunMadeWith, type RunReported, type RunStarted, type RunUsage, runsOf } from './facts.ts'
import { issuesOf } from './sitting.ts'
import { type RunRow, runs } from './tables.ts'

function noOf({ stream }: Event): number {
  const no = runsOf(stream)
  if (no === undefined) throw new Error(`${stream} holds no runs`)
  return no
}

export function startRun(rows: Rows, event: Event, made: RunStarted): void {
  rows.put(runs, {
    root: rows.root,
    no: noOf(event),
    run: made.run,
    mode: made.mode,
    adapter: made.adapter ?? null,
    model: made.model ?? null,
    prompt: made.prompt ?? null,
    tools: made.tools ?? null,
    provider_session: made.provider_session_id ?? null,
    started_at: event.at,
    ended_at: null,
    how: null,
    reason: null,
    usage: null,
  })
}

export function reportRun(rows: Rows, event: Event, { run, model, provider_session_id, ...used }: RunReported): void {
  const row = rowOfRun(rows, event, run)
  const usage: RunUsage = { ...usageOf(row), ...used }
  rows.put(runs, {
    ...row,
    model: model ?? row.model,
    provider_session: provider_session_id ?? row.provider_session,
    usage: Object.keys(usage).length === 0 ? null : JSON.stringify(usage),
  })
}

export function endRun(rows: Rows, event: Event, { run, how, reason }: RunEnded): void {
  rows.put(runs, { ...rowOfRun(rows, event, run), ended_at: event.at, how, reason: reason ?? null })
}

function rowOfRun(rows: Rows, event: Event, run: string): RunRow {
  const row = rows.get(runs, noOf(event), run)
  if (row === undefined) throw new Error(`there is no run ${run} of ${event.stream}`)
  return row
}

function usageOf({ usage }: RunRow): RunUsage {
  return usage === null ? {} : (JSON.parse(usage) as RunUsage)
}

/** A run that can still be told about. */
export function openRun(rows: Rows, no: number, run: string): RunRow | Refusal {
  const row = rows.get(runs, no, run)
  if (row === undefined) {
    const hint = 'List the runs with `run.list`; start one with `run.start`.'
    return refuse('not_found', `This session has no run ${JSON.stringify(run)}.`, hint, { run })
  }
  if (row.ended_at === null) return row
  const message = `The run ${run} has ended (${row.how}).`
  return refuse('illegal_transition', message, 'Start another run.', { run, how: row.how })
}

/** What is no longer as it was in the run before. */
export function changesSince(
  before: RunRow | undefined,
  now: RunMadeWith,
): { what: string; was: string; now: string }[] {
  if (before === undefined) return []
  const members = ['model', 'prompt', 'tools'] as const
  return members.flatMap((what) => {
    const [was, is] = [before[what], now[what]]
    return was !== null && is !== undefined && was !== is ? [{ what, was, now: is }] : []
  })
}

/** How a run is shown everywhere. */
export function showRun(row: RunRow, sessionId: string) {
  const { run, mode, adapter, model, provider_session, started_at, ended_at, how, reason } = row
  return {
    run,
    session_id: sessionId,
    mode,
    adapter,
    model,
    provider_session_id: provider_session,
    started_at: isoTime(started_at),
    ended_at: ended_at === null ? null : isoTime(ended_at),
    how,
    reason,
    usage: usageOf(row) as { [member: string]: number },
    issues: issuesOf(usageOf(row).context_usage),
  }
}
