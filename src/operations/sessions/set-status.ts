import { oneOf, optional } from '../../domain/log/input-schema.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { checkTransition, hasEnded, type Status } from '../../domain/sessions/lifecycle.ts'
import { endReason } from '../../domain/sessions/members.ts'
import { statusMeant, statusWord, understoodWords } from '../../domain/sessions/status-words.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { change } from '../operation.ts'
import { endingRefs, endSession } from './end.ts'

export const sessionSetStatus = change({
  name: 'session.setStatus',
  summary: 'Set the status of a session: active, paused, complete or failed.',
  command: { words: ['session set-status'], positional: ['session', 'status'] },
  reach: 'subtree',
  onFullRoot: 'frees',
  input: { status: oneOf('The status.', understoodWords), reason: optional(endReason) },
  needs: (_input, rows, { no }) => endingRefs(rows, no),
  decide({ status: word, reason }, on) {
    const session = on.session as SessionRow
    const from = session.status as Status
    const to = statusMeant(word, from)
    const shown = { session_id: session.id, status: to, word: statusWord(to), was: from }
    if (to === from) return { ...shown, changed: false }
    const refusal = checkTransition(from, to)
    if (refusal) return refusal
    if (hasEnded(to)) endSession(on, session, to, reason)
    else {
      const data = reason === undefined ? { from, to } : { from, to, reason }
      on.record({ type: 'status_changed', stream: sessionStream(session.no), data })
    }
    return { ...shown, changed: true }
  },
})
