import { type Agent, isOver } from './agent.ts'
import { type End, endAgent } from './ending.ts'
import { holdRun } from './holding.ts'
import { limitDue, limitRun } from './limits.ts'
import { followExit } from './outcome.ts'
import { wakeIfThere } from './parking.ts'
import { beforeStart, isReady } from './readiness.ts'
import type { Turn } from './turn.ts'

/** What follows for one agent from how everything stands; asked again whenever that has changed. */
export function nextStep(turn: Turn, agent: Agent, all: End | undefined): void {
  agent.isReady = false
  if (!isOver(agent)) goOn(turn, agent, all)
  // Whoever ended it has not ended its processes.
  if (isOver(agent)) turn.stop(agent, 'person')
  remember(turn, agent)
}

function goOn(turn: Turn, agent: Agent, all: End | undefined): void {
  const { exited } = agent
  const hasExited = agent.run === undefined && (agent.status === 'running' || agent.status === 'paused')
  if (hasExited && exited !== undefined) followExit(turn, agent, exited)
  if (isOver(agent) || endAgent(turn, agent, all)) return
  if (agent.run !== undefined) {
    limitRun(turn, agent)
    holdRun(turn, agent)
    return
  }
  wakeIfThere(turn, agent)
  if (agent.woken?.by === 'approval' && agent.spec.approval === 'after') turn.complete(agent)
  else if (isReady(turn, agent) && beforeStart(turn, agent)) {
    agent.isReady = true
    turn.board.ready.push(agent)
  }
}

/** When time alone changes something for it. */
function remember(turn: Turn, agent: Agent): void {
  const due = isOver(agent) ? undefined : agent.run === undefined ? agent.parked?.wake_at : limitDue(agent)
  if (due === agent.due) return
  agent.due = due
  if (due !== undefined) turn.board.timers.push({ at: due, agent })
}
