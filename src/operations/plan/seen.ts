import { type Asking, askRow, askRows } from '../../domain/log/questions.ts'
import { rowsAt } from '../../domain/log/row-past.ts'
import type { AnyTable, Table } from '../../domain/log/tables.ts'
import { countsOf, type TaskCounts } from '../../domain/plan/counts.ts'
import { phaseOfLane } from '../../domain/plan/order.ts'
import { withFixed } from '../../domain/plan/phases.ts'
import { showPhase } from '../../domain/plan/shown.ts'
import { type PhaseRow, phases, type TaskWaveRow, taskWaves } from '../../domain/plan/tables.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'

/** Rows of a table as they are, or as they were after an event. */
export function* rowsThen<Row extends object>(
  table: Table<Row>,
  root: number,
  at: number | undefined,
): Asking<readonly Readonly<Row>[]> {
  return at === undefined ? yield* askRows(table, root) : yield* rowsAt(table, root, at)
}

/** The one row of a table that has one. */
export function* onlyRowThen<Row extends object>(
  table: Table<Row>,
  root: number,
  at: number | undefined,
): Asking<Readonly<Row> | undefined> {
  return at === undefined ? yield* askRow(table as AnyTable, root) : (yield* rowsAt(table, root, at))[0]
}

export type PhaseShown = ReturnType<typeof showPhase> & { tasks: TaskCounts }

/** The phases of a root, and its tasks counted. */
export interface PlanSeen {
  readonly phases: readonly PhaseRow[]
  readonly shownPhases: PhaseShown[]
  readonly waves: readonly Readonly<TaskWaveRow>[]
}

export function* planSeen(root: number, at: number | undefined): Asking<PlanSeen> {
  const session: Readonly<SessionRow> | undefined = yield* askRow(sessions, root, 0)
  const isMade = at === undefined || at > 0
  const rows = yield* rowsThen(phases, root, at)
  const waves = yield* rowsThen(taskWaves, root, at)
  const all = withFixed(root, isMade ? (session?.type ?? '') : '', rows)
  const shownPhases = all.map((row) => ({
    ...showPhase(row),
    tasks: countsOf(waves.filter(({ lane }) => phaseOfLane(lane) === row.phase)),
  }))
  return { phases: all, shownPhases, waves }
}
