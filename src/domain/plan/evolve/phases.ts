import type { Event } from '../../log/event.ts'
import type { Rows } from '../../log/rows.ts'
import type { PhaseChanged, PhaseKind } from '../facts.ts'
import { phaseNumbered, plannedPhase } from '../phases.ts'
import { phases, plans } from '../tables.ts'
import { countOne } from '../totals.ts'

interface Added {
  readonly phase: number
  readonly kind: PhaseKind
  readonly name: string
}

export function addPhase(rows: Rows, { phase, kind, name }: Added): void {
  rows.put(phases, plannedPhase(rows.root, phase, kind, name))
  countOne(rows, 'phases')
}

const over: ReadonlySet<string> = new Set(['completed', 'failed', 'skipped'])

/** It began when it first ran. */
export function changePhase(rows: Rows, { at }: Event, { phase, to, reason }: PhaseChanged): void {
  const row = phaseNumbered(rows, phase)
  if (row === undefined) throw new Error(`there is no phase ${phase}`)
  rows.put(phases, {
    ...row,
    state: to,
    started_at: row.started_at ?? (to === 'running' || to === 'completed' ? at : null),
    ended_at: over.has(to) ? at : null,
    reason: reason ?? null,
  })
}

export function addPlan(rows: Rows, { at }: Event, made: { phase: number; plan: number; name: string }): void {
  rows.put(plans, { root: rows.root, ...made, added_at: at })
}
