import { optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, askRows } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { rowsAt } from '../../domain/log/row-past.ts'
import { type RangeRef, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { runStream } from '../../domain/runs/facts.ts'
import { ended, madeWith, providerSession, runId, started, usage } from '../../domain/runs/members.ts'
import { runsPart } from '../../domain/runs/part.ts'
import { changesSince, openRun, showRun } from '../../domain/runs/run.ts'
import { type RunRow, runs, sittings } from '../../domain/runs/tables.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'

function runsOfSession(no: number): RangeRef {
  return { table: runs, range: { column: 'no', from: no, to: no + 1 } }
}

/** The run before, by when it was started; ids of runs grow with time. */
function newestRun(rows: Rows, no: number): RunRow | undefined {
  const all = rows.all(runs).filter((row) => row.no === no)
  return all.sort((a, b) => a.started_at - b.started_at || (a.run < b.run ? -1 : 1)).at(-1)
}

export const runStart = change({
  name: 'run.start',
  summary: 'Start a run of a session, and say what has changed since the last one.',
  command: { words: ['session run start'], positional: ['session'] },
  reach: 'subtree',
  input: { ...started, mode: optional(started.mode) },
  needs: (_input, _rows, { no }) => [rowOf(streams, runStream(no)), runsOfSession(no)],
  decide({ mode = 'cli', adapter, model, prompt, tools, provider_session_id }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const session = on.session as SessionRow
    const run = `run_${on.newId()}`
    const made = { ...(model && { model }), ...(prompt && { prompt }), ...(tools && { tools }) }
    const changed = changesSince(newestRun(on.rows, session.no), made)
    const rest = { ...(adapter && { adapter }), ...(provider_session_id && { provider_session_id }) }
    on.record({ type: 'run_started', stream: runStream(session.no), data: { run, mode, ...made, ...rest } })
    return { run, session_id: session.id, seq: on.rows.head()?.seq ?? 0, changed }
  },
})

export const runReport = change({
  name: 'run.report',
  summary: 'Say what a run has used so far: cumulative figures, of which the last counts.',
  command: { words: ['session run report'], positional: ['session', 'run'] },
  reach: 'subtree',
  input: { run: runId, model: madeWith.model, provider_session_id: providerSession, ...usage },
  needs: (input, _rows, { no }) => [
    rowOf(streams, runStream(no)),
    rowOf(runs, no, input.run),
    rowOf(sittings, no, input.run),
  ],
  decide({ run, model, provider_session_id, ...asked }, on) {
    const session = on.session as SessionRow
    const row = mayWrite(on) ?? openRun(on.rows, session.no, run)
    if (row instanceof Refusal) return row
    const { input_tokens, output_tokens, cached_tokens, usd, context_usage } = asked
    const figures = { input_tokens, output_tokens, cached_tokens, usd, context_usage, model, provider_session_id }
    const told = Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined))
    on.record({ type: 'run_reported', stream: runStream(session.no), data: { run, ...told } })
    return showRun(on.rows.get(runs, session.no, run) as RunRow, session.id)
  },
})

export const runEnd = change({
  name: 'run.end',
  summary: 'End a run and say how it ended.',
  command: { words: ['session run end'], positional: ['session', 'run'] },
  reach: 'subtree',
  input: { run: runId, ...ended, how: optional(ended.how) },
  needs: (input, _rows, { no }) => [
    rowOf(streams, runStream(no)),
    rowOf(runs, no, input.run),
    rowOf(sittings, no, input.run),
  ],
  decide({ run, how = 'completed', reason }, on) {
    const session = on.session as SessionRow
    const row = openRun(on.rows, session.no, run)
    if (row instanceof Refusal) return row
    const data = { run, how, ...(reason !== undefined && { reason }) }
    on.record({ type: 'run_ended', stream: runStream(session.no), data })
    return showRun(on.rows.get(runs, session.no, run) as RunRow, session.id)
  },
})

function* runsThen(root: number, at: number | undefined): Asking<readonly Readonly<RunRow>[]> {
  return at === undefined ? yield* askRows(runs, root) : yield* rowsAt(runs, root, at)
}

export const runList = read({
  name: 'run.list',
  summary: 'List the runs of a session: when, with what, how they ended and what they used.',
  command: { words: ['session runs'], positional: ['session'] },
  input: past,
  snapshot: isPast,
  *read(input, { root, no }) {
    const at = yield* pastPlace(root, input, runsPart)
    if (at instanceof Refusal) return at
    const ids = new Map((yield* askRows(sessions, root)).map((row) => [row.no, row.id]))
    const all = (yield* runsThen(root, at)).filter((row) => no === 0 || row.no === no)
    const sorted = [...all].sort((a, b) => a.started_at - b.started_at || (a.run < b.run ? -1 : 1))
    return { runs: sorted.map((row) => showRun(row, ids.get(row.no) ?? '')) }
  },
})
