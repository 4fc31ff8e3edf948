import { JournalSeen } from '../../domain/journal/seen.ts'
import {
  type BlockerRow,
  type DecisionRow,
  type FileRow,
  type ImplementationRow,
  type JournalRow,
  journalQuestions,
  type NextActionRow,
  type QuestionRow,
} from '../../domain/journal/tables.ts'
import { type Asking, askRows } from '../../domain/log/questions.ts'
import type { ManifestRows } from '../../domain/manifest/manifest.ts'
import type { Task } from '../../domain/plan/known.ts'
import { type PlanRow, plans, taskProgress, tasks } from '../../domain/plan/tables.ts'
import type { SittingRow } from '../../domain/runs/tables.ts'
import { manifestRows } from '../../operations/manifest/show.ts'

/** Of each kind of entry, as many as stand in a file that people read; the log has the others. */
const entriesMax = 200

/** All that the files of a session folder are made from. */
export interface RowsToRender extends ManifestRows {
  readonly rootId: string
  readonly replica: string
  readonly plans: readonly Readonly<PlanRow>[]
  /** By their numbers. */
  readonly tasks: readonly Task[]
  readonly journal: Readonly<JournalRow> | undefined
  readonly nextAction: Readonly<NextActionRow> | undefined
  /** Those that hold; the newest first, as all of these. */
  readonly decisions: readonly DecisionRow[]
  /** Active and bypassed ones. */
  readonly blockers: readonly BlockerRow[]
  /** In the order in which they were asked, with those that are answered. */
  readonly questions: readonly QuestionRow[]
  readonly files: readonly FileRow[]
  readonly implementations: readonly ImplementationRow[]
  readonly sittings: readonly SittingRow[]
}

/** Asks a store for them, as they are now. */
export function* rowsToRender(root: number, rootId: string, replica: string): Asking<RowsToRender | undefined> {
  const manifest = yield* manifestRows(root, undefined)
  if (manifest === undefined) return undefined
  const progress = new Map((yield* askRows(taskProgress, root)).map((row) => [row.task, row]))
  const seen = new JournalSeen(root, undefined)
  const journal = yield* seen.row()
  return {
    ...manifest,
    rootId,
    replica,
    plans: yield* askRows(plans, root),
    tasks: (yield* askRows(tasks, root)).flatMap((row) => {
      const done = progress.get(row.task)
      return done === undefined ? [] : [{ row, progress: done }]
    }),
    journal,
    nextAction: yield* seen.next(),
    decisions: yield* seen.decisionsHolding(entriesMax),
    blockers: yield* seen.blockersOpen(entriesMax),
    questions: (yield* askRows(journalQuestions, root)).filter(({ seq }) => seq > (journal?.questions_after ?? 0)),
    files: yield* seen.files(entriesMax, journal?.files_after ?? 0),
    implementations: yield* seen.implementations(entriesMax, journal?.implementations_after ?? 0),
    sittings: yield* seen.sittings(entriesMax),
  }
}
