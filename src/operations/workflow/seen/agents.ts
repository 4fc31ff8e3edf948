import { isoTime } from '../../../domain/log/identity.ts'
import type { Asking } from '../../../domain/log/questions.ts'
import { type RunRow, runs } from '../../../domain/runs/tables.ts'
import type { Status } from '../../../domain/sessions/lifecycle.ts'
import type { SessionFound } from '../../../domain/sessions/questions.ts'
import { specOf } from '../../../domain/workflow/agent.ts'
import type { AgentExited, AgentParked } from '../../../domain/workflow/facts.ts'
import type { AgentFigures } from '../../../domain/workflow/figures.ts'
import { branchOf, ownTree, treeFolderOf } from '../../../domain/workflow/file/own-tree.ts'
import { noProgress, ranSince } from '../../../domain/workflow/progress.ts'
import type { WorkflowSpec } from '../../../domain/workflow/spec.ts'
import { type AgentProgressRow, type AgentRow, agentProgress, agents } from '../../../domain/workflow/tables.ts'
import { rowsThere } from './work.ts'

/** An agent with what its session, its progress and its runs say of it. */
export interface AgentThere {
  readonly agent: AgentRow
  readonly session: SessionFound
  readonly progress: AgentProgressRow
  readonly firstRun: RunRow | undefined
  /** The id that its provider knows it under: that of its newest run which has one. */
  readonly providerSession: string | null
}

/** The agents below a session, and itself if it is one, in the order in which they were made. */
export function* agentsThere(
  root: number,
  at: number | undefined,
  sessions: readonly SessionFound[],
  below: number,
): Asking<AgentThere[]> {
  const byNo = new Map(sessions.map((row) => [row.no, row]))
  const progress = new Map((yield* rowsThere(agentProgress, root, at)).map((row) => [row.no, row]))
  const lives = new Map<number, RunRow[]>()
  for (const run of yield* rowsThere(runs, root, at)) {
    const known = lives.get(run.no)
    if (known === undefined) lives.set(run.no, [run])
    else known.push(run)
  }
  const found: AgentThere[] = []
  for (const agent of yield* rowsThere(agents, root, at)) {
    const session = byNo.get(agent.no)
    if (session === undefined || !isIn(byNo, session, below)) continue
    const own = progress.get(agent.no) ?? noProgress(root, agent.no)
    const runsOfIt = (lives.get(agent.no) ?? []).sort((a, b) => a.started_at - b.started_at)
    const known = runsOfIt.findLast((run) => run.provider_session !== null)
    const providerSession = known?.provider_session ?? null
    found.push({ agent, session, progress: own, firstRun: runsOfIt[0], providerSession })
  }
  return found.sort((a, b) => a.agent.no - b.agent.no)
}

function isIn(byNo: ReadonlyMap<number, SessionFound>, session: SessionFound, above: number): boolean {
  for (let at: SessionFound | undefined = session; at !== undefined; at = byNo.get(at.parent_no ?? -1)) {
    if (at.no === above) return true
  }
  return false
}

export function figuresOf({ agent, session, progress }: AgentThere, now: number): AgentFigures {
  return { role: agent.role, status: session.status as Status, ranMs: progress.ran_ms + ranSince(progress, now) }
}

/** How an agent is shown; `root` is the session of its root, whose name is in that of its branch. */
export function showAgent(
  { agent, session, progress, firstRun }: AgentThere,
  root: SessionFound | undefined,
  workflow: WorkflowSpec | undefined,
) {
  const spec = specOf(agent)
  const isInTree = root !== undefined && (spec.cwd ?? workflow?.defaults?.cwd) === ownTree
  const exited = progress.exited === null ? undefined : (JSON.parse(progress.exited) as AgentExited)
  const parked = progress.parked === null ? undefined : (JSON.parse(progress.parked) as AgentParked)
  return {
    id: agent.id,
    name: session.name,
    session_id: session.id,
    role: agent.role,
    task: spec.task,
    phase: agent.phase,
    status: session.status,
    reason: session.reason,
    /** What it waits for, and until when. */
    waits_for: parked?.why ?? null,
    wake_at: progress.wake_at === null ? null : isoTime(progress.wake_at),
    held: progress.held === 1,
    attempts: progress.attempts,
    exit_code: exited?.exit_code ?? null,
    run: progress.run,
    /** Where it has a git work tree of its own: the branch it works on, and the folder of that tree once it is there. */
    branch: isInTree ? branchOf(root, agent) : null,
    worktree: isInTree ? treeFolderOf(root, agent) : null,
    started_at: firstRun === undefined ? null : isoTime(firstRun.started_at),
    completed_at: session.ended_at === null ? null : isoTime(session.ended_at),
    ran_ms: progress.ran_ms,
  }
}
