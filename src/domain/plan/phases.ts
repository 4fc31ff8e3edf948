import type { Rows } from '../log/rows.ts'
import { sessions } from '../sessions/tables.ts'
import type { PhaseKind } from './facts.ts'
import { type PhaseRow, phases } from './tables.ts'

/** The phases that a root of a type goes through. */
const fixed: Readonly<Record<string, readonly PhaseKind[]>> = {
  full: ['spec', 'plan', 'build', 'docs', 'complete'],
  quick: ['plan', 'build', 'complete'],
  research: ['spec', 'complete'],
}

export function fixedPhases(type: string): readonly PhaseKind[] {
  return fixed[type] ?? []
}

/** The fixed phases of a root; none before it was made. */
export function fixedPhasesOf(rows: Rows): readonly PhaseKind[] {
  return fixedPhases(rows.get(sessions, 0)?.type ?? '')
}

/**
 * All phases of a root in their order, of those that have rows. The fixed ones that were never touched are there too, unless the root
 * began with phases of its own: those take their place.
 */
export function withFixed(root: number, type: string, rows: readonly PhaseRow[]): PhaseRow[] {
  const byNumber = new Map(rows.map((row) => [row.phase, row]))
  const isOwn = byNumber.get(1)?.kind === 'custom'
  if (!isOwn) {
    for (const [at, kind] of fixedPhases(type).entries()) {
      const phase = at + 1
      if (!byNumber.has(phase)) byNumber.set(phase, plannedPhase(root, phase, kind, kind))
    }
  }
  return [...byNumber.values()].sort((a, b) => a.phase - b.phase)
}

export function phasesOf(rows: Rows): PhaseRow[] {
  return withFixed(rows.root, rows.get(sessions, 0)?.type ?? '', rows.all(phases))
}

/** A phase by its number; all that have rows need not be known. */
export function phaseNumbered(rows: Rows, phase: number): PhaseRow | undefined {
  const row = rows.get(phases, phase)
  if (row !== undefined) return row
  const kind = rows.get(phases, 1)?.kind === 'custom' ? undefined : fixedPhasesOf(rows)[phase - 1]
  return kind && plannedPhase(rows.root, phase, kind, kind)
}

/** The number that the next phase of one's own gets. */
export function nextPhase(rows: Rows, added: number): number {
  if (added > 0) return rows.get(phases, 1)?.kind === 'custom' ? added + 1 : fixedPhasesOf(rows).length + added + 1
  const isBegun = fixedPhasesOf(rows).some((_, at) => rows.get(phases, at + 1) !== undefined)
  return isBegun ? fixedPhasesOf(rows).length + 1 : 1
}

export function plannedPhase(root: number, phase: number, kind: PhaseKind, name: string): PhaseRow {
  return { root, phase, kind, name, state: 'planned', started_at: null, ended_at: null, reason: null }
}
