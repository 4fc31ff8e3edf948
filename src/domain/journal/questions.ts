import { question, questions } from '../log/questions.ts'
import { atMost, columnsOf } from '../log/sql/text.ts'
import type { AnyTable } from '../log/tables.ts'
import type { SessionRow } from '../sessions/tables.ts'
import {
  type BlockerRow,
  blockers,
  type DecisionRow,
  decisions,
  type FileRow,
  type ImplementationRow,
  implementations,
  journalFiles,
  journalNotes,
  journalQuestions,
  type NeedRow,
  type NoteRow,
  needs,
  type QuestionRow,
  type VerificationRow,
  verifications,
} from './tables.ts'

/** An open need with the session that it is about and the root of both. */
export type NeedFound = NeedRow & Pick<SessionRow, 'name'> & { session_id: string; root_id: string }

/** Rows of a root ($1), the newest first, as many as $2. */
function newest(table: AnyTable, by: string, condition = '', then = ''): string {
  return `SELECT ${columnsOf(table)} FROM ${table.name} WHERE root = $1 ${condition} ORDER BY ${by} DESC${then} ${atMost(2)}`
}

/** Those that were added after an event ($3). */
function since(table: AnyTable, by: string, condition = '', then = ''): string {
  return newest(table, by, `AND seq > $3 ${condition}`, then)
}

/** Its oldest come first: whoever waits longest. */
function open(condition: string, limit: number): string {
  return `SELECT ${columnsOf(needs, 'n.')}, s.name, s.id AS session_id, r.id AS root_id FROM needs n
    JOIN roots r ON r.root = n.root JOIN sessions s ON s.root = n.root AND s.no = n.session
    WHERE n.open IS NOT NULL AND r.hidden = 0 ${condition} ${atMost(limit)}`
}

/** About journals. */
export const aboutJournal = questions({
  decisions_holding: question<DecisionRow>(newest(decisions, 'decision', 'AND superseded_by IS NULL')),
  decisions_newest: question<DecisionRow>(newest(decisions, 'decision')),
  blockers_open: question<BlockerRow>(newest(blockers, 'blocker', `AND status <> 'resolved'`)),
  blockers_newest: question<BlockerRow>(newest(blockers, 'blocker')),
  needs_open: question<NeedFound>(open('AND n.root = $1 ORDER BY n.need', 2)),
  needs_open_everywhere: question<NeedFound>(open('ORDER BY n.at, n.root, n.need', 1)),
  questions_open: question<QuestionRow>(since(journalQuestions, 'question', 'AND answered_at IS NULL')),
  questions_newest: question<QuestionRow>(newest(journalQuestions, 'question')),
  files_newest: question<FileRow>(since(journalFiles, 'seq', '', ', file')),
  implementations_newest: question<ImplementationRow>(since(implementations, 'implementation')),
  notes_newest: question<NoteRow>(newest(journalNotes, 'note')),
  verifications_newest: question<VerificationRow>(newest(verifications, 'verification')),
})
