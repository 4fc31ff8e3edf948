import type { Event } from '../log/event.ts'
import type { EvolvingOf } from '../log/evolve.ts'
import type { Rows } from '../log/rows.ts'
import type { RunFact } from '../runs/facts.ts'
import type { JournalFact, ResumeContextChanged } from './facts.ts'
import { changePosition, journalOf, saidBy } from './journal.ts'
import {
  blockers,
  decisions,
  implementations,
  journalFiles,
  journalNotes,
  journalQuestions,
  journals,
  needs,
  nextActions,
  verifications,
} from './tables.ts'

const jsonOrNull = (list: readonly unknown[] | undefined) => (list === undefined ? null : JSON.stringify(list))

type Evolving = EvolvingOf<JournalFact>

const decision: Pick<Evolving, 'decision_made'> = {
  decision_made(rows, event) {
    const { decision, kind, text, context, reason, alternatives, reversible, supersedes } = event.data
    const journal = journalOf(rows)
    const superseded = journal.superseded + (supersedes === undefined ? 0 : 1)
    rows.put(journals, { ...journal, decisions: decision, superseded })
    rows.put(decisions, {
      root: rows.root,
      decision,
      kind,
      text,
      context,
      reason,
      alternatives: jsonOrNull(alternatives),
      reversible: reversible ? 1 : 0,
      supersedes: supersedes ?? null,
      superseded_by: null,
      ...saidBy(event),
    })
    const before = supersedes === undefined ? undefined : rows.get(decisions, supersedes)
    if (before) rows.put(decisions, { ...before, superseded_by: decision })
  },
}

const blocking: Pick<Evolving, 'blocker_identified' | 'blocker_bypassed' | 'blocker_resolved'> = {
  blocker_identified(rows, event) {
    const { blocker, text, affects, tasks } = event.data
    const journal = journalOf(rows)
    rows.put(journals, { ...journal, blockers: blocker, active: journal.active + 1 })
    rows.put(blockers, {
      root: rows.root,
      blocker,
      status: 'active',
      text,
      affects: JSON.stringify(affects),
      tasks: JSON.stringify(tasks ?? []),
      workaround: null,
      workaround_tasks: null,
      resolution: null,
      changed_at: event.at,
      changed_by: event.session_no,
      ...saidBy(event),
    })
  },
  blocker_bypassed(rows, event) {
    const { blocker, workaround, tasks } = event.data
    changeBlocker(rows, event, blocker, { status: 'bypassed', workaround, workaround_tasks: jsonOrNull(tasks) })
  },
  blocker_resolved(rows, event) {
    const { blocker, resolution } = event.data
    changeBlocker(rows, event, blocker, { status: 'resolved', resolution })
  },
}

type BlockerChange = { status: string; workaround?: string; workaround_tasks?: string | null; resolution?: string }

function changeBlocker(rows: Rows, event: Event, blocker: number, change: BlockerChange): void {
  const row = rows.get(blockers, blocker)
  if (row === undefined) throw new Error(`there is no blocker ${blocker}`)
  const journal = journalOf(rows)
  const active = journal.active - (row.status === 'active' ? 1 : 0)
  const resolved = journal.resolved + (change.status === 'resolved' ? 1 : 0)
  rows.put(journals, { ...journal, active, resolved })
  rows.put(blockers, { ...row, ...change, changed_at: event.at, changed_by: event.session_no })
}

const needing: Pick<Evolving, 'need_raised' | 'need_met'> = {
  need_raised(rows, event) {
    const { need, kind, session, text, about, actions } = event.data
    rows.put(journals, { ...journalOf(rows), needs: need })
    rows.put(needs, {
      root: rows.root,
      need,
      kind,
      session,
      text,
      about: about ?? null,
      open: openAs(need, about),
      actions: jsonOrNull(actions),
      met_at: null,
      met_by: null,
      how: null,
      answer: null,
      ...saidBy(event),
    })
  },
  need_met(rows, event) {
    const { need, how, answer } = event.data
    const row = rows.get(needs, need)
    if (row === undefined) throw new Error(`there is no need ${need}`)
    const met = { met_at: event.at, met_by: event.session_no, how, answer: answer ?? null }
    rows.put(needs, { ...row, ...met, open: null })
  },
}

/** What an open need is found by; one that is about nothing is about itself. */
function openAs(need: number, about: string | undefined): string {
  return about ?? `need/${need}`
}

const telling: Pick<Evolving, 'next_action_set' | 'note_added' | 'question_answered' | 'verification_recorded'> = {
  next_action_set(rows, event) {
    rows.put(nextActions, { root: rows.root, text: event.data.text, ...saidBy(event) })
  },
  note_added(rows, event) {
    const row = journalOf(rows)
    const note = row.notes + 1
    rows.put(journals, { ...row, notes: note })
    rows.put(journalNotes, { root: rows.root, note, text: event.data.text, ...saidBy(event) })
  },
  question_answered(rows, event) {
    const { question, answer } = event.data
    const row = rows.get(journalQuestions, question)
    if (row === undefined) throw new Error(`there is no question ${question}`)
    rows.put(journalQuestions, { ...row, answer, answered_at: event.at, answered_by: event.session_no })
  },
  verification_recorded(rows, event) {
    const { text, passed, details } = event.data
    const row = journalOf(rows)
    const verification = row.verifications + 1
    rows.put(journals, { ...row, verifications: verification })
    const found = { text, passed: passed ? 1 : 0, details: details ?? null }
    rows.put(verifications, { root: rows.root, verification, ...found, ...saidBy(event) })
  },
}

/** What is emptied goes first: all of it up to this event. */
function changeResumeContext(rows: Rows, event: Event, change: ResumeContextChanged): void {
  const { files = [], implementations: built = [], questions = [], clear = [] } = change
  const row = { ...journalOf(rows) }
  const said = saidBy(event)
  const { root } = rows
  for (const list of clear) row[`${list}_after`] = event.seq - 1
  for (const file of new Set(files)) {
    if (rows.get(journalFiles, file) === undefined) row.files += 1
    rows.put(journalFiles, { root, file, ...said })
  }
  for (const { text, file = null, contains = null, command = null } of built) {
    row.implementations += 1
    const implementation = row.implementations
    rows.put(implementations, { root, implementation, text, file, contains, command, ...said })
  }
  for (const text of questions) {
    row.questions += 1
    const open = { answer: null, answered_at: null, answered_by: null }
    rows.put(journalQuestions, { root, question: row.questions, text, ...open, ...said })
  }
  rows.put(journals, row)
}

/** What each fact does to the journal; a sitting that begins is counted here, and kept with the runs. */
export const evolveJournal: EvolvingOf<JournalFact> & Pick<EvolvingOf<RunFact>, 'run_started'> = {
  position_changed: (rows, event) => changePosition(rows, event, event.data),
  ...decision,
  ...blocking,
  ...needing,
  ...telling,
  resume_context_changed: (rows, event) => changeResumeContext(rows, event, event.data),
  run_started(rows, { data: { sitting } }) {
    if (sitting !== undefined) rows.put(journals, { ...journalOf(rows), sittings: sitting })
  },
}
