import { rootProjects } from '../../domain/access/tables.ts'
import { contextStream } from '../../domain/conversations/facts.ts'
import { blockers, journals } from '../../domain/journal/tables.ts'
import { integer, list, optional } from '../../domain/log/input-schema.ts'
import { type Asking, askRow, askRows } from '../../domain/log/questions.ts'
import { refuse } from '../../domain/log/refusal.ts'
import { roots, segments, streams } from '../../domain/log/tables.ts'
import { phases } from '../../domain/plan/tables.ts'
import type { RunUsage } from '../../domain/runs/facts.ts'
import { type RunRow, runs } from '../../domain/runs/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { noProgress } from '../../domain/workflow/progress.ts'
import { type AgentProgressRow, type AgentRow, agentProgress, agents, workflows } from '../../domain/workflow/tables.ts'
import type { JsonObject } from '../../json/value.ts'
import { read } from '../operation.ts'

/** What is read of one agent. */
interface Found {
  readonly agent: AgentRow
  readonly session: SessionRow
  readonly progress: AgentProgressRow | undefined
  readonly runs: readonly RunRow[]
  readonly hasConversation: boolean
}

/**
 * What whoever supervises a root acts on: read whole once, and then of each agent about which something has happened. Only the runner
 * asks it, in the process that has the store open: people and agents are shown less of it in better words.
 */
export const workflowLook = read({
  name: 'workflow.look',
  large: true,
  summary: 'Read what a supervisor acts on: the workflow of a root, and how far its agents are.',
  command: { words: [] },
  reach: 'owner',
  input: {
    agents: optional(list('Only these: the numbers of their sessions.', integer('A number.'))),
  },
  snapshot: true,
  *read({ agents: wanted }, { root }) {
    const head = yield* askRow(roots, root)
    const session = yield* askRow(sessions, root, 0)
    if (head === undefined || session === undefined) return sessionRemoved()
    const workflow = yield* askRow(workflows, root)
    if (workflow === undefined) return noWorkflow(session)
    const found = wanted === undefined ? yield* allAgents(root) : yield* theseAgents(root, wanted)
    const active = yield* activeBlockers(root)
    const fork = (yield* askRows(segments, root)).find(({ origin }) => origin !== null)
    return {
      root_session_id: session.id,
      seq: head.seq,
      name: session.name,
      slug: session.slug,
      project_dir: (yield* askRow(rootProjects, root))?.dir ?? null,
      status: session.status,
      reason: session.reason,
      objective: session.objective,
      created_at_ms: session.created_at,
      // Runs that were begun before are those of the root that this was forked from.
      forked_at: fork?.after ?? 0,
      started_at_ms: firstOf(found),
      phases: (yield* askRows(phases, root)).map(({ phase, state }) => ({ phase, state })),
      workflow: JSON.parse(workflow.spec) as JsonObject,
      agents: found.map((each) => shown(each, active)),
    }
  },
})

function* allAgents(root: number): Asking<Found[]> {
  const byNo = <Row extends { no: number }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.no, row]))
  const session = byNo(yield* askRows(sessions, root))
  const progress = byNo(yield* askRows(agentProgress, root))
  const conversations = new Set((yield* askRows(streams, root)).map(({ stream }) => stream))
  const lives = new Map<number, RunRow[]>()
  for (const run of yield* askRows(runs, root)) lives.set(run.no, [...(lives.get(run.no) ?? []), run])
  return (yield* askRows(agents, root)).flatMap((agent) => {
    const own = session.get(agent.no)
    if (own === undefined) return []
    const hasConversation = conversations.has(contextStream(agent.no))
    return [{ agent, session: own, progress: progress.get(agent.no), runs: lives.get(agent.no) ?? [], hasConversation }]
  })
}

function* theseAgents(root: number, wanted: readonly number[]): Asking<Found[]> {
  const found: Found[] = []
  for (const no of new Set(wanted)) {
    const agent = yield* askRow(agents, root, no)
    const session = yield* askRow(sessions, root, no)
    if (agent === undefined || session === undefined) continue
    const progress = yield* askRow(agentProgress, root, no)
    const lives = yield* askRows(runs, root, { column: 'no', from: no, to: no + 1 })
    const conversation = yield* askRow(streams, root, contextStream(no))
    found.push({ agent, session, progress, runs: lives, hasConversation: conversation !== undefined })
  }
  return found
}

/** The blockers that are in the way now, by the session that met with them. */
function* activeBlockers(root: number): Asking<Map<number, number[]>> {
  const journal = yield* askRow(journals, root)
  const active = new Map<number, number[]>()
  if (journal === undefined || journal.active === 0) return active
  for (const { no, blocker, status } of yield* askRows(blockers, root)) {
    if (status === 'active') active.set(no, [...(active.get(no) ?? []), blocker])
  }
  return active
}

function shown({ agent, session, progress, runs: lives, hasConversation }: Found, active: Map<number, number[]>) {
  const { root: _, no, ...far } = progress ?? noProgress(agent.root, agent.no)
  const usages = lives.map(({ usage }) => (usage === null ? {} : (JSON.parse(usage) as RunUsage)))
  const sum = (of: (usage: RunUsage) => number) => usages.reduce((all, usage) => all + of(usage), 0)
  const newest = [...lives].sort((a, b) => b.started_at - a.started_at)
  return {
    no: agent.no,
    session_id: session.id,
    name: session.name,
    parent: session.parent_no ?? 0,
    status: session.status,
    reason: session.reason,
    spec: JSON.parse(agent.spec) as JsonObject,
    progress: far,
    used: {
      tokens: sum(({ input_tokens = 0, output_tokens = 0 }) => input_tokens + output_tokens),
      usd: sum(({ usd = 0 }) => usd),
    },
    provider_session_id: newest.find((run) => run.provider_session !== null)?.provider_session ?? null,
    has_conversation: hasConversation,
    blockers: active.get(agent.no) ?? [],
  }
}

/** When the first of all runs was begun. */
function firstOf(found: readonly Found[]): number | null {
  const starts = found.flatMap((each) => each.runs.map(({ started_at }) => started_at))
  return starts.length === 0 ? null : starts.reduce((first, at) => Math.min(first, at))
}

function noWorkflow({ name }: SessionRow) {
  const hint = 'Create a session with a `workflow`.'
  return refuse('not_found', `The root ${name} has no workflow.`, hint)
}
