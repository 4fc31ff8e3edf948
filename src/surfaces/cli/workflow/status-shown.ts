import type { AnswerOf } from '../registry/presentation.ts'

export type StatusShown = AnswerOf<'session.status'>
/** What the commands of a workflow show of an agent. */
export type AgentShown = StatusShown['agents'][number]
export type PhaseShown = StatusShown['phases'][number]

const endedStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'skipped'])

export function isEnded(status: string): boolean {
  return endedStatuses.has(status)
}
