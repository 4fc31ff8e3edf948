import type { AgentProgressRow, CheckpointRow } from './tables.ts'

/** A root whose workflow is not at its end. */
export interface WorkflowFound {
  id: string
  status: string
  project: string | null
}

/** What an agent left, which one it is and how it stands. */
export type ResultFound = Pick<AgentProgressRow, 'no' | 'result' | 'result_seq'> & { id: string; status: string }

/** What the store can be asked about workflows. */
export interface WorkflowQuestions {
  unfinished_workflows: WorkflowFound
  /** The last one up to an event. */
  last_checkpoint: CheckpointRow
  /** What the children of a session left, or all agents of a root: the newest first, as many as were asked for. */
  results_newest: ResultFound
}

declare module '../log/questions.ts' {
  interface Questions extends WorkflowQuestions {}
}
