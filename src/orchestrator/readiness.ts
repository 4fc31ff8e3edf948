import { nextRung } from '../domain/workflow/recovery.ts'
import type { Agent } from './agent.ts'
import { isHeld } from './holding.ts'
import { usedUpBy } from './limits.ts'
import type { Turn } from './turn.ts'

/** Whether nothing but room is missing for an agent without a process to start. */
export function isReady(turn: Turn, agent: Agent): boolean {
  if (agent.run !== undefined || agent.parked !== undefined || isHeld(turn, agent)) return false
  if (agent.status !== 'created') return agent.status === 'resumable' || agent.status === 'running'
  const state = turn.board.stretchOf(agent)?.phase.state
  return agent.waits === 0 && agent.unseen === 0 && (state === undefined || state === 'running')
}

/** An agent that is ready and has something to wait for first, or nothing left to spend. */
export function beforeStart(turn: Turn, agent: Agent): boolean {
  const { spec, status, woken } = agent
  const used = usedUpBy(agent, turn.now)
  if (used !== undefined) {
    turn.end(agent, 'fail', `its budget is used up: ${used}`)
    return false
  }
  if (status !== 'created' || spec.approval !== 'before' || woken !== undefined) return true
  const text = `Approve the start of ${spec.id}: ${spec.task.slice(0, 200)}`.toWellFormed()
  const raises = { kind: 'approval', text, actions: ['approve', 'reject'] } as const
  turn.park(agent, { why: 'approval' }, raises)
  return false
}

/** Starts what is ready while there is room, the first agents first. */
export function fillRoom(turn: Turn): void {
  const { board } = turn
  const most = board.root?.workflow.max_parallel ?? Number.POSITIVE_INFINITY
  while (board.runs < most) {
    const agent = board.ready.pop()
    if (agent === undefined) return
    if (!agent.isReady) continue
    agent.isReady = false
    launch(turn, agent)
  }
}

function launch(turn: Turn, agent: Agent): void {
  turn.start(agent, nextRung(agent))
  const { run, rung, told, no } = agent
  if (run === undefined || rung === undefined) return
  const { by, text } = told ?? {}
  turn.acts.push({
    act: 'launch',
    agent: no,
    run: run.id,
    rung,
    inputs: inputsOf(turn, agent),
    children: by === 'children' ? agent.children.map((child) => child.no) : [],
    ...(by !== undefined && { woken: { by, ...(text !== undefined && { text }) } }),
  })
}

/** Whose results it is handed: those it depends on, and in a pipeline all of the stage before. */
function inputsOf(turn: Turn, agent: Agent): readonly number[] {
  const own = agent.before.filter(({ hasResult }) => hasResult).map(({ no }) => no)
  const handed = stageBefore(turn, agent)
  return own.length === 0 ? handed : [...new Set([...own, ...handed])]
}

function stageBefore({ board }: Turn, { spec }: Agent): readonly number[] {
  const before =
    spec.phase === undefined || board.strategy !== 'pipeline' ? undefined : board.stretches.get(spec.phase - 1)
  if (before === undefined) return []
  before.outputs ??= before.agents.filter(({ hasResult }) => hasResult).map(({ no }) => no)
  return before.outputs
}
