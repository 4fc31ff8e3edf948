import { type Asking, askRow } from '../../domain/log/questions.ts'
import { rowsThen } from '../../domain/log/row-past.ts'
import { countsOf, type TaskCounts } from '../../domain/plan/counts.ts'
import { phaseOfLane } from '../../domain/plan/order.ts'
import { withFixed } from '../../domain/plan/phases.ts'
import { showPhase } from '../../domain/plan/shown.ts'
import { type PhaseRow, phases, type TaskWaveRow, taskWaves } from '../../domain/plan/tables.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'

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
