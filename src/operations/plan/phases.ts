import type { Deciding } from '../../domain/log/deciding.ts'
import { optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { allOf, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { planName, reason } from '../../domain/plan/members.ts'
import { currentPhase, moveTo, type PhaseMove } from '../../domain/plan/moves.ts'
import { planPart } from '../../domain/plan/part.ts'
import { nextPhase } from '../../domain/plan/phases.ts'
import { showPhase } from '../../domain/plan/shown.ts'
import { type PhaseRow, phases, planTotals } from '../../domain/plan/tables.ts'
import { totalsOf } from '../../domain/plan/totals.ts'
import { checkPhaseChange } from '../../domain/plan/transitions.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'
import { knownPhases, phaseMeant, phaseNamed } from './named.ts'
import { moveToPhase } from './position.ts'
import { planSeen } from './seen.ts'
import { recordPhase } from './settled-phases.ts'

const phaseRefs = [rowOf(streams, planStream), allOf(phases)]

function recordMove(on: Deciding, { left, skipped, entered, to }: PhaseMove, why: string | undefined): void {
  if (left) recordPhase(on, left.phase.phase, left.phase.state, left.to, left.to === 'planned' ? why : undefined)
  for (const row of skipped) recordPhase(on, row.phase, row.state, 'skipped')
  if (to === 'completed' && entered.state !== 'planned') recordPhase(on, entered.phase, entered.state, 'running', why)
  const from = on.rows.get(phases, entered.phase)?.state ?? entered.state
  recordPhase(on, entered.phase, from, to, why)
  moveToPhase(on, entered.phase, to === 'completed' ? 'completed' : 'in_progress')
}

function moved(all: readonly PhaseRow[], to: PhaseRow, from: PhaseRow | undefined, changed: boolean) {
  const now = all.find(({ phase }) => phase === to.phase) as PhaseRow
  return { ...showPhase(now), from: from?.name ?? null, changed }
}

export const phaseEnter = change({
  name: 'phase.enter',
  summary: 'Go on to a phase; the one before it is completed. Going back needs a reason.',
  command: {
    words: ['phase'],
    positional: ['phase'],
    topic: 'Plan',
    examples: ['cairn phase plan', "cairn phase spec --reopen 'The goals have changed.'"],
  },
  input: { phase: phaseNamed, reopen: optional({ ...reason, about: 'Why the work goes back to it.' }) },
  needs: () => phaseRefs,
  decide({ phase: given, reopen }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const all = knownPhases(on.rows)
    const target = phaseMeant(all, given)
    if (target instanceof Refusal) return target
    const current = currentPhase(all)
    if (target === current && target.state === 'running') return moved(all, target, current, false)
    const move = moveTo(all, target, reopen)
    if (move instanceof Refusal) return move
    recordMove(on, move, reopen)
    return moved(knownPhases(on.rows), target, current, true)
  },
})

export const phaseDone = change({
  name: 'phase.done',
  summary: 'Say that a phase is completed, without going on to another.',
  command: { words: ['phase done'], positional: ['phase'] },
  input: { phase: optional({ ...phaseNamed, about: 'The phase; default the one the work is in.' }) },
  needs: () => phaseRefs,
  decide({ phase: given }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const all = knownPhases(on.rows)
    const target = given === undefined ? (currentPhase(all) ?? noPhase()) : phaseMeant(all, given)
    if (target instanceof Refusal) return target
    if (target.state === 'completed') return moved(all, target, target, false)
    const wrong =
      target.state === 'planned' ? notBegun(target) : checkPhaseChange(target.name, target.state, 'completed')
    if (wrong) return wrong
    recordPhase(on, target.phase, target.state, 'completed')
    moveToPhase(on, target.phase, 'completed')
    return moved(knownPhases(on.rows), target, target, true)
  },
})

function noPhase(): Refusal {
  return refuse('illegal_transition', 'No phase is under way.', 'Enter one with `phase.enter`.')
}

function notBegun({ name }: PhaseRow): Refusal {
  const message = `The phase ${name} was not begun.`
  return refuse('illegal_transition', message, 'Enter it with `phase.enter`.', { from: 'planned', to: 'completed' })
}

/** They would be taken for commands. */
const reserved: ReadonlySet<string> = new Set(['add', 'done', 'ls'])

function checkName(all: readonly PhaseRow[], name: string): Refusal | undefined {
  const folded = name.trim().toLowerCase()
  if (reserved.has(folded) || /^\d+$/.test(folded)) {
    return refuse('invalid_input', `A phase cannot be named ${JSON.stringify(name)}.`, 'Choose another name.', {
      path: 'name',
    })
  }
  if (!all.some((row) => row.name.toLowerCase() === folded)) return undefined
  const message = `This root already has a phase named ${JSON.stringify(name)}.`
  return refuse('already_exists', message, 'Names are not case-sensitive; choose another.', { phase: name })
}

export const phaseAdd = change({
  name: 'phase.add',
  summary: 'Add a phase of your own. Before any fixed phase has begun, it takes their place.',
  command: { words: ['phase add'], positional: ['name'], examples: ['cairn phase add Research'] },
  input: { name: planName },
  needs: () => [...phaseRefs, rowOf(planTotals)],
  decide({ name }, on) {
    const { phases: count } = totalsOf(on.rows)
    const number = nextPhase(on.rows, count)
    const there = number === 1 ? [] : knownPhases(on.rows)
    const refusal = mayWrite(on) ?? checkCount(on.limits, 'phases', count, 'phases') ?? checkName(there, name)
    if (refusal) return refusal
    on.record({ type: 'phase_added', stream: planStream, data: { phase: number, kind: 'custom', name } })
    return showPhase(on.rows.get(phases, number) as PhaseRow)
  },
})

export const phaseList = read({
  name: 'phase.list',
  summary: 'List the phases, what has become of each and its tasks.',
  command: { words: ['phase ls'] },
  input: past,
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    const seen = yield* planSeen(root, at)
    return { current: currentPhase(seen.phases)?.name ?? null, phases: seen.shownPhases }
  },
})
