import type { EvolvingOf } from '../../log/evolve.ts'
import type { PlanFact } from '../facts.ts'
import { addCheckpoint, completeCheckpoint, startCheckpoint } from './checkpoints.ts'
import { addPhase, addPlan, changePhase } from './phases.ts'
import { addTask, blockTask, claimTask, finishTask, progressTask, reopenTask, rewireTask } from './tasks.ts'

export const evolvePlan: EvolvingOf<PlanFact> = {
  phase_added: (rows, event) => addPhase(rows, event.data),
  phase_changed: (rows, event) => changePhase(rows, event, event.data),
  plan_added: (rows, event) => addPlan(rows, event, event.data),
  task_added: (rows, event) => addTask(rows, event, event.data),
  task_rewired: (rows, event) => rewireTask(rows, event.data),
  task_claimed: (rows, event) => claimTask(rows, event, event.data),
  task_progressed: (rows, event) => progressTask(rows, event, event.data),
  task_done: (rows, event) => finishTask(rows, event, event.data),
  task_blocked: (rows, event) => blockTask(rows, event.data),
  task_reopened: (rows, event) => reopenTask(rows, event.data),
  checkpoint_added: (rows, event) => addCheckpoint(rows, event.data),
  checkpoint_started: (rows, event) => startCheckpoint(rows, event, event.data.checkpoint),
  checkpoint_completed: (rows, event) => completeCheckpoint(rows, event, event.data.checkpoint),
}
