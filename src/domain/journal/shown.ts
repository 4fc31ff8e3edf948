import { isoTime } from '../log/identity.ts'
import { taskId } from '../plan/task.ts'
import { entryId } from './numbers.ts'
import type {
  BlockerRow,
  DecisionRow,
  FileRow,
  ImplementationRow,
  JournalRow,
  NextActionRow,
  NoteRow,
  QuestionRow,
  VerificationRow,
} from './tables.ts'

/** Who is asked for what a session is called. */
export type NameOf = (no: number) => string | null

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at))
export const listOf = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]))

/** Which event said it, when, and who. */
function shownSaid({ seq, at, no }: { seq: number; at: number; no: number }, idOf: NameOf) {
  return { seq, at: isoTime(at), by: idOf(no) }
}

export interface AlternativeShown {
  readonly [name: string]: string
}

export function showDecision(row: DecisionRow, idOf: NameOf) {
  const { decision, kind, text, context, reason, alternatives, reversible, supersedes, superseded_by } = row
  return {
    id: entryId('decision', decision),
    kind,
    decision: text,
    context,
    reason,
    alternatives: alternatives === null ? [] : (JSON.parse(alternatives) as AlternativeShown[]),
    reversible: reversible === 1,
    supersedes: supersedes === null ? null : entryId('decision', supersedes),
    superseded_by: superseded_by === null ? null : entryId('decision', superseded_by),
    ...shownSaid(row, idOf),
  }
}

function taskIds(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as number[]).map(taskId)
}

export function showBlocker(row: BlockerRow, idOf: NameOf) {
  const { blocker, status, text, affects, tasks, workaround, workaround_tasks, resolution } = row
  return {
    id: entryId('blocker', blocker),
    status,
    description: text,
    affects: listOf(affects),
    blocked_tasks: taskIds(tasks),
    workaround,
    workaround_tasks: taskIds(workaround_tasks),
    resolution,
    identified_at: isoTime(row.at),
    resolved_at: status === 'resolved' ? isoTime(row.changed_at) : null,
    changed_at: isoTime(row.changed_at),
    changed_by: idOf(row.changed_by),
    ...shownSaid(row, idOf),
  }
}

export function showQuestion(row: QuestionRow, idOf: NameOf) {
  const { question, text, answer, answered_at, answered_by } = row
  return {
    id: entryId('question', question),
    question: text,
    answer,
    answered_at: timeOrNull(answered_at),
    answered_by: answered_by === null ? null : idOf(answered_by),
    ...shownSaid(row, idOf),
  }
}

export function showPosition({ phase, plan, task, wave, status, moved_at, moved_by }: JournalRow, idOf: NameOf) {
  return {
    phase,
    plan,
    task,
    wave,
    status,
    at: timeOrNull(moved_at),
    by: moved_by === null ? null : idOf(moved_by),
  }
}

export function showNext(row: NextActionRow | undefined, idOf: NameOf) {
  return row === undefined ? null : { text: row.text, ...shownSaid(row, idOf) }
}

export function showNote(row: NoteRow, idOf: NameOf) {
  return { text: row.text, ...shownSaid(row, idOf) }
}

export function showFile(row: FileRow, idOf: NameOf) {
  return { file: row.file, ...shownSaid(row, idOf) }
}

export function showImplementation(row: ImplementationRow, idOf: NameOf) {
  const { text, file, contains, command } = row
  return { text, file, contains, command, ...shownSaid(row, idOf) }
}

export function showVerification(row: VerificationRow, idOf: NameOf) {
  return { text: row.text, passed: row.passed === 1, details: row.details, ...shownSaid(row, idOf) }
}
