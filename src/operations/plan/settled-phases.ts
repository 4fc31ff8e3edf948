import type { Deciding } from '../../domain/log/deciding.ts'
import { allOf } from '../../domain/log/rows.ts'
import { countsOfPhase, isAllBlocked, wavesOfPhase } from '../../domain/plan/counts.ts'
import { type PhaseState, planStream } from '../../domain/plan/facts.ts'
import { phaseNumbered } from '../../domain/plan/phases.ts'
import { phases } from '../../domain/plan/tables.ts'

/** Why a phase is paused by itself; one that was paused for another reason does not go on by itself. */
const allBlocked = 'All tasks that are left are blocked.'

/** A phase whose tasks that are left are all blocked is paused, and goes on once one of them is not; gives those that were paused. */
export function settlePhases(on: Deciding, numbers: Iterable<number>): number[] {
  on.rows.mustKnow([allOf(phases)])
  const paused: number[] = []
  for (const phase of new Set(numbers)) {
    const row = phase === 0 ? undefined : phaseNumbered(on.rows, phase)
    if (row === undefined) continue
    on.rows.mustKnow([wavesOfPhase(phase)])
    const isBlocked = isAllBlocked(countsOfPhase(on.rows, phase))
    if (row.state === 'running' && isBlocked) {
      recordPhase(on, phase, 'running', 'paused', allBlocked)
      paused.push(phase)
    }
    if (row.state === 'paused' && row.reason === allBlocked && !isBlocked) recordPhase(on, phase, 'paused', 'running')
  }
  return paused
}

export function recordPhase(on: Deciding, phase: number, from: PhaseState, to: PhaseState, reason?: string): void {
  const data = { phase, from, to, ...(reason !== undefined && { reason }) }
  on.record({ type: 'phase_changed', stream: planStream, data })
}
