import type { Deciding } from '../../../domain/log/deciding.ts'
import { flag, optional } from '../../../domain/log/input-schema.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { checkTransition } from '../../../domain/sessions/lifecycle.ts'
import { interruptedReason } from '../../../domain/workflow/adapters.ts'
import { change } from '../../operation.ts'
import { changePhase } from '../moves/work.ts'
import { steered } from './answer.ts'
import { become, hold, isOver, notNow, statusOf } from './deeds.ts'
import { type Target, targetIn, targetMembers, targetRefs } from './target.ts'

export const sessionPause = change({
  name: 'session.pause',
  summary: 'Pause a session, phase or agent: what runs stands still or is interrupted.',
  command: { words: ['session pause', 'pause'], positional: ['session'], topic: 'Run agents' },
  reach: 'owner',
  input: {
    ...targetMembers,
    interrupt: optional(flag('All of a root: interrupt its agents, whatever their workflow says.')),
  },
  needs: (asked, rows, { no }) => targetRefs(rows, asked, no),
  decide(asked, on) {
    const target = targetIn(on, asked)
    if (target instanceof Refusal) return target
    const done = pause(on, target, asked.interrupt)
    return done instanceof Refusal ? done : steered(on, target, done)
  },
})

function pause(on: Deciding, target: Target, interrupts = false): number | Refusal {
  if (target.of === 'phase') {
    const refusal = changePhase(on, { phase: target.phase.phase, to: 'paused' })
    return refusal ?? target.agents.filter(({ no }) => statusOf(on, no) === 'running').length
  }
  if (target.of === 'agent') {
    if (isOver(on, target.no))
      return notNow(on, target.no, 'and cannot be paused', 'Run it again with `session.retry`.')
    if (!hold(on, target.no, true))
      return notNow(on, target.no, 'and was paused before', 'Let it go on with `session.resume`.')
    return 1
  }
  const illegal = checkTransition(statusOf(on, target.no), 'paused')
  if (illegal) return illegal
  become(on, target.no, 'paused', interrupts ? interruptedReason : undefined)
  return 0
}
