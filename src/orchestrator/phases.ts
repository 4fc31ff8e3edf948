import { holds } from '../domain/workflow/condition/condition.ts'
import { isOver } from './agent.ts'
import type { Stretch } from './board.ts'
import type { Turn } from './turn.ts'

/** Begins the phase whose turn it is and ends what is done; whether agents may go on by that. */
export function advancePhases(turn: Turn): boolean {
  const { board } = turn
  if (board.root?.status !== 'running') return false
  for (let stretch = board.current; stretch !== undefined; stretch = board.current) {
    if (stretch.phase.state === 'paused') return false
    if (stretch.phase.state === 'running') {
      if (stretch.open > 0) return false
      endPhase(turn, stretch)
    } else {
      const why = whySkipped(turn, stretch)
      if (why !== undefined) skipPhase(turn, stretch, why)
      else {
        turn.checkpoint('phase', { phase: stretch.phase.phase })
        turn.phase(stretch, 'running')
        if (stretch.open > 0) return true
      }
    }
  }
  return false
}

/** Why a phase does not run, if it does not. One that has run before, and was retried, is not asked for its condition again. */
function whySkipped({ board, state, conditions }: Turn, { phase }: Stretch): string | undefined {
  const failed = board.failedBefore(phase.phase)
  if (failed !== undefined) return `the phase ${failed.phase.name} failed`
  const isNew = phase.state === 'planned' || phase.state === 'skipped'
  const condition = isNew ? conditions.get(phase.phase) : undefined
  return condition === undefined || holds(condition, state) ? undefined : `its condition does not hold: ${phase.when}`
}

function skipPhase(turn: Turn, stretch: Stretch, why: string): void {
  if (stretch.phase.state !== 'skipped') turn.phase(stretch, 'skipped', why)
  for (const agent of stretch.agents) {
    if (isOver(agent)) continue
    turn.end(agent, agent.status === 'created' ? 'skip' : 'cancel', `phase ${stretch.phase.name}: ${why}`)
  }
}

function endPhase(turn: Turn, stretch: Stretch): void {
  const { agents, hindering } = stretch
  if (hindering > 0) {
    const first = agents.find(
      ({ status, spec }) => status !== 'skipped' && status !== 'completed' && spec.on_failure !== 'continue',
    )
    const others = hindering > 1 ? ` and ${hindering - 1} more` : ''
    turn.phase(stretch, 'failed', `${first?.spec.id} ${first?.status}${others}`)
  } else if (agents.length > 0 && agents.every(({ status }) => status === 'skipped')) {
    turn.phase(stretch, 'skipped', 'all of its agents were skipped')
  } else turn.phase(stretch, 'completed')
}
