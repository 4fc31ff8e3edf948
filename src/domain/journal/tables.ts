import { table } from '../log/tables.ts'

/** Where the work of a root stands, and how much its journal holds. A root that never uses it has no row. */
export interface JournalRow {
  root: number
  phase: number | null
  plan: number | null
  task: string | null
  wave: number | null
  status: string | null
  /** When the position was last changed, and by which session. */
  moved_at: number | null
  moved_by: number | null
  /** How many there have been: the next one has the number that follows. */
  decisions: number
  blockers: number
  needs: number
  questions: number
  implementations: number
  notes: number
  verifications: number
  sittings: number
  files: number
  /** How many decisions were superseded, and how many blockers resolved. */
  superseded: number
  resolved: number
  /** Blockers that are active now: neither bypassed nor resolved. */
  active: number
  /** What was added to the resume context up to these events was taken out of it. */
  files_after: number
  implementations_after: number
  questions_after: number
}

export const journals = table<JournalRow>(
  'journals',
  [],
  {
    root: 'integer',
    phase: 'integer',
    plan: 'integer',
    task: 'text',
    wave: 'integer',
    status: 'text',
    moved_at: 'integer',
    moved_by: 'integer',
    decisions: 'integer',
    blockers: 'integer',
    needs: 'integer',
    questions: 'integer',
    implementations: 'integer',
    notes: 'integer',
    verifications: 'integer',
    sittings: 'integer',
    files: 'integer',
    superseded: 'integer',
    resolved: 'integer',
    active: 'integer',
    files_after: 'integer',
    implementations_after: 'integer',
    questions_after: 'integer',
  },
  { past: true },
)

/** Which event said it, when, and which session. */
interface Said {
  seq: number
  at: number
  no: number
}

const said = { seq: 'integer', at: 'integer', no: 'integer' } as const

/** What comes next. */
export interface NextActionRow extends Said {
  root: number
  text: string
}

export const nextActions = table<NextActionRow>(
  'next_actions',
  [],
  { root: 'integer', text: 'text', ...said },
  { past: true },
)

export interface DecisionRow extends Said {
  root: number
  decision: number
  kind: string
  text: string
  context: string
  reason: string
  /** As JSON. */
  alternatives: string | null
  reversible: number
  supersedes: number | null
  superseded_by: number | null
}

export const decisions = table<DecisionRow>(
  'decisions',
  ['decision'],
  {
    root: 'integer',
    decision: 'integer',
    kind: 'text',
    text: 'text',
    context: 'text',
    reason: 'text',
    alternatives: 'text',
    reversible: 'integer',
    supersedes: 'integer',
    superseded_by: 'integer',
    ...said,
  },
  { past: true },
)

export interface BlockerRow extends Said {
  root: number
  blocker: number
  status: string
  text: string
  /** Lists as JSON: what it is in the way of, tasks that it blocks, and tasks of the workaround. */
  affects: string
  tasks: string
  workaround: string | null
  workaround_tasks: string | null
  resolution: string | null
  /** When its status last changed, and by which session. */
  changed_at: number
  changed_by: number
}

export const blockers = table<BlockerRow>(
  'blockers',
  ['blocker'],
  {
    root: 'integer',
    blocker: 'integer',
    status: 'text',
    text: 'text',
    affects: 'text',
    tasks: 'text',
    workaround: 'text',
    workaround_tasks: 'text',
    resolution: 'text',
    changed_at: 'integer',
    changed_by: 'integer',
    ...said,
  },
  { past: true },
)

/** Something that waits, or waited, for a person. */
export interface NeedRow extends Said {
  root: number
  need: number
  kind: string
  /** The session that it is about. */
  session: number
  text: string
  about: string | null
  /** What it is about, for as long as it is open. */
  open: string | null
  /** As JSON. */
  actions: string | null
  met_at: number | null
  met_by: number | null
  how: string | null
  answer: string | null
}

export const needs = table<NeedRow>(
  'needs',
  ['need'],
  {
    root: 'integer',
    need: 'integer',
    kind: 'text',
    session: 'integer',
    text: 'text',
    about: 'text',
    open: 'text',
    actions: 'text',
    met_at: 'integer',
    met_by: 'integer',
    how: 'text',
    answer: 'text',
    ...said,
  },
  { past: true },
)

/** What nobody knows yet, or did not. */
export interface QuestionRow extends Said {
  root: number
  question: number
  text: string
  answer: string | null
  answered_at: number | null
  answered_by: number | null
}

export const journalQuestions = table<QuestionRow>(
  'journal_questions',
  ['question'],
  {
    root: 'integer',
    question: 'integer',
    text: 'text',
    answer: 'text',
    answered_at: 'integer',
    answered_by: 'integer',
    ...said,
  },
  { past: true },
)

/** A file that was changed, relative to the project. */
export interface FileRow extends Said {
  root: number
  file: string
}

export const journalFiles = table<FileRow>(
  'journal_files',
  ['file'],
  { root: 'integer', file: 'text', ...said },
  { past: true },
)

/** What was built, and how it can be seen that it is still there. */
export interface ImplementationRow extends Said {
  root: number
  implementation: number
  text: string
  file: string | null
  contains: string | null
  command: string | null
}

export const implementations = table<ImplementationRow>(
  'implementations',
  ['implementation'],
  {
    root: 'integer',
    implementation: 'integer',
    text: 'text',
    file: 'text',
    contains: 'text',
    command: 'text',
    ...said,
  },
  { past: true },
)

export interface NoteRow extends Said {
  root: number
  note: number
  text: string
}

export const journalNotes = table<NoteRow>(
  'journal_notes',
  ['note'],
  { root: 'integer', note: 'integer', text: 'text', ...said },
  { past: true },
)

/** What somebody checked, and what came of it. */
export interface VerificationRow extends Said {
  root: number
  verification: number
  text: string
  passed: number
  details: string | null
}

export const verifications = table<VerificationRow>(
  'verifications',
  ['verification'],
  { root: 'integer', verification: 'integer', text: 'text', passed: 'integer', details: 'text', ...said },
  { past: true },
)
