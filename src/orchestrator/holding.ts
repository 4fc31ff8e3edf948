import type { Agent } from './agent.ts'
import type { Turn } from './turn.ts'

/** Whether a person wants an agent to stand still: it, its phase, or all. */
export function isHeld({ board }: Turn, agent: Agent): boolean {
  return agent.held || board.root?.status !== 'running' || board.stretchOf(agent)?.phase.state === 'paused'
}

/** Brings the processes of an open run to stand still, or to go on. */
export function holdRun(turn: Turn, agent: Agent): void {
  const { run, acted, spec, no } = agent
  if (run === undefined || acted.stopped !== undefined) return
  const standsStill = acted.frozen ?? run.pausedAt !== undefined
  if (isHeld(turn, agent)) {
    const { root } = turn.board
    if (spec.pause === 'interrupt' || (root?.status === 'paused' && root.interrupts)) {
      if (!acted.interrupted) turn.acts.push({ act: 'interrupt', agent: no, run: run.id })
      acted.interrupted = true
    } else if (!standsStill) {
      turn.acts.push({ act: 'freeze', agent: no, run: run.id })
      acted.frozen = true
    }
  } else if (standsStill) {
    turn.acts.push({ act: 'thaw', agent: no, run: run.id })
    acted.frozen = false
  }
}
