import { changedLines } from '../../domain/journal/brief/changed.ts'
import type { Section } from '../../domain/journal/brief/compose.ts'
import { dataName, dataText, safeJson } from '../../domain/journal/brief/data.ts'
import {
  type Author,
  blockerLine,
  decisionLine,
  fileLine,
  implementationLine,
  minute,
  needLine,
  nextLine,
  positionLine,
  questionLine,
  resultLine,
  verificationLine,
} from '../../domain/journal/brief/lines.ts'
import { journalStream } from '../../domain/journal/facts.ts'
import { JournalSeen, SessionsNamed } from '../../domain/journal/seen.ts'
import type { EventToShow } from '../../domain/log/event.ts'
import { versionAt } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { oneRowThen } from '../../domain/log/row-past.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { streams } from '../../domain/log/tables.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { phases } from '../../domain/plan/tables.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { chooseKeys, chooseKeysAt } from '../../domain/state/summary.ts'
import { resultsSeen } from '../../domain/workflow/seen/results.ts'
import { keyChosen } from '../state/summary.ts'
import { authorOf, type KeyAuthor } from '../state/why.ts'

/** More than ever fits, so that what is left out can be counted; and no more, so that a brief costs the same whatever there is. */
const read = {
  decisions: 60,
  blockers: 20,
  needs: 20,
  questions: 20,
  files: 30,
  implementations: 20,
  checks: 5,
  events: 20,
  results: 20,
}
const keysMax = 10
const keysBytesMax = 3000

/** What a brief is about. */
export interface Asked {
  readonly root: number
  /** The session that asks. */
  readonly no: number
  /** As of which event; now without it. */
  readonly at: number | undefined
  /** The last event there is then. */
  readonly last: number
  readonly since: number | undefined
  readonly now: number
}

function* phaseName({ root, at }: Asked, phase: number | null): Asking<string | undefined> {
  return phase === null ? undefined : (yield* oneRowThen(phases, root, [phase], at))?.name
}

/** The newest events of a stream since one of the log. */
function* newestOf({ root, last }: Asked, stream: string, since: number): Asking<readonly EventToShow[]> {
  const now = (yield* askRow(streams, root, stream))?.version ?? 0
  if (now === 0) return []
  const upto = yield* versionAt(root, stream, now, last)
  const from = yield* versionAt(root, stream, now, since)
  const after = Math.max(from, upto - read.events)
  return upto <= after ? [] : yield* ask(aboutLog.events_of_stream, root, stream, after, 0, upto - after)
}

const plain = (items: readonly (string | undefined)[]) => items.filter((item) => item !== undefined)

/** Reads what can appear in a brief, the most important first. */
export function* gather(asked: Asked): Asking<readonly Section[]> {
  const { root, no, at, since } = asked
  const seen = new JournalSeen(root, at)
  const names = new SessionsNamed(root)
  const author: Author = (no) => (no === 0 ? 'root session' : dataName(names.nameOf(no)))
  const session = yield* oneRowThen(sessions, root, [0], at)
  const row = yield* seen.row()
  const next = yield* seen.next()
  const needs = yield* seen.needs(read.needs)
  const blockers = yield* seen.blockersOpen(read.blockers)
  const decisions = yield* seen.decisionsHolding(read.decisions)
  const questions = yield* seen.questions(read.questions, row?.questions_after ?? 0)
  const files = yield* seen.files(read.files, row?.files_after ?? 0)
  const built = yield* seen.implementations(read.implementations, row?.implementations_after ?? 0)
  const checks = yield* seen.verifications(read.checks)
  const results = yield* resultsSeen(root, at, no, read.results)
  const changed =
    since === undefined
      ? []
      : [...(yield* newestOf(asked, journalStream, since)), ...(yield* newestOf(asked, planStream, since))]
  for (const rows of [decisions, blockers, questions, files, built, checks]) yield* names.know(rows)
  yield* names.know(next === undefined ? [] : [next])
  yield* names.knowNumbers(changed.map(({ session_no }) => session_no))
  const position = row && positionLine(row, yield* phaseName(asked, row.phase))
  const open = (row?.blockers ?? 0) - (row?.resolved ?? 0)
  const holding = (row?.decisions ?? 0) - (row?.superseded ?? 0)
  const sections: Section[] = [
    {
      title: 'Where the work stands',
      called: 'where it stands',
      share: 0.25,
      items: plain([
        session && `Topic: ${dataText(session.topic)}`,
        session?.objective == null ? undefined : `Objective: ${dataText(session.objective)}`,
        session && `Status: ${session.status}${session.reason === null ? '' : `, ${dataText(session.reason)}`}`,
        position,
      ]),
    },
    {
      title: 'Next action',
      called: 'next action',
      share: 0.2,
      items: next === undefined ? [] : [nextLine(next, author)],
    },
    { title: 'Needs a person', called: 'needs', share: 0.15, items: needs.map(needLine) },
    {
      title: 'Blockers',
      called: 'blockers',
      share: 0.15,
      items: blockers.map((each) => blockerLine(each, author)),
      more: Math.max(0, open - blockers.length),
    },
    {
      title: 'Decisions that hold',
      called: 'decisions',
      share: 0.3,
      items: decisions.map((each) => decisionLine(each, author)),
      more: Math.max(0, holding - decisions.length),
    },
    {
      title: `Changed since event ${since ?? 0}`,
      called: 'changes',
      share: 0.15,
      items: changedLines(changed, author),
    },
    { title: 'Child Results', called: 'results', share: 0.15, items: results.map(resultLine) },
    {
      title: 'Open questions',
      called: 'questions',
      share: 0.1,
      items: questions.map((each) => questionLine(each, author)),
    },
    {
      title: 'To go on from',
      called: 'to go on from',
      share: 0.15,
      items: [
        ...checks.map((each) => verificationLine(each, author)),
        ...built.map(implementationLine),
        ...files.map(fileLine),
      ],
    },
    yield* stateSection(asked, session?.id),
  ]
  return sections
}

/** Who wrote a value, and with which message of its conversation, as far as that is known. */
function byline(author: KeyAuthor | null, rootId: string | undefined): string {
  if (author === null || author.session_name === null) return ''
  const turn = author.message === null ? '' : ` in message ${author.message.sequence_number}`
  return `, ${author.session_id === rootId ? 'root session' : dataName(author.session_name)}${turn}`
}

/** The keys of the shared state that changed last, with their values and who wrote them. */
function* stateSection({ root, at, now }: Asked, rootId: string | undefined): Asking<Section> {
  const chosen = yield* at === undefined
    ? chooseKeys(root, keysMax, keysBytesMax, now)
    : chooseKeysAt(root, keysMax, keysBytesMax, at)
  const items: string[] = []
  for (const key of chosen.keys) {
    const found = yield* keyChosen(root, key, at)
    if (found === undefined) continue
    const value = safeJson(JSON.stringify(found.value))
    const author = yield* authorOf(root, key, at)
    items.push(
      `${dataName(key)} = ${value} (version ${found.version}${byline(author, rootId)}, ${minute(Date.parse(found.updated_at))})`,
    )
  }
  const all = Number(chosen.marks._full_key_count ?? items.length)
  return { title: 'Shared state', called: 'keys', share: 0.2, items, more: Math.max(0, all - items.length) }
}
