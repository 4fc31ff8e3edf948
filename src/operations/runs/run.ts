import type { Deciding } from '../../domain/log/deciding.ts'
import { object, optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, askRows } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { rowsAt } from '../../domain/log/row-past.ts'
import { type RangeRef, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { runStream } from '../../domain/runs/facts.ts'
import { ended, madeWith, providerSession, runId, started, usage } from '../../domain/runs/members.ts'
import { runsPart } from '../../domain/runs/part.ts'
import { changesSince, openRun, showRun } from '../../domain/runs/run.ts'
import { type RunRow, runs, sittings } from '../../domain/runs/tables.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { bindProcess, isSameProcess, processRef, programEnded, unbindProcess } from '../../domain/sessions/process.ts'
import { type ProcessIdentity, type SessionRow, sessionProcesses, sessions } from '../../domain/sessions/tables.ts'
import { agents } from '../../domain/workflow/tables.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'
import { recordStatus } from '../sessions/end.ts'
import { processInput } from '../sessions/join.ts'

function runsOfSession(no: number): RangeRef {
  return { table: runs, range: { column: 'no', from: no, to: no + 1 } }
}

/** The run before, by when it was started; ids of runs grow with time. */
function newestRun(rows: Rows, no: number): RunRow | undefined {
  const all = rows.all(runs).filter((row) => row.no === no)
  return all.sort((a, b) => a.started_at - b.started_at || (a.run < b.run ? -1 : 1)).at(-1)
}

/** What says that a session runs for as long as its process does, and no longer. */
const withProcess = {
  process: optional(object(processInput, 'The process that runs it: the session stands still once that is gone.')),
}

function boundRefs(no: number): Ref[] {
  return [processRef(no), rowOf(agents, no), rowOf(streams, sessionStream(no))]
}

/** The root stands for all of its work, and an agent of a workflow is supervised: neither goes on and stands still with one process. */
function isBound(on: Deciding, process: ProcessIdentity | undefined): process is ProcessIdentity {
  return process !== undefined && on.no !== 0 && on.rows.get(agents, on.no) === undefined
}

/** The session runs while this process does. */
function goOnWith(on: Deciding, session: SessionRow, process: ProcessIdentity | undefined): void {
  if (!isBound(on, process)) return
  bindProcess(on, session.no, process)
  if (session.status === 'resumable') recordStatus(on, session, 'running')
}

/** Its process is about to end: it can be resumed. */
function standStill(on: Deciding, session: SessionRow, process: ProcessIdentity | undefined): void {
  if (!isBound(on, process) || !isSameProcess(on.rows.get(sessionProcesses, on.no), process)) return
  unbindProcess(on, session.no)
  if (session.status === 'running') recordStatus(on, session, 'resumable', programEnded)
}

export const runStart = change({
  name: 'run.start',
  summary: 'Start a run of a session, and say what has changed since the last one.',
  command: { words: ['session run start'], positional: ['session'] },
  reach: 'subtree',
  input: { ...started, mode: optional(started.mode), ...withProcess },
  needs: (_input, _rows, { no }) => [rowOf(streams, runStream(no)), runsOfSession(no), ...boundRefs(no)],
  decide({ mode = 'cli', adapter, model, prompt, tools, provider_session_id, process }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const session = on.session as SessionRow
    goOnWith(on, session, process)
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
  input: { run: runId, ...ended, how: optional(ended.how), ...withProcess },
  needs: (input, _rows, { no }) => [
    ...boundRefs(no),
    rowOf(streams, runStream(no)),
    rowOf(runs, no, input.run),
    rowOf(sittings, no, input.run),
  ],
  decide({ run, how = 'completed', reason, process }, on) {
    const session = on.session as SessionRow
    const row = openRun(on.rows, session.no, run)
    if (row instanceof Refusal) return row
    const data = { run, how, ...(reason !== undefined && { reason }) }
    on.record({ type: 'run_ended', stream: runStream(session.no), data })
    standStill(on, session, process)
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
