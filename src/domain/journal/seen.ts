import { type Answers, type Asking, ask, askRow } from '../log/questions.ts'
import { rowsAt, rowThen } from '../log/row-past.ts'
import { aboutLog } from '../log/sql/about-log.ts'
import type { Table } from '../log/tables.ts'
import { aboutRuns } from '../runs/questions.ts'
import type { SittingRow } from '../runs/tables.ts'
import { sittings } from '../runs/tables.ts'
import { sessions } from '../sessions/tables.ts'
import { aboutJournal, type NeedFound } from './questions.ts'
import {
  type BlockerRow,
  blockers,
  type DecisionRow,
  decisions,
  type FileRow,
  type ImplementationRow,
  implementations,
  type JournalRow,
  journalFiles,
  journalNotes,
  journalQuestions,
  journals,
  type NeedRow,
  type NextActionRow,
  type NoteRow,
  needs,
  nextActions,
  type QuestionRow,
  type VerificationRow,
  verifications,
} from './tables.ts'

/**
 * The journal of a root, now or as of an event. Each list begins with what is newest and is no longer than was asked for: at present
 * the store reads no more than that.
 */
export class JournalSeen {
  readonly root: number
  readonly #at: number | undefined

  constructor(root: number, at: number | undefined) {
    this.root = root
    this.#at = at
  }

  *row(): Asking<JournalRow | undefined> {
    return yield* this.#only(journals)
  }

  *next(): Asking<NextActionRow | undefined> {
    return yield* this.#only(nextActions)
  }

  *decisionsHolding(most: number): Asking<readonly DecisionRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.decisions_holding, this.root, most)
    return newest(yield* this.#then(decisions), 'decision', most, ({ superseded_by }) => superseded_by === null)
  }

  *decisions(most: number): Asking<readonly DecisionRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.decisions_newest, this.root, most)
    return newest(yield* this.#then(decisions), 'decision', most)
  }

  *blockersOpen(most: number): Asking<readonly BlockerRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.blockers_open, this.root, most)
    return newest(yield* this.#then(blockers), 'blocker', most, ({ status }) => status !== 'resolved')
  }

  *blockers(most: number): Asking<readonly BlockerRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.blockers_newest, this.root, most)
    return newest(yield* this.#then(blockers), 'blocker', most)
  }

  /** The oldest come first: whoever waits longest. */
  *needs(most: number): Asking<readonly NeedFound[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.needs_open, this.root, most)
    const open = (yield* this.#then(needs)).filter((row) => row.open !== null)
    const oldest = open.sort((a, b) => a.need - b.need).slice(0, most)
    const found: NeedFound[] = []
    for (const row of oldest) found.push(yield* withSession(row))
    return found
  }

  *questions(most: number, after: number): Asking<readonly QuestionRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.questions_open, this.root, most, after)
    const isOpen = ({ answered_at, seq }: QuestionRow) => answered_at === null && seq > after
    return newest(yield* this.#then(journalQuestions), 'question', most, isOpen)
  }

  *files(most: number, after: number): Asking<readonly FileRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.files_newest, this.root, most, after)
    const files = yield* this.#then(journalFiles)
    // What was named at once is in the order of its names.
    const sorted = files.filter(({ seq }) => seq > after).sort((a, b) => b.seq - a.seq || (a.file < b.file ? -1 : 1))
    return sorted.slice(0, most)
  }

  *implementations(most: number, after: number): Asking<readonly ImplementationRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.implementations_newest, this.root, most, after)
    return newest(yield* this.#then(implementations), 'implementation', most, ({ seq }) => seq > after)
  }

  *notes(most: number): Asking<readonly NoteRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.notes_newest, this.root, most)
    return newest(yield* this.#then(journalNotes), 'note', most)
  }

  *verifications(most: number): Asking<readonly VerificationRow[]> {
    if (this.#at === undefined) return yield* ask(aboutJournal.verifications_newest, this.root, most)
    return newest(yield* this.#then(verifications), 'verification', most)
  }

  *sittings(most: number, no?: number): Asking<readonly SittingRow[]> {
    if (this.#at !== undefined)
      return newest(yield* this.#then(sittings), 'sitting', most, (row) => no === undefined || row.no === no)
    return no === undefined
      ? yield* ask(aboutRuns.sittings_newest, this.root, most)
      : yield* ask(aboutRuns.sittings_of, this.root, most, no)
  }

  /** The only row of a table. */
  *#only<Row extends object>(table: Table<Row>): Asking<Row | undefined> {
    if (this.#at === undefined) return yield* askRow(table, this.root)
    const [kept]: Answers<{ row: string }> = yield* ask(aboutLog.row_at, this.root, table.name, '', this.#at)
    return kept && { root: this.root, ...rowThen(table, undefined, kept.row) }
  }

  *#then<Row extends object>(table: Table<Row>): Asking<Row[]> {
    return yield* rowsAt(table, this.root, this.#at ?? 0)
  }
}

function newest<Row extends object>(
  rows: readonly Row[],
  by: keyof Row,
  most: number,
  isMeant: (row: Row) => boolean = () => true,
): Row[] {
  return rows
    .filter(isMeant)
    .sort((a, b) => Number(b[by]) - Number(a[by]))
    .slice(0, most)
}

function* withSession(row: NeedRow): Asking<NeedFound> {
  const session = yield* askRow(sessions, row.root, row.session)
  const root = yield* askRow(sessions, row.root, 0)
  return { ...row, name: session?.name ?? '', session_id: session?.id ?? '', root_id: root?.id ?? '' }
}

/** What sessions are called and what their ids are; each is asked for once. */
export class SessionsNamed {
  readonly #root: number
  readonly #known = new Map<number, { readonly id: string; readonly name: string }>()

  constructor(root: number) {
    this.#root = root
  }

  *know(rows: readonly { readonly no: number }[]): Asking<void> {
    yield* this.knowNumbers(rows.map(({ no }) => no))
  }

  *knowNumbers(all: readonly (number | null)[]): Asking<void> {
    for (const no of all) {
      if (no === null || this.#known.has(no)) continue
      const row = yield* askRow(sessions, this.#root, no)
      if (row !== undefined) this.#known.set(no, { id: row.id, name: row.name })
    }
  }

  readonly idOf = (no: number): string | null => this.#known.get(no)?.id ?? null
  readonly nameOf = (no: number): string => this.#known.get(no)?.name ?? `session ${no}`
}
