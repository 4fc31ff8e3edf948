import type { Deciding } from '../../../domain/log/deciding.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Ref, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { phaseNumbered } from '../../../domain/plan/phases.ts'
import { phases, planTotals } from '../../../domain/plan/tables.ts'
import { checkPhaseChange } from '../../../domain/plan/transitions.ts'
import { stateStream } from '../../../domain/state/facts.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import type { Move } from '../../../domain/workflow/moves.ts'
import { tooLate } from './about.ts'

type Of<M extends Move['move']> = Extract<Move, { move: M }>

/** The first phase says whether the others are of the work's own. */
export function phaseRefs(phase: number): Ref[] {
  return [rowOf(phases, phase), rowOf(phases, 1), rowOf(planTotals), rowOf(streams, planStream)]
}

export function changePhase(on: Deciding, { phase, to, reason }: Omit<Of<'phase'>, 'move'>): Refusal | undefined {
  const row = phaseNumbered(on.rows, phase)
  if (row === undefined) {
    return refuse('not_found', `There is no phase ${phase}.`, 'List the phases with `session.status`.', { phase })
  }
  const from = row.state
  if (from === to) return tooLate(`The phase ${JSON.stringify(row.name)} is ${to} already.`, { phase, state: to })
  const illegal = checkPhaseChange(row.name, from, to)
  if (illegal) return illegal
  const data = { phase, from, to, ...(reason !== undefined && { reason }) }
  on.record({ type: 'phase_changed', stream: planStream, data })
  return undefined
}

export const checkpointRefs: readonly Ref[] = [rowOf(streams, stateStream), rowOf(streams, workflowStream)]

/** It names the event before it: all that was there then is in the log up to that. */
export function takeCheckpoint(on: Deciding, { why, phase, agent }: Omit<Of<'checkpoint'>, 'move'>): number {
  const { seq = 0, hash = '' } = on.rows.head() ?? {}
  const state = on.rows.get(streams, stateStream)?.version ?? 0
  const about = { ...(phase !== undefined && { phase }), ...(agent !== undefined && { agent }) }
  const event = on.record({
    type: 'checkpoint_taken',
    stream: workflowStream,
    data: { why, ...about, state, upto: seq, hash },
  })
  return event.seq
}

export const recoveryRefs: readonly Ref[] = [rowOf(streams, workflowStream)]

export function planRecovery(on: Deciding, { steps, server }: Of<'recovery'>): Refusal | undefined {
  if (steps.length === 0) return refuse('invalid_input', 'A recovery without steps recovers nothing.', 'Give steps.')
  on.record({ type: 'recovery_planned', stream: workflowStream, data: { steps, ...(server && { server }) } })
  return undefined
}
