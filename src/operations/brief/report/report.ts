import type { MorningReport, ReportDeath } from '../../../domain/journal/report/report.ts'
import type { JournalSeen } from '../../../domain/journal/seen.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import type { Asking } from '../../../domain/log/questions.ts'
import { StandingSeen } from '../../../domain/workflow/seen/standing.ts'
import { taskShare } from '../../workflow/seen/work.ts'
import { deathOf, hasDied, sessionsEnded } from './deaths.ts'
import { needsThere } from './needs.ts'
import { costWithin, type RunThen, runsWithin } from './runs.ts'
import { takeovers } from './servers.ts'
import { most, type Span } from './span.ts'
import { parkedThere, runningThere } from './standing.ts'

/** Needs are counted that far beyond those that are listed. */
const needsCounted = 100

/** What has become of the work within a span; `slug` names the root on a command line. */
export function* reportOf(span: Span, journal: JournalSeen, slug: string): Asking<MorningReport> {
  const { root, at } = span
  const standing = new StandingSeen(root, at)
  const running = yield* standing.running(most.running)
  const parked = yield* standing.parked(most.parked)
  const { runs, leftOut } = yield* runsWithin(span)
  const dead = yield* deaths(span, runs)
  const needs = yield* journal.needs(needsCounted)
  return {
    since: isoTime(span.sinceAt),
    until: isoTime(span.until),
    done: { agents: yield* standing.done(), tasks: yield* taskShare(root, at) },
    running: yield* runningThere(span, running.rows, journal),
    parked: parkedThere(parked.rows),
    died: dead.died,
    servers: yield* takeovers(span),
    cost: yield* costWithin(span, runs),
    needs: yield* needsThere(root, slug, needs.slice(0, most.needs)),
    left_out: {
      running: running.total - running.rows.length,
      parked: parked.total - parked.rows.length,
      died: dead.leftOut,
      needs: Math.max(0, needs.length - most.needs),
      runs: leftOut,
    },
  }
}

/** Whoever died within a span, the newest first: runs that ended badly, and sessions that ended without any. */
function* deaths(span: Span, runs: readonly RunThen[]): Asking<{ died: ReportDeath[]; leftOut: number }> {
  const ended = runs.filter(hasDied)
  const died: ReportDeath[] = []
  for (const run of ended.slice(0, most.died)) {
    const death = yield* deathOf(span, run)
    if (death !== undefined) died.push(death)
  }
  const sessions = yield* sessionsEnded(span, most.died)
  const told = new Set(died.map(({ session_id: id }) => id))
  const others = sessions.died.filter(({ session_id: id }) => !told.has(id))
  const all = [...died, ...others].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const unread = Math.max(0, ended.length - most.died) + sessions.total - sessions.died.length
  return { died: all.slice(0, most.died), leftOut: unread + Math.max(0, all.length - most.died) }
}
