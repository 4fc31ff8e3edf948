import type { ReportDeath } from '../../../domain/journal/report/report.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { type Asking, ask, askRow, askRows } from '../../../domain/log/questions.ts'
import { oneRowThen, rowsAt, rowThen } from '../../../domain/log/row-past.ts'
import { aboutLog } from '../../../domain/log/sql/about-log.ts'
import { sittingId } from '../../../domain/runs/shown-sitting.ts'
import { sittings } from '../../../domain/runs/tables.ts'
import { processGone } from '../../../domain/sessions/process.ts'
import { type SessionRow, sessions } from '../../../domain/sessions/tables.ts'
import type { AgentExited, AgentParked, Cause, Rung } from '../../../domain/workflow/facts.ts'
import { aboutWorkflow } from '../../../domain/workflow/questions.ts'
import { type AgentProgressRow, agentProgress, agents } from '../../../domain/workflow/tables.ts'
import type { RunThen } from './runs.ts'
import type { Span } from './span.ts'

const badEnds: ReadonlySet<string | null> = new Set(['crashed', 'failed', 'timeout'])

/** Nobody's program has failed: it was stopped, or asked to come back later. */
const noDeaths: ReadonlySet<Cause> = new Set<Cause>(['person', 'rate_limit'])

/** An agent is told again how it goes on within so many changes of its row after its end. */
const changesLookedAt = 6

export function hasDied({ how }: RunThen): boolean {
  return badEnds.has(how)
}

/** What ended a run, and what has become of whoever ran; undefined where that is no death. */
export function* deathOf(span: Span, run: RunThen): Asking<ReportDeath | undefined> {
  const { root, at } = span
  const session = yield* oneRowThen(sessions, root, [run.no], at)
  if (session === undefined) return undefined
  const agent = yield* askRow(agents, root, run.no)
  if (agent === undefined) return yield* deathOfSession(span, run, session)
  const [exit, ...later] = yield* changesAfter(span, run)
  const exited = exit?.exited == null ? undefined : (JSON.parse(exit.exited) as AgentExited)
  if (exited !== undefined && noDeaths.has(exited.cause)) return undefined
  return {
    ...death('agent', agent.id, session, run.ended_at ?? 0),
    ...causeOf(exited),
    reason: exited?.reason ?? run.reason,
    ...fate(later, exit, session),
  }
}

function death(what: ReportDeath['what'], name: string, { id }: { id: string }, at: number): ReportDeath {
  const nothing = { became: null, again_at: null, rung: null, waits_for: null }
  return {
    what,
    name,
    session_id: id,
    at: isoTime(at),
    cause: 'lost',
    exit_code: null,
    signal: null,
    reason: null,
    ...nothing,
  }
}

/** As a shell has it, 128 and its number stand for a signal. */
function causeOf(exited: AgentExited | undefined): Pick<ReportDeath, 'cause' | 'exit_code' | 'signal'> {
  const { cause = 'crash', exit_code: code, signal } = exited ?? {}
  const isLost = cause === 'crash' && code === undefined && signal === undefined
  const number = signal !== undefined && code !== undefined && code > 128 ? code - 128 : null
  return { cause: isLost ? 'lost' : cause, exit_code: number === null ? (code ?? null) : null, signal: number }
}

/** The row of the agent as the event after the end of its run left it, and as those that followed did. */
function* changesAfter({ root, last }: Span, { no, seq }: RunThen): Asking<AgentProgressRow[]> {
  const rows = yield* ask(aboutLog.row_after, root, agentProgress.name, String(no), seq, last, changesLookedAt)
  return rows.map(({ row }) => ({ ...rowThen(agentProgress, undefined, row), root }))
}

type Fate = Pick<ReportDeath, 'became' | 'again_at' | 'rung' | 'waits_for'>

function fate(
  later: readonly AgentProgressRow[],
  exit: AgentProgressRow | undefined,
  { status }: Pick<SessionRow, 'status'>,
): Fate {
  const nothing = { again_at: null, rung: null, waits_for: null }
  const started = later.find(({ run }) => run !== null)
  const anew = later.find(({ attempts, exited }) => attempts === 0 && exited === null)
  if (anew !== undefined) return { ...nothing, became: 'begun_anew' }
  if (started !== undefined) {
    const again_at = started.run_at === null ? null : isoTime(started.run_at)
    return { ...nothing, became: 'tried_again', again_at, rung: started.rung as Rung | null }
  }
  const { parked, wake_at } = later.at(-1) ?? exit ?? { parked: null, wake_at: null }
  if (parked !== null) {
    const again_at = wake_at === null ? null : isoTime(wake_at)
    return { ...nothing, became: 'waits', again_at, waits_for: (JSON.parse(parked) as AgentParked).why }
  }
  return { ...nothing, became: status === 'failed' ? 'given_up' : status === 'cancelled' ? 'cancelled' : null }
}

function* deathOfSession({ root }: Span, run: RunThen, session: SessionRow): Asking<ReportDeath> {
  const sitting = yield* askRow(sittings, root, run.no, run.run)
  const who = session.no === 0 ? 'root session' : session.name
  const at = run.ended_at ?? 0
  const how = { cause: endOf(run.how), reason: run.reason }
  if (sitting === undefined) return { ...death('session', who, session, at), ...how }
  return { ...death('sitting', `${sittingId(sitting.sitting)}`, session, at), ...how }
}

function endOf(how: string | null): ReportDeath['cause'] {
  return how === 'failed' ? 'exit' : how === 'timeout' ? 'timeout' : 'lost'
}

/** Sessions that are no agents and whose program is gone, or that failed; the newest first, and how many. */
export function* sessionsEnded(span: Span, count: number): Asking<{ died: ReportDeath[]; total: number }> {
  const rows = span.at === undefined ? yield* endedNow(span, count) : yield* endedThen(span, span.at)
  const total = Number(rows[0]?.total ?? 0)
  const died = rows.slice(0, count).map((row) => ({
    ...death('session', row.name, row, row.ended_at),
    cause: row.reason === processGone ? ('lost' as const) : ('exit' as const),
    reason: row.reason,
  }))
  return { died, total }
}

function* endedNow({ root, sinceAt }: Span, count: number) {
  return yield* ask(aboutWorkflow.ended_so, root, sinceAt, processGone, count)
}

function* endedThen({ root, sinceAt }: Span, at: number) {
  const known = new Set((yield* askRows(agents, root)).map(({ no }) => no))
  const ended = (yield* rowsAt(sessions, root, at)).flatMap((row) => {
    const { no, status, reason, ended_at } = row
    const isMeant = no > 0 && !known.has(no) && (status === 'failed' || reason === processGone)
    return isMeant && ended_at !== null && ended_at > sinceAt ? [{ ...row, ended_at }] : []
  })
  const sorted = ended.sort((a, b) => b.ended_at - a.ended_at || a.no - b.no)
  return sorted.map((row) => ({ ...row, total: sorted.length }))
}
