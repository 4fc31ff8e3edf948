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
