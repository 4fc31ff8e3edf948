import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { readWorkflow, type WorkflowRead } from '../../src/domain/workflow/file/read.ts'
import { settledAgent } from '../../src/domain/workflow/settled.ts'
import { RootPlanner } from '../../src/orchestrator/root-planner.ts'
import type { AgentSeen } from '../../src/orchestrator/seen.ts'
import { interleaved } from '../measure.ts'
import { atLeast, type Scenario } from '../scenario.ts'

const many = 10_000
const few = 100

/** Agents of a workflow, each after one that was before it. */
function workflowOf(count: number): WorkflowRead {
  const agents = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    run: ['true'],
    ...(at > 0 && { depends_on: [`n${(at - 1) >> 1}`] }),
  }))
  const read = readWorkflow({ max_parallel: 8, agents }, { ...defaultLimits, sessions: count + 1 })
  if (read instanceof Refusal) throw new Error(read.message)
  return read
}

function seenOf({ workflow, agents }: WorkflowRead): AgentSeen[] {
  const nothing = {
    run: undefined,
    rung: undefined,
    exited: undefined,
    parked: undefined,
    woken: undefined,
    told: undefined,
  }
  return agents.map((spec, at) => ({
    no: at + 1,
    parent: 0,
    spec: settledAgent(spec, workflow),
    status: 'created',
    reason: null,
    attempts: 0,
    failures: 0,
    ...nothing,
    asked: undefined,
    blockers: [],
    held: false,
    hasResult: false,
    canResume: false,
    canReplay: false,
    used: { tokens: 0, usd: 0 },
    ranMs: 0,
  }))
}

/** Plans a root from its first agent to its end. */
function planAll({ workflow }: WorkflowRead, seen: readonly AgentSeen[]): RootPlanner {
  const planner = new RootPlanner()
  planner.seeRoot({ status: 'running', workflow, phases: [], startedAt: 0 })
  for (const each of seen) planner.see(each)
  const open: { agent: number; run: string }[] = []
  let runs = 0
  for (let now = 1; ; now++) {
    const { moves, acts } = planner.turn(now, {}, () => `run-${++runs}`)
    if (moves.some(({ move }) => move === 'root')) return planner
    for (const act of acts) if (act.act === 'launch') open.push(act)
    const next = open.shift()
    if (next === undefined) throw new Error('nothing runs, and the root has not ended')
    planner.report({ move: 'exit', how: 'completed', agent: next.agent, run: next.run, cause: 'exit', exit_code: 0 })
  }
}

/** Agents planned in a second; what was planned is kept, so that both sides need the same memory. */
function rateOf(roots: number, count: number): () => Promise<number> {
  const read = workflowOf(count)
  const seen = seenOf(read)
  return async () => {
    const kept: RootPlanner[] = []
    const begun = performance.now()
    for (let root = 0; root < roots; root++) kept.push(planAll(read, seen))
    return (kept.length * count * 1000) / (performance.now() - begun)
  }
}

export const planning: Scenario = {
  name: 'planning-many',
  about: `planning for each agent of ${many} below one root`,
  against: `for each of ${few} below one, as many roots as that takes`,
  store: 'sqlite',
  unit: '/s',
  target: atLeast(0.5),
  async run({ rounds }) {
    return interleaved(rounds, rateOf(1, many), rateOf(many / few, few))
  },
}
