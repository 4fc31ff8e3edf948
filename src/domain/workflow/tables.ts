import { table } from '../log/tables.ts'

/** What is run below a root. */
export interface WorkflowRow {
  root: number
  /** `WorkflowSpec` as JSON, with what it was extended by. */
  spec: string
}

export const workflows = table<WorkflowRow>('workflows', [], { root: 'integer', spec: 'text' }, { past: true })

/** An agent as it was described: written once. */
export interface AgentRow {
  root: number
  /** The number of its session. */
  no: number
  id: string
  role: string
  phase: number | null
  /** `AgentSpec` as JSON. */
  spec: string
}

export const agents = table<AgentRow>(
  'agents',
  ['no'],
  { root: 'integer', no: 'integer', id: 'text', role: 'text', phase: 'integer', spec: 'text' },
  { past: true },
)

/** How far an agent is, besides the status of its session. One that was never started has no such row. */
export interface AgentProgressRow {
  root: number
  no: number
  /** Runs since it was added or last retried by a person, and how many of them failed. */
  attempts: number
  failures: number
  /** Its open run, how that was begun, by which event and when; then for how long it stood still, and since when it does. */
  run: string | null
  rung: string | null
  run_seq: number | null
  run_at: number | null
  paused_ms: number
  paused_at: number | null
  /** For how long earlier runs went on, without the time that they stood still. */
  ran_ms: number
  /** How its last run ended (`AgentExited` without its result), what it left (`AgentResult`) and why it waits (`AgentParked`), as JSON. */
  exited: string | null
  result: string | null
  /** The event that said what it left: what is newest is found by it. */
  result_seq: number | null
  parked: string | null
  /** What woke it, until it is started; then what its run is told (both `AgentWoken` as JSON). */
  woken: string | null
  told: string | null
  /** When it is woken by itself. */
  wake_at: number | null
  /** The question of its own that is open. */
  asked: number | null
  /** 1 while a person wants it to stand still. */
  held: number
}

export const agentProgress = table<AgentProgressRow>(
  'agent_progress',
  ['no'],
  {
    root: 'integer',
    no: 'integer',
    attempts: 'integer',
    failures: 'integer',
    run: 'text',
    rung: 'text',
    run_seq: 'integer',
    run_at: 'integer',
    paused_ms: 'integer',
    paused_at: 'integer',
    ran_ms: 'integer',
    exited: 'text',
    result: 'text',
    result_seq: 'integer',
    parked: 'text',
    woken: 'text',
    told: 'text',
    wake_at: 'integer',
    asked: 'integer',
    held: 'integer',
  },
  { past: true },
)

/** How many agents of a role there have been: the next one of it is called by the number that follows. */
export interface AgentRoleRow {
  root: number
  role: string
  agents: number
}

export const agentRoles = table<AgentRoleRow>(
  'agent_roles',
  ['role'],
  { root: 'integer', role: 'text', agents: 'integer' },
  { past: true },
)

/** A moment from which the work can go on: a place in the log with its hash. */
export interface CheckpointRow {
  root: number
  seq: number
  at: number
  why: string
  phase: number | null
  agent: number | null
  /** Version of the shared state. */
  state: number
  /** Up to which event, and the hash of the log there. */
  upto: number
  hash: string
}

export const checkpoints = table<CheckpointRow>(
  'checkpoints',
  ['seq'],
  {
    root: 'integer',
    seq: 'integer',
    at: 'integer',
    why: 'text',
    phase: 'integer',
    agent: 'integer',
    state: 'integer',
    upto: 'integer',
    hash: 'text',
  },
  { past: true },
)
