import { optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { rowsThen } from '../../domain/log/row-past.ts'
import { allOf, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { countsOf } from '../../domain/plan/counts.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { planName } from '../../domain/plan/members.ts'
import { currentPhase } from '../../domain/plan/moves.ts'
import { laneOf } from '../../domain/plan/order.ts'
import { planPart } from '../../domain/plan/part.ts'
import { type PhaseRow, phases, plans } from '../../domain/plan/tables.ts'
import { past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'
import { checkpointsSeen } from './checkpoints.ts'
import { knownPhases, phaseMeant, phaseNamed, plansOf } from './named.ts'
import { planSeen } from './seen.ts'

function phaseOr(all: readonly PhaseRow[], given: string | undefined): PhaseRow | Refusal {
  if (given !== undefined) return phaseMeant(all, given)
  const current = currentPhase(all)
  if (current !== undefined) return current
  return refuse('invalid_input', 'No phase is under way.', 'Name the phase with `phase`.', { path: 'phase' })
}

export const planAdd = change({
  name: 'plan.add',
  summary: 'Add a plan to a phase; tasks can belong to it.',
  command: { words: ['plan add'], positional: ['name'], examples: ["cairn plan add 'HTTP API' --phase build"] },
  input: { name: planName, phase: optional({ ...phaseNamed, about: 'The phase; default the one the work is in.' }) },
  needs: () => [rowOf(streams, planStream), allOf(phases)],
  decide({ name, phase: given }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const phase = phaseOr(knownPhases(on.rows), given)
    if (phase instanceof Refusal) return phase
    const there = plansOf(on.rows, phase.phase)
    const full = checkCount(on.limits, 'plans', there.length, 'plans in this phase')
    if (full) return full
    const plan = there.length + 1
    on.record({ type: 'plan_added', stream: planStream, data: { phase: phase.phase, plan, name } })
    return { phase: phase.phase, phase_name: phase.name, plan, name }
  },
})

export const planShow = read({
  name: 'plan.show',
  summary: 'Show the plan: phases, the plans of each, their tasks counted, and build checkpoints.',
  command: { words: ['plan', 'plan show'], topic: 'Plan' },
  input: past,
  snapshot: true,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    const { phases: all, shownPhases, waves } = yield* planSeen(root, at)
    const planned = yield* rowsThen(plans, root, at)
    const countsIn = (phase: number, plan: number) => countsOf(waves.filter(({ lane }) => lane === laneOf(phase, plan)))
    const withPlans = shownPhases.map((phase) => ({
      ...phase,
      plans: planned
        .filter((row) => row.phase === phase.phase)
        .sort((a, b) => a.plan - b.plan)
        .map(({ plan, name }) => ({ plan, name, tasks: countsIn(phase.phase, plan) })),
    }))
    const { checkpoints, current_checkpoint } = yield* checkpointsSeen(root, at)
    return {
      current_phase: currentPhase(all)?.name ?? null,
      phases: withPlans,
      tasks: countsOf(waves),
      checkpoints,
      current_checkpoint,
    }
  },
})
