import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { isSameProcess, processGone, unbindProcess } from '../../domain/sessions/process.ts'
import { type SessionRow, sessionProcesses } from '../../domain/sessions/tables.ts'
import { change } from '../operation.ts'
import { endingRefs, endSession } from './end.ts'
import { processInput } from './join.ts'

/** Ends a session whose process is gone, unless somebody else did meanwhile. No surface offers it. */
export const sessionGone = change({
  name: 'session.gone',
  summary: 'End a session whose process is missing.',
  command: { words: [] },
  onFullRoot: 'due',
  input: processInput,
  needs: (_process, rows, { no }) => endingRefs(rows, no),
  decide(process, on) {
    const session = on.session as SessionRow
    if (!isSameProcess(on.rows.get(sessionProcesses, on.no), process)) return { ended: false }
    if (hasEnded(session.status)) unbindProcess(on, on.no)
    else endSession(on, session, 'completed', processGone)
    return { ended: true }
  },
})
