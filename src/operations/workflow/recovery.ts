import { contextStream } from '../../domain/conversations/facts.ts'
import { isHeld } from '../../domain/leases/lease.ts'
import { orchestratorLease } from '../../domain/leases/orchestrator.ts'
import { leases } from '../../domain/leases/tables.ts'
import { type Asking, askRow, askRows } from '../../domain/log/questions.ts'
import { segments, streams } from '../../domain/log/tables.ts'
import type { Status } from '../../domain/sessions/lifecycle.ts'
import { sessionsOfRoot } from '../../domain/sessions/past.ts'
import { specOf, workflowOf } from '../../domain/workflow/agent.ts'
import type { AgentExited, Rung } from '../../domain/workflow/facts.ts'
import { type Interrupted, recoverySteps } from '../../domain/workflow/recovery.ts'
import { settledAgent } from '../../domain/workflow/settled.ts'
import type { WorkflowSpec } from '../../domain/workflow/spec.ts'
import { workflows } from '../../domain/workflow/tables.ts'
import { read } from '../operation.ts'
import { noWorkflow } from './extending.ts'
import { type AgentThere, agentsThere } from './seen/agents.ts'

/** What nobody but the machine knows that an agent ran on is whether its process lives: here it is taken to be gone. */
export const workflowRecovery = read({
  name: 'workflow.recovery',
  summary: 'Show what recovery would do with each agent whose process is gone.',
  command: { words: ['workflow recovery'], positional: ['session'] },
  input: {},
  snapshot: true,
  byLeaseTime: true,
  *read(_input, { root }, _now, _parts, leaseTime) {
    const row = yield* askRow(workflows, root)
    if (row === undefined) return noWorkflow()
    const lease = yield* askRow(leases, root, orchestratorLease)
    const supervised = lease !== undefined && leaseTime !== undefined && isHeld(lease, leaseTime)
    const sessions = yield* sessionsOfRoot(root, undefined)
    const open = (yield* agentsThere(root, undefined, sessions, 0)).filter(({ progress }) => progress.run !== null)
    const forkedAt = (yield* askRows(segments, root)).find(({ origin }) => origin !== null)?.after ?? 0
    const found: Interrupted[] = []
    for (const each of open) found.push(yield* interrupted(root, each, workflowOf(row), forkedAt))
    const byNo = new Map(open.map((each) => [each.agent.no, each]))
    return {
      supervised,
      steps: recoverySteps(found).map(({ agent, was, cause, rung, reason }) => ({
        id: byNo.get(agent)?.agent.id ?? '',
        name: byNo.get(agent)?.session.name ?? '',
        session_id: byNo.get(agent)?.session.id ?? '',
        was,
        cause,
        rung,
        reason: reason ?? null,
      })),
    }
  },
})

function* interrupted(root: number, there: AgentThere, workflow: WorkflowSpec, forkedAt: number): Asking<Interrupted> {
  const { agent, session, progress, providerSession } = there
  const conversation = yield* askRow(streams, root, contextStream(agent.no))
  return {
    no: agent.no,
    status: session.status as Status,
    spec: settledAgent(specOf(agent), workflow),
    attempts: progress.attempts,
    failures: progress.failures,
    rung: (progress.rung ?? undefined) as Rung | undefined,
    exited: progress.exited === null ? undefined : (JSON.parse(progress.exited) as AgentExited),
    canResume: providerSession !== null,
    canReplay: conversation !== undefined,
    held: progress.held === 1,
    isShared: (progress.run_seq ?? Number.POSITIVE_INFINITY) <= forkedAt,
    found: 'lost',
  }
}
