import type { SessionRow } from '../sessions/tables.ts'
import type {
  BlockerRow,
  DecisionRow,
  FileRow,
  ImplementationRow,
  NeedRow,
  NoteRow,
  QuestionRow,
  VerificationRow,
} from './tables.ts'

/** An open need with the session that it is about and the root of both. */
export type NeedFound = NeedRow & Pick<SessionRow, 'name'> & { session_id: string; root_id: string }

/** What the store can be asked about journals. All answers begin with what is newest, and have no more than was asked for. */
export interface JournalQuestions {
  decisions_holding: DecisionRow
  decisions_newest: DecisionRow
  blockers_open: BlockerRow
  blockers_newest: BlockerRow
  needs_open: NeedFound
  needs_open_everywhere: NeedFound
  questions_open: QuestionRow
  questions_newest: QuestionRow
  files_newest: FileRow
  implementations_newest: ImplementationRow
  notes_newest: NoteRow
  verifications_newest: VerificationRow
}

declare module '../log/questions.ts' {
  interface Questions extends JournalQuestions {}
}
