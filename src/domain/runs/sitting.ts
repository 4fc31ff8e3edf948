import type { Event } from '../log/event.ts'
import type { Rows } from '../log/rows.ts'
import { type RunEnded, type RunReported, type RunStarted, runsOf } from './facts.ts'
import { type SittingRow, sittings } from './tables.ts'

/** Models get worse long before their window is full. */
const contextUsageFine = 0.5
const contextIssue = 'More than half of the context was used: quality may have degraded.'

/** What went wrong in a run by itself. */
export function issuesOf(contextUsage: number | undefined): string[] {
  return (contextUsage ?? 0) > contextUsageFine ? [contextIssue] : []
}

export function startSitting(rows: Rows, event: Event, made: RunStarted): void {
  const { run, sitting, follows = null, working_on = null, notes = null } = made
  if (sitting === undefined) return
  const no = runsOf(event.stream) as number
  rows.put(sittings, {
    root: rows.root,
    no,
    run,
    sitting,
    follows,
    working_on,
    notes,
    completed: null,
    issues: null,
    handoff: null,
    context_usage: null,
    started_at: event.at,
    ended_at: null,
    ended_seq: null,
    how: null,
    open: no,
  })
}

/** What it used counts as an issue from then on, whatever is said later. */
export function reportSitting(rows: Rows, event: Event, { run, context_usage }: RunReported): void {
  const row = rows.get(sittings, runsOf(event.stream) as number, run)
  if (row === undefined || context_usage === undefined) return
  rows.put(sittings, { ...row, context_usage: String(context_usage), issues: withIssues(row, issuesOf(context_usage)) })
}

export function endSitting(rows: Rows, event: Event, told: RunEnded): void {
  const row = rows.get(sittings, runsOf(event.stream) as number, told.run)
  if (row === undefined) return
  const { how, completed, notes, issues = [], handoff = null } = told
  rows.put(sittings, {
    ...row,
    notes: [row.notes, notes].filter(Boolean).join('\n') || null,
    completed: completed === undefined ? null : JSON.stringify(completed),
    issues: withIssues(row, issues),
    handoff,
    ended_at: event.at,
    ended_seq: event.seq,
    how,
    open: null,
  })
}

function withIssues({ issues }: SittingRow, more: readonly string[]): string | null {
  const all = new Set([...listOf(issues), ...more])
  return all.size === 0 ? null : JSON.stringify([...all])
}

export function listOf(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[])
}
