import { journalPart } from '../../domain/journal/part.ts'
import { JournalSeen, SessionsNamed } from '../../domain/journal/seen.ts'
import {
  showBlocker,
  showDecision,
  showFile,
  showImplementation,
  showNext,
  showNote,
  showPosition,
  showQuestion,
  showVerification,
} from '../../domain/journal/shown.ts'
import type { JournalRow } from '../../domain/journal/tables.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { showSitting } from '../../domain/runs/shown-sitting.ts'
import { limit, past } from '../inputs.ts'
import { read } from '../operation.ts'

/** Of each kind, where nobody says how many. */
const shownUsual = 20

/** Everything that is shown, before it is. */
export function* readJournal(seen: JournalSeen, most: number) {
  const row = yield* seen.row()
  return {
    row,
    next: yield* seen.next(),
    decisions: yield* seen.decisionsHolding(most),
    blockers: yield* seen.blockersOpen(most),
    questions: yield* seen.questions(most, row?.questions_after ?? 0),
    files: yield* seen.files(most, row?.files_after ?? 0),
    implementations: yield* seen.implementations(most, row?.implementations_after ?? 0),
    notes: yield* seen.notes(most),
    verifications: yield* seen.verifications(most),
    sittings: yield* seen.sittings(most),
  }
}

type Read<A> = A extends Asking<infer Out> ? Out : never
export type JournalRead = Read<ReturnType<typeof readJournal>>

/** The sessions that wrote any of it. */
export function* namesOf(root: number, found: JournalRead): Asking<SessionsNamed> {
  const names = new SessionsNamed(root)
  const { row, next, decisions, blockers, questions, files, implementations, notes, verifications, sittings } = found
  const lists = [decisions, blockers, questions, files, implementations, notes, verifications, sittings]
  yield* names.knowNumbers([row?.moved_by ?? null, next?.no ?? null])
  for (const rows of lists) yield* names.know(rows as readonly { no: number }[])
  yield* names.knowNumbers(blockers.map(({ changed_by }) => changed_by))
  return names
}

const counted = ['decisions', 'blockers', 'questions', 'notes', 'verifications', 'sittings', 'files'] as const

/** How many there have been of each kind. */
function countsOf(row: JournalRow | undefined) {
  return Object.fromEntries(counted.map((name) => [name, row?.[name] ?? 0]))
}

export const journalShow = read({
  name: 'journal.show',
  summary: 'Show the journal: position, next action, blockers, decisions and open questions.',
  command: { words: ['journal', 'journal show'], topic: 'Keep the journal' },
  input: { limit, ...past },
  snapshot: true,
  *read(input, { root, rootId }) {
    const at = yield* pastPlace(root, input, journalPart)
    if (at instanceof Refusal) return at
    const found = yield* readJournal(new JournalSeen(root, at), input.limit ?? shownUsual)
    const { idOf } = yield* namesOf(root, found)
    return {
      root_session_id: rootId,
      position: found.row === undefined ? null : showPosition(found.row, idOf),
      next_action: showNext(found.next, idOf),
      decisions: found.decisions.map((row) => showDecision(row, idOf)),
      blockers: found.blockers.map((row) => showBlocker(row, idOf)),
      resume_context: {
        files: found.files.map((row) => showFile(row, idOf)),
        implementations: found.implementations.map((row) => showImplementation(row, idOf)),
        open_questions: found.questions.map((row) => showQuestion(row, idOf)),
      },
      verifications: found.verifications.map((row) => showVerification(row, idOf)),
      notes: found.notes.map((row) => showNote(row, idOf)),
      sittings: found.sittings.map((row) => showSitting(row, idOf)),
      counts: countsOf(found.row),
    }
  },
})
