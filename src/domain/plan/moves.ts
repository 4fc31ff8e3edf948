import { type Refusal, refuse } from '../log/refusal.ts'
import type { PhaseRow } from './tables.ts'

/** What is done to phases so that the work is in another one. */
export interface PhaseMove {
  /** The phase that was under way and how it is left. */
  readonly left?: { readonly phase: PhaseRow; readonly to: 'completed' | 'planned' }
  readonly skipped: readonly PhaseRow[]
  readonly entered: PhaseRow
  /** The phase that ends a session is over at once. */
  readonly to: 'running' | 'completed'
}

/** The phase that the work is in: one that is under way, of several the last. */
export function currentPhase(all: readonly PhaseRow[]): PhaseRow | undefined {
  return all.findLast(({ state }) => state === 'running' || state === 'paused')
}

function isOver({ state }: PhaseRow): boolean {
  return state === 'completed' || state === 'failed' || state === 'skipped'
}

/** The fixed phase that was reached last. */
function reachedOf(fixed: readonly PhaseRow[]): PhaseRow | undefined {
  const current = currentPhase(fixed)
  return current ?? fixed.findLast(({ state }) => state !== 'planned' && state !== 'skipped')
}

/** The fixed phases that may follow one: the next, and the one after documentation, which may be skipped. */
function following(fixed: readonly PhaseRow[], reached: PhaseRow | undefined): PhaseRow[] {
  const at = reached === undefined ? 0 : fixed.indexOf(reached) + 1
  const next = fixed[at]
  if (next === undefined) return []
  const afterNext = next.kind === 'docs' ? fixed[at + 1] : undefined
  return afterNext === undefined ? [next] : [next, afterNext]
}

/** The phases that can be entered without going back. */
export function legalPhases(all: readonly PhaseRow[]): PhaseRow[] {
  const fixed = all.filter(({ kind }) => kind !== 'custom')
  const own = all.filter((row) => row.kind === 'custom' && !isOver(row) && row.state !== 'running')
  return [...following(fixed, reachedOf(fixed)), ...own]
}

/** Going into a phase, or why that cannot be. Where the work went back, what was left is planned again. */
export function moveTo(all: readonly PhaseRow[], target: PhaseRow, reopen: string | undefined): PhaseMove | Refusal {
  const current = currentPhase(all)
  const legal = legalPhases(all)
  const to = target.kind === 'complete' ? 'completed' : 'running'
  const goesOn = target === current && target.state === 'paused'
  if (goesOn || legal.includes(target)) {
    const left = current === undefined || goesOn ? {} : { left: { phase: current, to: 'completed' } as const }
    const skipped = skippedBy(legal, target)
    return { ...left, skipped, entered: target, to }
  }
  if (!isBehind(all, target)) return illegal(current, target, legal)
  if (reopen === undefined) return needsReason(target, legal)
  const isLater = current !== undefined && current.phase > target.phase
  const left = current === undefined ? {} : { left: { phase: current, to: isLater ? 'planned' : 'completed' } as const }
  return { ...left, skipped: [], entered: target, to }
}

/** Documentation that was to come next, and was not entered. */
function skippedBy(legal: readonly PhaseRow[], target: PhaseRow): PhaseRow[] {
  return legal.filter((row) => row.kind === 'docs' && target.kind === 'complete' && row.state === 'planned')
}

/** It was entered before, or the work has gone beyond it. */
function isBehind(all: readonly PhaseRow[], target: PhaseRow): boolean {
  if (isOver(target)) return true
  const reached = reachedOf(all.filter(({ kind }) => kind !== 'custom'))
  return target.kind !== 'custom' && reached !== undefined && target.phase < reached.phase
}

function illegal(current: PhaseRow | undefined, target: PhaseRow, legal: readonly PhaseRow[]): Refusal {
  const from = current?.name ?? 'no phase'
  const names = legal.map(({ name }) => name)
  const message = `The work cannot go from ${from} to ${target.name}.`
  const hint = names.length === 0 ? 'No phase comes after this one.' : `It can go to: ${names.join(', ')}.`
  return refuse('illegal_transition', message, hint, { from: current?.name ?? null, to: target.name, legal: names })
}

function needsReason(target: PhaseRow, legal: readonly PhaseRow[]): Refusal {
  const message = `The phase ${target.name} was ${target.state === 'planned' ? 'passed' : target.state}: going back needs a reason.`
  const names = legal.map(({ name }) => name)
  return refuse('illegal_transition', message, 'Say why with `reopen`.', {
    to: target.name,
    legal: names,
    reopen: true,
  })
}
