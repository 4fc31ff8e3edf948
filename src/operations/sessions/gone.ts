import type { Deciding } from '../../domain/log/deciding.ts'
import { type RangeRef, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { crashedRefs, crashRuns } from '../../domain/runs/crashed.ts'
import { runStream } from '../../domain/runs/facts.ts'
import { runs, sittings } from '../../domain/runs/tables.ts'
import { hasEnded, type Status } from '../../domain/sessions/lifecycle.ts'
import { isSameProcess, processGone, unbindProcess } from '../../domain/sessions/process.ts'
import { type SessionRow, sessionProcesses } from '../../domain/sessions/tables.ts'
import { change } from '../operation.ts'
import { endingRefs, endSession, recordStatus } from './end.ts'
import { processInput } from './join.ts'

/** Ends a session whose process is gone, unless somebody else did meanwhile. No surface offers it. */
export const sessionGone = change({
  name: 'session.gone',
  summary: 'End a session whose process is missing.',
  command: { words: [] },
  onFullRoot: 'due',
  input: processInput,
  needs: (_process, rows, { no }) => [
    ...endingRefs(rows, no),
    ...crashedRefs(no),
    rowOf(streams, runStream(no)),
    ...allRunsOf(no),
  ],
  decide(process, on) {
    const session = on.session as SessionRow
    if (!isSameProcess(on.rows.get(sessionProcesses, on.no), process)) return { ended: false }
    if (hasEnded(session.status)) unbindProcess(on, on.no)
    else if (crashAll(on)) standStill(on, session)
    else endSession(on, session, 'completed', processGone)
    return { ended: true }
  },
})

function allRunsOf(no: number): RangeRef[] {
  return [runs, sittings].map((table) => ({ table, range: { column: 'no', from: no, to: no + 1 } }))
}

/** Nobody can end what ran in it any more. Says whether that was the run of an agent, which can be resumed, and not a sitting alone. */
function crashAll(on: Deciding): boolean {
  crashRuns(on, on.no, 'Its program is gone.')
  const open = on.rows.all(runs).filter(({ no, ended_at }) => no === on.no && ended_at === null)
  open.sort((a, b) => (a.run < b.run ? -1 : 1))
  on.rows.mustKnow(open.map(({ run }) => rowOf(sittings, on.no, run)))
  for (const { run } of open)
    on.record({ type: 'run_ended', stream: runStream(on.no), data: { run, how: 'crashed', reason: processGone } })
  return open.length > 0
}

/** It waits to be resumed, with what it holds. */
function standStill(on: Deciding, session: SessionRow): void {
  unbindProcess(on, on.no)
  const status: Status = 'resumable'
  if (session.status !== status) recordStatus(on, session, status, processGone)
}
