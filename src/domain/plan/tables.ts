import { table } from '../log/tables.ts'
import type { PhaseKind, PhaseState, TaskStatus } from './facts.ts'

/** How many phases of its own, tasks and build checkpoints a root has had: the next one has the number that follows. */
export interface PlanTotalsRow {
  root: number
  phases: number
  tasks: number
  checkpoints: number
}

export const planTotals = table<PlanTotalsRow>(
  'plan_totals',
  [],
  { root: 'integer', phases: 'integer', tasks: 'integer', checkpoints: 'integer' },
  { past: true },
)

/** A phase that something has become of, or that was added. A fixed one that is still only planned has no row. */
export interface PhaseRow {
  root: number
  phase: number
  kind: PhaseKind
  name: string
  state: PhaseState
  started_at: number | null
  ended_at: number | null
  reason: string | null
}

export const phases = table<PhaseRow>(
  'phases',
  ['phase'],
  {
    root: 'integer',
    phase: 'integer',
    kind: 'text',
    name: 'text',
    state: 'text',
    started_at: 'integer',
    ended_at: 'integer',
    reason: 'text',
  },
  { past: true },
)

/** A plan of a phase. */
export interface PlanRow {
  root: number
  phase: number
  plan: number
  name: string
  added_at: number
}

export const plans = table<PlanRow>(
  'plans',
  ['phase', 'plan'],
  { root: 'integer', phase: 'integer', plan: 'integer', name: 'text', added_at: 'integer' },
  { past: true },
)

/** What is to be done, as it was described. */
export interface TaskRow {
  root: number
  task: number
  text: string
  /** 0 where it belongs to none. */
  phase: number
  plan: number
  wave: number
  /** Tasks that must be done before, as JSON. */
  after: string | null
  added_at: number
  added_by: number
}

export const tasks = table<TaskRow>(
  'tasks',
  ['task'],
  {
    root: 'integer',
    task: 'integer',
    text: 'text',
    phase: 'integer',
    plan: 'integer',
    wave: 'integer',
    after: 'text',
    added_at: 'integer',
    added_by: 'integer',
  },
  { past: true },
)

/** A task that waits for another one; 0 where it does no more. They are numbered, so that they are found without looking for them. */
export interface TaskFollowerRow {
  root: number
  before: number
  no: number
  task: number
}

export const taskFollowers = table<TaskFollowerRow>(
  'task_followers',
  ['before', 'no'],
  { root: 'integer', before: 'integer', no: 'integer', task: 'integer' },
  { past: true },
)

/** How far a task is. */
export interface TaskProgressRow {
  root: number
  task: number
  status: TaskStatus
  /** Its place in the order of work (`taskRank`). */
  rank: number
  /** The same while nothing but its wave keeps it from being begun. */
  queue: number | null
  /** How many of the tasks before it are not done. */
  waits: number
  /** Who works on it, or has done it; and while it is claimed, for finding it. */
  claimed_by: number | null
  held_by: number | null
  run: string | null
  claimed_at: number | null
  /** When it was last said that it goes on, and what. */
  progress_at: number | null
  note: string | null
  done_at: number | null
  result: string | null
  /** Why it is blocked, or was reopened. */
  reason: string | null
  /** What blocks it, as JSON: numbers of blockers, 0 for a reason of its own. */
  blockers: string | null
}

export const taskProgress = table<TaskProgressRow>(
  'task_progress',
  ['task'],
  {
    root: 'integer',
    task: 'integer',
    status: 'text',
    rank: 'integer',
    queue: 'integer',
    waits: 'integer',
    claimed_by: 'integer',
    held_by: 'integer',
    run: 'text',
    claimed_at: 'integer',
    progress_at: 'integer',
    note: 'text',
    done_at: 'integer',
    result: 'text',
    reason: 'text',
    blockers: 'text',
  },
  { past: true },
)

/** The tasks of one wave of a plan, counted. */
export interface TaskWaveRow {
  root: number
  /** The phase and the plan (`laneOf`). */
  lane: number
  wave: number
  tasks: number
  claimed: number
  blocked: number
  done: number
  /** Those that nothing but the wave keeps from being begun. */
  free: number
  /** 1 for the lowest wave of its plan that is not done. */
  active: number
  /** Its place in the order of work while it has tasks that are ready. */
  queue: number | null
}

export const taskWaves = table<TaskWaveRow>(
  'task_waves',
  ['lane', 'wave'],
  {
    root: 'integer',
    lane: 'integer',
    wave: 'integer',
    tasks: 'integer',
    claimed: 'integer',
    blocked: 'integer',
    done: 'integer',
    free: 'integer',
    active: 'integer',
    queue: 'integer',
  },
  { past: true },
)

/** A unit of work that the plan counts by. */
export interface BuildCheckpointRow {
  root: number
  checkpoint: number
  text: string
  started_at: number | null
  completed_at: number | null
}

export const buildCheckpoints = table<BuildCheckpointRow>(
  'build_checkpoints',
  ['checkpoint'],
  { root: 'integer', checkpoint: 'integer', text: 'text', started_at: 'integer', completed_at: 'integer' },
  { past: true },
)
