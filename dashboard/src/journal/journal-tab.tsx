import {
  journalFiles,
  journalNotes,
  journalQuestions,
  journals,
  nextActions,
  verifications,
} from '../../../src/domain/journal/tables.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { NeedsHere } from '../needs/needs-here.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty } from '../parts/notice.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { namesByNo } from '../session/agents.ts'
import { Blockers } from './blockers.tsx'
import { Brief } from './brief.tsx'
import { Decisions } from './decisions.tsx'
import { Sittings } from './sittings.tsx'
import { Tasks } from './tasks.tsx'

/** Where the work stands, why it is so, what is in the way and what comes next. */
export function JournalTab() {
  const { rows, root, at } = useMoment()
  if (rows === undefined) return null
  return (
    <div className="overview">
      <div className="section-head">
        <AsCommand words={['journal', '--session', shortId(root), ...atFlag(at)]} />
      </div>
      <NeedsHere />
      <Position rows={rows} />
      <Blockers rows={rows} />
      <Tasks rows={rows} />
      <Decisions rows={rows} />
      <Lists rows={rows} />
      <Sittings rows={rows} />
      <Brief />
      {isEmpty(rows) && (
        <Empty title="Nothing is in the journal yet" command={['next', 'TEXT', '--session', shortId(root)]}>
          Decisions, blockers, tasks and where the work stands appear here as agents and people record them.
        </Empty>
      )}
    </div>
  )
}

function isEmpty(rows: RootRows): boolean {
  return rows.all(journals).length === 0 && rows.all(nextActions).length === 0
}

function Position({ rows }: { rows: RootRows }) {
  const [row] = rows.all(journals)
  const [next] = rows.all(nextActions)
  const facts = [
    ['phase', row?.phase],
    ['plan', row?.plan],
    ['task', row?.task],
    ['wave', row?.wave],
    ['status', row?.status],
  ].filter(([, value]) => value !== null && value !== undefined)
  if (facts.length === 0 && next === undefined) return null
  return (
    <section aria-label="Position">
      <h2>Position</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{plain(String(value))}</dd>
          </div>
        ))}
        {next !== undefined && (
          <div className="fact">
            <dt>next</dt>
            <dd>
              {plain(next.text)} <span className="faint">{namesByNo(rows).get(next.no)}</span>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

interface Said {
  readonly seq: number
  readonly at: number
  readonly no: number
}

function Lists({ rows }: { rows: RootRows }) {
  const [row] = rows.all(journals)
  const questions = rows.all(journalQuestions).filter(({ seq }) => seq > (row?.questions_after ?? 0))
  const files = rows.all(journalFiles).filter(({ seq }) => seq > (row?.files_after ?? 0))
  return (
    <>
      <List
        title="Open questions"
        items={questions
          .filter(({ answered_at }) => answered_at === null)
          .map((each) => ({ ...each, words: each.text }))}
        rows={rows}
      />
      <List title="Changed files" items={files.map((each) => ({ ...each, words: each.file }))} rows={rows} />
      <List
        title="Verified"
        items={rows
          .all(verifications)
          .map((each) => ({ ...each, words: `${each.passed === 1 ? 'passed' : 'failed'}: ${each.text}` }))}
        rows={rows}
      />
      <List title="Notes" items={rows.all(journalNotes).map((each) => ({ ...each, words: each.text }))} rows={rows} />
    </>
  )
}

const shownMax = 100

function List({ title, items, rows }: { title: string; items: readonly (Said & { words: string })[]; rows: RootRows }) {
  if (items.length === 0) return null
  const names = namesByNo(rows)
  const newest = items.toSorted((a, b) => b.seq - a.seq).slice(0, shownMax)
  return (
    <section aria-label={title}>
      <h2>
        {title} <span className="faint">{items.length}</span>
      </h2>
      <ul className="entries">
        {newest.map(({ seq, at, no, words }) => (
          <li key={`${seq} ${words}`}>
            <span>{plain(words)}</span>{' '}
            <span className="faint">
              {names.get(no)}, <Ago time={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
