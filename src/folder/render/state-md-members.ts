import { entryId } from '../../domain/journal/numbers.ts'
import { listOf } from '../../domain/journal/shown.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { barText } from '../../domain/log/text/bar.ts'
import { currentPhase } from '../../domain/plan/moves.ts'
import type { SittingRow } from '../../domain/runs/tables.ts'
import type { JsonObject } from '../../json/value.ts'
import type { RowsToRender } from './rows.ts'

const dateOf = (at: number) => isoTime(at).slice(0, 10)
const timeOf = (at: number | null) => (at === null ? null : isoTime(at))

/** The members of `STATE.md`, in their order. */
export function stateOf(rows: RowsToRender): JsonObject {
  return {
    initiative: rows.session.slug,
    title: rows.session.topic,
    position: positionOf(rows),
    progress: progressOf(rows),
    decisions: [...rows.decisions].reverse().map(({ decision, at, context, text, reason }) => ({
      id: entryId('decision', decision),
      date: dateOf(at),
      context,
      decision: text,
      reason,
    })),
    blockers: [...rows.blockers].reverse().map(({ blocker, status, text, at, affects, workaround }) => ({
      id: entryId('blocker', blocker),
      status,
      description: text,
      blocked_since: dateOf(at),
      affects: listOf(affects),
      workaround,
    })),
    sessions: [...rows.sittings].reverse().map(sittingOf),
    next_action: rows.nextAction?.text ?? null,
    resume_context: {
      files_modified_this_session: rows.files.map(({ file }) => file).reverse(),
      key_implementations: rows.implementations.map(({ text }) => text).reverse(),
      open_questions: rows.questions.filter((row) => row.answered_at === null).map(({ text }) => text),
    },
    cairn: { root: rows.rootId, replica: rows.replica },
  }
}

function positionOf({ journal, phases, plans }: RowsToRender): JsonObject {
  const phase = journal?.phase ?? null
  const plan = journal?.plan ?? null
  return {
    phase,
    phase_name: phases.find((row) => row.phase === phase)?.name ?? null,
    plan,
    plan_name: plans.find((row) => row.phase === phase && row.plan === plan)?.name ?? null,
    task: journal?.task ?? null,
    wave: journal?.wave ?? null,
    status: journal?.status ?? null,
  }
}

/** Counted from the finest that there is: tasks, else build checkpoints, else phases. */
function progressOf({ phases, tasks, checkpoints, journal }: RowsToRender): JsonObject {
  const current = journal?.phase ?? currentPhase(phases)?.phase
  const own = tasks.filter(({ row }) => row.phase === current)
  const isDone = ({ progress }: (typeof tasks)[number]) => progress.status === 'done'
  const completed = phases.filter(({ state }) => state === 'completed').length
  const built = checkpoints.filter(({ completed_at }) => completed_at !== null).length
  const bar =
    tasks.length > 0
      ? barText(tasks.filter(isDone).length, tasks.length)
      : checkpoints.length > 0
        ? barText(built, checkpoints.length)
        : barText(completed, phases.length)
  return {
    phases_total: phases.length,
    phases_completed: completed,
    current_phase_tasks: own.length,
    current_phase_completed: own.filter(isDone).length,
    bar,
  }
}

function sittingOf(row: SittingRow): JsonObject {
  return {
    id: entryId('sitting', row.sitting),
    started: isoTime(row.started_at),
    ended: timeOf(row.ended_at),
    completed: listOf(row.completed),
    status: row.ended_at === null ? 'active' : (row.how ?? 'completed'),
    working_on: row.working_on,
  }
}
