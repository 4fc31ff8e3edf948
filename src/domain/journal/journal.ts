import type { Event } from '../log/event.ts'
import type { Ref, Rows } from '../log/rows.ts'
import { rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { journalStream, type PositionChanged } from './facts.ts'
import { type JournalRow, journals } from './tables.ts'

/** What every change of the journal needs. */
export const journalRefs: readonly Ref[] = [rowOf(streams, journalStream), rowOf(journals)]

const empty: Omit<JournalRow, 'root'> = {
  phase: null,
  plan: null,
  task: null,
  wave: null,
  status: null,
  moved_at: null,
  moved_by: null,
  decisions: 0,
  blockers: 0,
  needs: 0,
  questions: 0,
  implementations: 0,
  notes: 0,
  verifications: 0,
  sittings: 0,
  files: 0,
  superseded: 0,
  resolved: 0,
  active: 0,
  files_after: 0,
  implementations_after: 0,
  questions_after: 0,
}

/** The journal of a root; that of one which never used it is empty. */
export function journalOf(rows: Rows): JournalRow {
  return rows.get(journals) ?? { root: rows.root, ...empty }
}

/** Which event it was, when, and which session acted. */
export function saidBy({ seq, at, session_no }: Event) {
  return { seq, at, no: session_no }
}

/** What is not said stays as it was. */
export function changePosition(rows: Rows, event: Event, moved: PositionChanged): void {
  const row = journalOf(rows)
  rows.put(journals, { ...row, ...moved, moved_at: event.at, moved_by: event.session_no })
}
