import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { PhaseRow } from '../../../domain/plan/tables.ts'
import { checkTransition } from '../../../domain/sessions/lifecycle.ts'
import type { AgentWoken, Parking } from '../../../domain/workflow/facts.ts'
import { withdrawNeeds } from '../../../domain/workflow/needs.ts'
import { progressOf } from '../../../domain/workflow/progress.ts'
import { workflows } from '../../../domain/workflow/tables.ts'
import { change } from '../../operation.ts'
import { changePhase } from '../moves/work.ts'
import { type Steered, steered } from './answer.ts'
import { become, beginAnew, hold, notNow, parkingOf, sessionOf, statusOf, wakeByPerson } from './deeds.ts'
import { refuseStopping } from './retry.ts'
import { agentsOf, type PhaseTarget, type Target, targetIn, targetMembers, targetRefs } from './target.ts'

/** What a person ends by saying: go on. All else ends by itself, or by an answer. */
const wakes: ReadonlySet<Parking> = new Set<Parking>(['pause', 'consent', 'backoff', 'rate_limit'])

export const sessionResume = change({
  name: 'session.resume',
  summary: 'Let a paused or interrupted session, phase or agent go on; what is completed stays so.',
  command: { words: ['session resume'], positional: ['session'] },
  reach: 'owner',
  input: targetMembers,
  needs: (asked, rows, { no }) => targetRefs(rows, asked, no),
  decide(asked, on): Steered | Refusal {
    const target = targetIn(on, asked)
    if (target instanceof Refusal) return target
    const done = resume(on, target)
    if (!(done instanceof Refusal)) withdrawNeeds(on, (no) => isWoken(on, no), 'resumed')
    return done instanceof Refusal ? done : steered(on, target, done)
  },
})

/** Nobody is asked any more whether it may go on. */
function isWoken(on: Deciding, no: number): boolean {
  const { woken } = progressOf(on.rows, no)
  return woken !== null && (JSON.parse(woken) as AgentWoken).by === 'person'
}

function resume(on: Deciding, target: Target): number | Refusal {
  if (target.of === 'agent') return resumeAgent(on, target.no)
  if (target.of === 'phase') return resumePhase(on, target)
  if (target.of === 'root' && on.rows.get(workflows) !== undefined) return resumeRoot(on)
  const illegal = checkTransition(statusOf(on, target.no), 'running')
  if (illegal) return illegal
  become(on, target.no, 'running')
  return 0
}

/** Those of its agents that have completed stay so: only a retry runs them again. */
function resumePhase(on: Deciding, { phase, agents }: PhaseTarget): number | Refusal {
  if (phase.state !== 'paused' && phase.state !== 'running' && phase.state !== 'planned') return phaseOver(phase)
  const refusal = phase.state === 'paused' ? changePhase(on, { phase: phase.phase, to: 'running' }) : undefined
  return (
    refusal ??
    goOn(
      on,
      agents.map(({ no }) => no),
    )
  )
}

function phaseOver({ name, state }: PhaseRow): Refusal {
  const message = `The phase ${JSON.stringify(name)} is ${state} and does not go on.`
  return refuse('illegal_transition', message, 'Run it again with `session.retry`.', { state })
}

function resumeRoot(on: Deciding): number | Refusal {
  const status = statusOf(on, 0)
  if (status === 'created') return notNow(on, 0, 'and was never started', 'Start it with `session.start`.')
  if (status === 'completed')
    return notNow(on, 0, 'and has nothing left to do', 'Run a phase again with `session.retry`.')
  if (status === 'failed')
    return notNow(on, 0, 'and does not go on by itself', 'Run what failed again with `session.retry`.')
  const nos = agentsOf(on.rows).map(({ no }) => no)
  if (status === 'cancelled') return revive(on, nos)
  if (status === 'paused' || status === 'resumable') become(on, 0, 'running')
  return goOn(on, nos)
}

/** What ended with the root was given up by nobody in particular. */
function revive(on: Deciding, nos: readonly number[]): number | Refusal {
  const { name, ended_at } = sessionOf(on, 0)
  const cut = nos.filter((no) => {
    const { status, reason, parent_no, ended_at: at } = sessionOf(on, no)
    return status === 'cancelled' && parent_no === 0 && reason === `${name} has ended` && at === ended_at
  })
  const refusal = refuseStopping(
    on,
    agentsOf(on.rows, ({ no }) => cut.includes(no)),
  )
  if (refusal) return refusal
  become(on, 0, 'running')
  for (const no of cut) {
    become(on, no, 'created')
    beginAnew(on, no)
  }
  return cut.length
}

function goOn(on: Deciding, nos: readonly number[]): number {
  return nos.filter((no) => letGoOn(on, no)).length
}

/** Whether anything kept it. */
function letGoOn(on: Deciding, no: number): boolean {
  const wasHeld = hold(on, no, false)
  const why = parkingOf(on, no)
  const waits = statusOf(on, no) === 'resumable' && why !== undefined && wakes.has(why)
  if (waits) wakeByPerson(on, no)
  return wasHeld || waits
}

function resumeAgent(on: Deciding, no: number): number | Refusal {
  const status = statusOf(on, no)
  if (status === 'completed') return resumeCompleted(on, no)
  if (status === 'failed' || status === 'cancelled' || status === 'skipped') {
    return notNow(on, no, 'and does not go on by itself', 'Run it again with `session.retry`.')
  }
  if (letGoOn(on, no)) return 1
  const why = parkingOf(on, no)
  if (why === 'approval')
    return notNow(on, no, 'and waits for an approval', 'Approve it with `session.approve`, or cancel it.')
  if (why === 'question') return notNow(on, no, 'and waits for an answer', 'Answer with `session.answer`.')
  if (why !== undefined) return notNow(on, no, `and waits (${why})`, 'It goes on when that is over.')
  const root = statusOf(on, 0)
  if (root === 'paused') return notNow(on, 0, 'as a whole', 'Resume the whole session.')
  return notNow(on, no, 'and was not paused', 'Look at it with `session.status`.')
}

/** It goes on where it ended, with another run. */
function resumeCompleted(on: Deciding, no: number): number | Refusal {
  if (progressOf(on.rows, no).attempts === 0)
    return notNow(on, no, 'and never ran', 'Run its phase again with `session.retry`.')
  const root = statusOf(on, 0)
  if (root === 'failed' || root === 'cancelled')
    return notNow(on, 0, 'and runs nothing', 'Retry or resume the whole session.')
  if (root === 'completed') become(on, 0, 'running')
  become(on, no, 'running')
  become(on, no, 'resumable')
  wakeByPerson(on, no)
  return 1
}
