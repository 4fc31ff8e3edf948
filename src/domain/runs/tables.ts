import { table } from '../log/tables.ts'

/** One life of an agent's process, or one sitting of a worker. */
export interface RunRow {
  root: number
  no: number
  run: string
  mode: string
  adapter: string | null
  model: string | null
  prompt: string | null
  tools: string | null
  provider_session: string | null
  started_at: number
  ended_at: number | null
  how: string | null
  reason: string | null
  /** What it has used, as JSON. */
  usage: string | null
}

export const runs = table<RunRow>(
  'runs',
  ['no', 'run'],
  {
    root: 'integer',
    no: 'integer',
    run: 'text',
    mode: 'text',
    adapter: 'text',
    model: 'text',
    prompt: 'text',
    tools: 'text',
    provider_session: 'text',
    started_at: 'integer',
    ended_at: 'integer',
    how: 'text',
    reason: 'text',
    usage: 'text',
  },
  { past: true },
)

/** A sitting of a worker: what is told of such a run besides. */
export interface SittingRow {
  root: number
  no: number
  run: string
  /** Its number in the root, and that of the one it takes up. */
  sitting: number
  follows: number | null
  working_on: string | null
  notes: string | null
  /** Lists as JSON. */
  completed: string | null
  issues: string | null
  handoff: string | null
  /** Share of the context window, as its number is written. */
  context_usage: string | null
  started_at: number
  ended_at: number | null
  /** Which event ended it, and how. */
  ended_seq: number | null
  how: string | null
  /** The number of its session, for as long as it is open. */
  open: number | null
}

export const sittings = table<SittingRow>(
  'sittings',
  ['no', 'run'],
  {
    root: 'integer',
    no: 'integer',
    run: 'text',
    sitting: 'integer',
    follows: 'integer',
    working_on: 'text',
    notes: 'text',
    completed: 'text',
    issues: 'text',
    handoff: 'text',
    context_usage: 'text',
    started_at: 'integer',
    ended_at: 'integer',
    ended_seq: 'integer',
    how: 'text',
    open: 'integer',
  },
  { past: true },
)
