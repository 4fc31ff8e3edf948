import { journalOf, journalRefs } from '../../domain/journal/journal.ts'
import { entry } from '../../domain/journal/members.ts'
import { entryNumber } from '../../domain/journal/numbers.ts'
import { JournalSeen, SessionsNamed } from '../../domain/journal/seen.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { flag, optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { type RangeRef, type Ref, rowOf } from '../../domain/log/rows.ts'
import { line } from '../../domain/log/text/entries.ts'
import { crashedRefs, crashRuns } from '../../domain/runs/crashed.ts'
import { runStream } from '../../domain/runs/facts.ts'
import { handedOver, usage } from '../../domain/runs/members.ts'
import { runsPart } from '../../domain/runs/part.ts'
import { showSitting, sittingId } from '../../domain/runs/shown-sitting.ts'
import { runs, type SittingRow, sittings } from '../../domain/runs/tables.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { isPast, limit, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'

/** A sitting that crashed is taken up by one of the next so many. */
const lookedBack = 20

/** Those that were begun last. */
function recentSittings(count: number): RangeRef {
  return { table: sittings, range: { column: 'sitting', from: Math.max(1, count - lookedBack + 1), to: count + 1 } }
}

/** What must be known to begin a sitting of a session. */
export function startingRefs(rows: Deciding['rows'], no: number): Ref[] {
  const own: Ref[] = [...journalRefs, ...crashedRefs(no)]
  return rows.missing(journalRefs).length > 0 ? own : [...own, recentSittings(journalOf(rows).sittings)]
}

/** The newest sitting that crashed and that no other has taken up: of this session, else of any. */
function crashedBefore(on: Deciding, no: number): SittingRow | undefined {
  const first = journalOf(on.rows).sittings - lookedBack
  // Others may be in memory: what is recorded must not depend on that.
  const recent = on.rows.all(sittings).filter(({ sitting }) => sitting > first)
  recent.sort((a, b) => b.sitting - a.sitting)
  const taken = new Set(recent.map(({ follows }) => follows))
  const crashed = recent.filter(({ how, sitting }) => how === 'crashed' && !taken.has(sitting))
  return crashed.find((row) => row.no === no) ?? crashed[0]
}

const notEnded = 'It did not end: another one began in its place.'

/** Begins a sitting; one of the same session that was never ended is taken to have crashed. */
export function beginSitting(on: Deciding, session: SessionRow, workingOn: string | undefined) {
  crashRuns(on, session.no, notEnded)
  const before = crashedBefore(on, session.no)
  const sitting = journalOf(on.rows).sittings + 1
  const run = `run_${on.newId()}`
  const follows = before === undefined ? {} : { follows: before.sitting, notes: resumingFrom(before) }
  const working = workingOn ?? journalOf(on.rows).task ?? undefined
  const data = { run, mode: 'cli' as const, sitting, ...(working && { working_on: working }), ...follows }
  on.record({ type: 'run_started', stream: runStream(session.no), data })
  return { id: sittingId(sitting), run, working_on: working ?? null, notes: follows.notes ?? null, before }
}

function resumingFrom({ sitting }: SittingRow): string {
  return `Resuming from ${sittingId(sitting)} crash`
}

export const sittingStart = change({
  name: 'sitting.start',
  summary: 'Begin a sitting: one stretch of work on a session. It takes up one that crashed.',
  command: { words: ['sitting start'], topic: 'Keep the journal' },
  reach: 'subtree',
  input: { working_on: optional(line('What is worked on; default the task of the position.')) },
  needs: (_input, rows, { no }) => startingRefs(rows, no),
  decide({ working_on }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const session = on.session as SessionRow
    const { before, ...begun } = beginSitting(on, session, working_on)
    const resumed = before === undefined ? null : sittingId(before.sitting)
    return { ...begun, session_id: session.id, resumed_from: resumed, seq: on.rows.head()?.seq ?? 0 }
  },
})

/** The sitting that is meant: the one that is named, else the open one of the session. */
function sittingMeant(on: Deciding, session: SessionRow, given: string | undefined): SittingRow | Refusal {
  const own = on.rows.all(sittings).filter(({ no }) => no === session.no)
  const named = given === undefined ? undefined : entryNumber('sitting', given)
  const row = own.find((each) => (named === undefined ? each.open !== null : each.sitting === named))
  if (row === undefined) {
    const what = named === undefined ? 'open sitting' : sittingId(named)
    return refuse(
      'not_found',
      `This session has no ${what}.`,
      'List them with `sitting.list`; begin one with `sitting.start`.',
    )
  }
  if (row.open !== null) return row
  const id = sittingId(row.sitting)
  return refuse('illegal_transition', `${id} has ended (${row.how}).`, 'Begin another one.', { id, how: row.how ?? '' })
}

function meantRefs(rows: Deciding['rows'], no: number, given: string | undefined): Ref[] {
  const named = given === undefined ? undefined : entryNumber('sitting', given)
  const found: RangeRef[] =
    named === undefined ? [] : [{ table: sittings, range: { column: 'sitting', from: named, to: named + 1 } }]
  const refs = [...crashedRefs(no), ...found]
  if (rows.missing(refs).length > 0) return refs
  return [
    ...refs,
    ...rows
      .all(sittings)
      .filter((row) => row.no === no)
      .map(({ run }) => rowOf(runs, no, run)),
  ]
}

export const sittingEnd = change({
  name: 'sitting.end',
  summary: 'End a sitting: what was done, what went wrong, and why the work is handed on.',
  command: {
    words: ['sitting end'],
    flags: { issues: 'issue', handoff: 'handoff' },
    examples: [
      'cairn sitting end --completed "The lexer" --context-usage 0.45 --handoff "Context limit reached"',
      'cairn sitting end --sitting session-003 --crashed --notes "Agent unresponsive"',
    ],
  },
  reach: 'subtree',
  input: {
    sitting: optional(entry('sitting', 'The sitting; default the open one of the session.')),
    context_usage: usage.context_usage,
    ...handedOver,
    crashed: optional(flag('It ended without being able to say so.')),
  },
  needs: (input, rows, { no }) => meantRefs(rows, no, input.sitting),
  decide({ sitting, context_usage, crashed = false, completed, notes, issues, handoff }, on) {
    const session = on.session as SessionRow
    const row = sittingMeant(on, session, sitting)
    if (row instanceof Refusal) return row
    const { run, no } = row
    const stream = runStream(no)
    if (context_usage !== undefined) on.record({ type: 'run_reported', stream, data: { run, context_usage } })
    const told = { ...(completed && { completed }), ...(notes && { notes }), ...(issues && { issues }) }
    const how = crashed ? ('crashed' as const) : ('completed' as const)
    on.record({ type: 'run_ended', stream, data: { run, how, ...told, ...(handoff && { handoff }) } })
    const ended = on.rows.get(sittings, no, run) as SittingRow
    return { ...showSitting(ended, () => session.id), seq: on.rows.head()?.seq ?? 0 }
  },
})

const sittingsUsual = 20

export const sittingList = read({
  name: 'sitting.list',
  summary: 'List the sittings of a root, the newest first: who sat, how it ended, and what was done.',
  command: { words: ['sitting ls'] },
  input: { limit, ...past },
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, runsPart)
    if (at instanceof Refusal) return at
    const rows = yield* new JournalSeen(root, at).sittings(input.limit ?? sittingsUsual)
    const names = new SessionsNamed(root)
    yield* names.know(rows)
    return { sittings: rows.map((row) => showSitting(row, names.idOf)) }
  },
})
