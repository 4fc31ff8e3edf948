import type { JournalQuestions } from '../../domain/journal/questions.ts'
import {
  blockers,
  decisions,
  implementations,
  journalFiles,
  journalNotes,
  journalQuestions,
  needs,
  verifications,
} from '../../domain/journal/tables.ts'
import type { AnyTable } from '../../domain/log/tables.ts'
import { atMost, columnsOf, type Text } from './text.ts'

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
export const journalQuestionsText = {
  decisions_holding: newest(decisions, 'decision', 'AND superseded_by IS NULL'),
  decisions_newest: newest(decisions, 'decision'),
  blockers_open: newest(blockers, 'blocker', `AND status <> 'resolved'`),
  blockers_newest: newest(blockers, 'blocker'),
  needs_open: open('AND n.root = $1 ORDER BY n.need', 2),
  needs_open_everywhere: open('ORDER BY n.at, n.root, n.need', 1),
  questions_open: since(journalQuestions, 'question', 'AND answered_at IS NULL'),
  questions_newest: newest(journalQuestions, 'question'),
  files_newest: since(journalFiles, 'seq', '', ', file'),
  implementations_newest: since(implementations, 'implementation'),
  notes_newest: newest(journalNotes, 'note'),
  verifications_newest: newest(verifications, 'verification'),
} satisfies Record<keyof JournalQuestions, Text>
