import { hasEnded, type Status } from '../sessions/lifecycle.ts'

/** An agent as far as figures are about it. Times are milliseconds since 1970. */
export interface AgentFigures {
  readonly role: string
  readonly status: Status
  /** For how long its runs went on so far, without the time that they stood still. */
  readonly ranMs: number
}

export type RoleStats = { total: number; running: number; completed: number; failed: number }

/** How many agents of each role there are, and how they stand. */
export function roleDistribution(agents: readonly AgentFigures[]): Record<string, RoleStats> {
  const roles = new Map<string, RoleStats>()
  for (const { role, status } of agents) {
    const stats = roles.get(role) ?? { total: 0, running: 0, completed: 0, failed: 0 }
    roles.set(role, stats)
    stats.total += 1
    if (status === 'running' || status === 'completed' || status === 'failed') stats[status] += 1
  }
  return Object.fromEntries([...roles].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export type Share = { total: number; done: number }

/** Of agents, those that were skipped are no part of the work any more. */
export function shareOfAgents(agents: readonly AgentFigures[]): Share {
  const meant = agents.filter(({ status }) => status !== 'skipped')
  return { total: meant.length, done: meant.filter(({ status }) => status === 'completed').length }
}

export type ProgressDetail = {
  agents: Share
  tasks: Share
  checkpoints: Share
  from: 'tasks' | 'checkpoints' | 'agents'
}

export function progressDetail(agents: Share, tasks: Share, checkpoints: Share): ProgressDetail {
  const from = tasks.total > 0 ? 'tasks' : checkpoints.total > 0 ? 'checkpoints' : 'agents'
  return { agents, tasks, checkpoints, from }
}

/** The share of what is done, 0 to 1: of tasks where there are any, else of build checkpoints, else of agents. */
export function progressOfAll(detail: ProgressDetail): number {
  const { total, done } = detail[detail.from]
  return total === 0 ? 0 : Math.round((done / total) * 1000) / 1000
}

/**
 * How much longer it takes: what is left of each agent is the mean run time of the completed ones of its role (of all, where none of the
 * role has completed) less what it has run already; all of that is shared by those that run at once, and no less than the longest.
 * Undefined while nothing has completed, and where nothing is left.
 */
export function msLeft(agents: readonly AgentFigures[], atOnce: number): number | undefined {
  const completed = agents.filter(({ status }) => status === 'completed')
  const open = agents.filter(({ status }) => !hasEnded(status))
  const usual = meanOf(completed)
  if (usual === undefined || open.length === 0) return undefined
  const byRole = new Map<string, number>()
  for (const { role } of open) {
    if (!byRole.has(role)) byRole.set(role, meanOf(completed.filter((each) => each.role === role)) ?? usual)
  }
  const left = open.map(({ role, ranMs }) => Math.max(0, (byRole.get(role) ?? usual) - ranMs))
  const all = left.reduce((sum, ms) => sum + ms, 0)
  const longest = left.reduce((most, ms) => Math.max(most, ms), 0)
  return Math.round(Math.max(longest, all / Math.max(1, Math.min(atOnce, open.length))))
}

function meanOf(agents: readonly AgentFigures[]): number | undefined {
  if (agents.length === 0) return undefined
  return agents.reduce((sum, { ranMs }) => sum + ranMs, 0) / agents.length
}
