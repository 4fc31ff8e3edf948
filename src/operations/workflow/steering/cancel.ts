import type { Deciding } from '../../../domain/log/deciding.ts'
import { optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Ref, Rows } from '../../../domain/log/rows.ts'
import { checkTransition } from '../../../domain/sessions/lifecycle.ts'
import { endReason } from '../../../domain/sessions/members.ts'
import { agents } from '../../../domain/workflow/tables.ts'
import { change } from '../../operation.ts'
import { endingRefs, endSession, Family } from '../../sessions/end.ts'
import { changePhase } from '../moves/work.ts'
import { steered } from './answer.ts'
import { isOver, sessionOf, statusOf } from './deeds.ts'
import { type Asked, numberOf, type Target, targetIn, targetMembers, targetRefs } from './target.ts'

export const sessionCancel = change({
  name: 'session.cancel',
  summary: 'Cancel a session, a phase or an agent with all below it; what still runs is stopped.',
  command: { words: ['session cancel', 'cancel'], positional: ['session'] },
  reach: 'subtree',
  onFullRoot: 'frees',
  input: { ...targetMembers, reason: optional(endReason) },
  needs: (asked, rows, { no }) => [...targetRefs(rows, asked, no), ...endRefs(rows, asked, no)],
  decide(asked, on) {
    const target = refuseOthers(on, asked) ?? targetIn(on, asked)
    if (target instanceof Refusal) return target
    const done = cancel(on, target, asked.reason)
    return done instanceof Refusal ? done : steered(on, target, done)
  },
})

function endRefs(rows: Rows, asked: Asked, place: number): Ref[] {
  if (asked.phase !== undefined) return endingRefs(rows, 0)
  const no = asked.agent === undefined ? place : numberOf(rows, asked.agent)
  return no === undefined ? [] : endingRefs(rows, no)
}

/** An agent names what it gives up by its session, so that it is known to be below it. */
function refuseOthers({ agent }: Deciding, { agent: named, phase }: Asked): Refusal | undefined {
  if (agent === undefined || (named === undefined && phase === undefined)) return undefined
  const hint = 'Name the session of an agent below its own as `session`.'
  return refuse('forbidden', "An agent's token cancels sessions below its own.", hint)
}

function cancel(on: Deciding, target: Target, reason = 'cancelled'): number | Refusal {
  const family = new Family(on.rows)
  if (target.of !== 'phase') {
    const illegal = checkTransition(statusOf(on, target.no), 'cancelled')
    if (illegal) return illegal
    const below = endSession(on, sessionOf(on, target.no), 'cancelled', reason, family)
    return below.filter(({ no }) => on.rows.get(agents, no) !== undefined).length + (target.of === 'agent' ? 1 : 0)
  }
  const refusal = changePhase(on, {
    phase: target.phase.phase,
    to: target.phase.state === 'planned' ? 'skipped' : 'failed',
    reason,
  })
  if (refusal) return refusal
  const open = target.agents.filter(({ no }) => !isOver(on, no))
  for (const { no } of open) if (!isOver(on, no)) endSession(on, sessionOf(on, no), 'cancelled', reason, family)
  return open.length
}
