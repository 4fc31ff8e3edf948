import { isoTime } from '../../domain/log/identity.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { missingSession, sessionsOfRoot } from '../../domain/sessions/past.ts'
import { showSession } from '../../domain/sessions/session.ts'
import { workflowOf } from '../../domain/workflow/agent.ts'
import {
  msLeft,
  progressDetail,
  progressOfAll,
  roleDistribution,
  shareOfAgents,
} from '../../domain/workflow/figures.ts'
import { workflows } from '../../domain/workflow/tables.ts'
import { isPast, past } from '../inputs.ts'
import { read } from '../operation.ts'
import { agentsThere, figuresOf, showAgent } from './seen/agents.ts'
import {
  checkpointShare,
  lastCheckpoint,
  needsThere,
  nothingPlanned,
  phasesThere,
  rowsThere,
  taskShare,
} from './seen/work.ts'

export const sessionStatus = read({
  name: 'session.status',
  large: true,
  summary: 'Show how far the work is: agents, roles, progress, and when it should be done.',
  command: { words: ['session status', 'status'], positional: ['session'], topic: 'Run agents' },
  input: past,
  snapshot: true,
  *read(input, { root, no }, now) {
    const at = yield* pastPlace(root, input, undefined)
    if (at instanceof Refusal) return at
    const all = yield* sessionsOfRoot(root, at)
    const meant = all.find((row) => row.no === no)
    if (meant === undefined) return yield* missingSession(root, no, at)
    const top = all.find((row) => row.no === 0)
    const agents = yield* agentsThere(root, at, all, no)
    const figures = agents.map((each) => figuresOf(each, now))
    const isWhole = no === 0
    const detail = progressDetail(
      shareOfAgents(figures),
      isWhole ? yield* taskShare(root, at) : nothingPlanned,
      isWhole ? yield* checkpointShare(root, at) : nothingPlanned,
    )
    const [workflow] = yield* rowsThere(workflows, root, at)
    const spec = workflow && workflowOf(workflow)
    const atOnce = spec?.strategy === 'sequential' ? 1 : (spec?.max_parallel ?? figures.length)
    const left = isPast(input) || meant.status !== 'running' ? undefined : msLeft(figures, atOnce)
    return {
      session: showSession(meant, all.find((row) => row.no === meant.parent_no)?.id ?? null),
      agents: agents.map((each) => showAgent(each, top, spec)),
      phases: isWhole ? yield* phasesThere(root, at, spec) : [],
      role_distribution: roleDistribution(figures),
      progress: progressOfAll(detail),
      progress_detail: detail,
      estimated_completion: left === undefined ? null : isoTime(now + left),
      last_checkpoint: isWhole ? yield* lastCheckpoint(root, at) : null,
      needs: yield* needsThere(root, at, all, agents),
    }
  },
  onHost(answer, host) {
    const withFolder = (agent: (typeof answer.agents)[number]) => ({
      ...agent,
      worktree: agent.worktree === null ? null : (host.folder(agent.worktree) ?? null),
    })
    return { ...answer, agents: answer.agents.map(withFolder) }
  },
})
